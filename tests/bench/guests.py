"""Servers that stand for hosted API servers, in a process of their own: their work is not ours."""

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def guests(kind: str, *arguments: str) -> Iterator[list[str]]:
    """Servers of `tests.adversary` while the body runs: their kubeconfigs."""
    command = [sys.executable, "-m", f"tests.adversary.{kind}", *arguments]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    try:
        yield json.loads(process.stdout.readline())
    finally:
        process.kill()
        process.communicate()
