"""Restarts a node's kubelet: sends it SIGTERM, and the init system starts it again."""

import asyncio
import os
import signal
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

NAME = "kubelet"
HEALTH = ("127.0.0.1", 10248)
#: Position of the start time in /proc/PID/stat, counted behind the name in brackets.
_STARTED = 19
POLL, PATIENCE = 0.5, 90.0


class NotRunningError(OSError):
    """There is no kubelet, or it is not healthy."""


@dataclass(frozen=True, slots=True)
class Process:
    """A kubelet of this node, and the second (of the clock on the wall) in which it started."""

    pid: int
    started: float


def find(proc: Path = Path("/proc")) -> Process | None:
    """The node's kubelet; one that runs in a container is none of ours."""
    for entry in proc.iterdir():
        try:
            if entry.name.isdigit() and _is_ours(entry, proc / "1"):
                return Process(int(entry.name), _started(entry))
        except OSError:  # it ended meanwhile
            continue
    return None


def running() -> Process:
    """The node's kubelet, which has to run."""
    found = find()
    if found is None:
        raise NotRunningError("no kubelet runs on this node")
    return found


def _is_ours(entry: Path, first: Path) -> bool:
    """Whether a process is called kubelet and sees the files of the node."""
    named = (entry / "comm").read_text().strip() == NAME
    return named and (entry / "ns/mnt").readlink() == (first / "ns/mnt").readlink()


def _started(entry: Path) -> float:
    ticks = int((entry / "stat").read_text().rpartition(")")[2].split()[_STARTED])
    age = time.clock_gettime(time.CLOCK_BOOTTIME) - ticks / os.sysconf("SC_CLK_TCK")
    return time.time() - age


def is_older(process: Process, files: Iterable[Path]) -> bool:
    """True if a file changed after the kubelet started, so that it may not know the change."""
    return any(path.exists() and path.stat().st_mtime > process.started for path in files)


async def restart(old: Process) -> None:
    """End a kubelet and wait until its successor is healthy."""
    os.kill(old.pid, signal.SIGTERM)
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        await asyncio.sleep(POLL)
        found = find()
        if found is not None and found != old and found.pid != old.pid and await is_healthy():
            return
    raise NotRunningError(f"kubelet did not come back within {PATIENCE:g} s")


async def is_healthy(place: tuple[str, int] = HEALTH) -> bool:
    """Whether the kubelet's health check succeeds."""
    try:
        async with asyncio.timeout(5):
            reader, writer = await asyncio.open_connection(*place)
            writer.write(b"GET /healthz HTTP/1.0\r\n\r\n")
            answer = await reader.read(64)
            writer.close()
    except (OSError, TimeoutError):
        return False
    return b" 200 " in answer.split(b"\r\n", 1)[0] + b" "
