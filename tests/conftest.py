"""What every test may ask for: the reference data, when this machine has it."""

import os
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def reference() -> Path:
    """The directory of reference data, or a skip that says how to get it."""
    directory = os.environ.get("HYPERSHIFT_REFERENCE", "")
    if not directory:
        pytest.skip("HYPERSHIFT_REFERENCE names no reference data; our own goldens still ran")
    return Path(directory)
