"""What every test may ask for: the reference data, when this machine has it."""

import os
import signal
from pathlib import Path

import pytest
from hypothesis import settings

# A timing is never an assertion: on a busy machine an example may take as long as it takes.
settings.register_profile("patient", deadline=None)
settings.load_profile("patient")
# What a shell starts in the background ignores Ctrl-C, and so would the commands under test.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session")
def reference() -> Path:
    """The directory of reference data, or a skip that says how to get it."""
    directory = os.environ.get("HYPERSHIFT_REFERENCE", "")
    if not directory:
        pytest.skip("HYPERSHIFT_REFERENCE names no reference data; our own goldens still ran")
    return Path(directory)
