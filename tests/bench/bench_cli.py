"""How quick commands are: from the shell's fork to the last line of output."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator

from tests.bench.figure import Figure

ROUNDS = 5


def figures() -> Iterator[Figure]:
    """The budgets of the command line, in seconds on the clock: a user waits for these."""
    yield Figure("hypershift --help", _best("--help"), "s", most=0.3)
    render = ("create", "cluster", "local", "--name", "bench", "--render", "--render-sensitive")
    yield Figure("create cluster local --render", _best(*render), "s", most=1.0)
    yield Figure("an interpreter that does nothing", _best_of([sys.executable, "-c", ""]), "s")


def _best(*words: str) -> float:
    return _best_of([sys.executable, "-m", "hypershift.cli", *words])


def _best_of(command: list[str]) -> float:
    """The quickest of a few: the others had to wait for neighbours."""
    environment = {**os.environ, "KUBECONFIG": "/nonexistent", "FAKE_CLIENT": "true"}
    times = []
    for _ in range(ROUNDS):
        start = time.monotonic()
        subprocess.run(command, capture_output=True, check=True, env=environment)
        times.append(time.monotonic() - start)
    return min(times)
