"""Ports that tests give to their programs."""

import os
import subprocess
import sys
from pathlib import Path

from tests.lib import ports

ROOT = Path(__file__).parents[3]
EPHEMERAL = Path("/proc/sys/net/ipv4/ip_local_port_range")


def test_a_port_is_given_once() -> None:
    given = [ports.free_port() for _ in range(20)]
    assert len(set(given)) == len(given)


def test_no_connection_is_given_such_a_port() -> None:
    low, high = map(int, EPHEMERAL.read_text().split())
    assert not set(range(low, high + 1)) & set(range(ports.FIRST, ports.FIRST + ports.COUNT))


def test_another_process_is_not_given_ours() -> None:
    ours = [ports.free_port() for _ in range(5)]
    script = (
        "import os; from tests.lib import ports;"
        f"os.getpid = lambda: {os.getpid()};"
        "print(*(ports.free_port() for _ in range(5)))"
    )
    done = subprocess.run(
        (sys.executable, "-c", script), cwd=ROOT, capture_output=True, text=True, check=True
    )
    theirs = {int(word) for word in done.stdout.split()}
    assert len(theirs) == 5
    assert not theirs & set(ours)
