"""One process at a time may make a part; the others wait for it and then find it made."""

import asyncio
import fcntl
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import IO

POLL = 0.2

Report = Callable[[str], None]


def silent(_line: str) -> None:
    """A report that is discarded."""


@asynccontextmanager
async def locked(file: Path, what: str, report: Report = silent) -> AsyncIterator[None]:
    """Hold the lock of a file; the kernel releases it when this process ends, however it ends."""
    file.parent.mkdir(parents=True, exist_ok=True)
    with file.open("w") as handle:
        if not _taken(handle):
            report(f"{what}: another process is at it, waiting")
            while not _taken(handle):  # noqa: ASYNC110 - another process holds it, not a task
                await asyncio.sleep(POLL)
        yield


def _taken(handle: IO[str]) -> bool:
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
