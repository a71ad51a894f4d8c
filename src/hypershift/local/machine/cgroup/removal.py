"""Who is in a group, and how it goes."""

import os
import signal
import time
from contextlib import suppress
from pathlib import Path

from hypershift.kit import TransientError
from hypershift.local.machine.cgroup.hierarchies import Hierarchies


def pids(hierarchies: Hierarchies, group: str) -> set[int]:
    """Every process of the group and of those below it."""
    found: set[int] = set()
    for top in hierarchies.directories(group):
        for directory, _, _ in os.walk(top):
            with suppress(OSError):
                found |= {
                    int(pid) for pid in (Path(directory) / "cgroup.procs").read_text().split()
                }
    return found


def remove(hierarchies: Hierarchies, group: str, timeout: float = 10.0) -> None:
    """Kill what is left in the group and take it away, with parents that became empty."""
    deadline = time.monotonic() + timeout
    killed: set[int] = set()
    # A process leaves its group before it ends: pid 1 still has to wait for those of its namespace.
    while not _removed(hierarchies, group) or any(_ends(pid) for pid in killed):
        with suppress(OSError):
            hierarchies.freeze(group, frozen=False)
        for pid in pids(hierarchies, group):
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
            killed.add(pid)
        if time.monotonic() > deadline:
            raise TransientError(f"control group {group} still has processes")
        time.sleep(0.02)
    for parent in list(Path(group).parents)[:-1]:
        for directory in hierarchies.directories(str(parent)):
            with suppress(OSError):
                directory.rmdir()


def _ends(pid: int) -> bool:
    """Whether a killed process is still there, and no zombie."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False


def _removed(hierarchies: Hierarchies, group: str) -> bool:
    for top in hierarchies.directories(group):
        for directory, _, _ in os.walk(top, topdown=False):
            with suppress(OSError):
                Path(directory).rmdir()
    return not any(top.exists() for top in hierarchies.directories(group))
