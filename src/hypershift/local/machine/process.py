"""A process that may not be our child: its identity, whether it runs, when it ends."""

import asyncio
import os
from pathlib import Path

import msgspec

_BOOT_ID = Path("/proc/sys/kernel/random/boot_id")


class Identity(msgspec.Struct, frozen=True):
    """A process across pid reuse and reboots of the host: pid, start time, the host's boot."""

    pid: int
    started: int
    boot: str


def identity(pid: int) -> Identity:
    """The identity of a living process."""
    _, started = _stat(pid)
    return Identity(pid, started, host_boot())


def host_boot() -> str:
    """What changes when the host reboots."""
    return _BOOT_ID.read_text().strip()


def lives(who: Identity) -> bool:
    """Whether that very process still runs; a zombie does not."""
    try:
        state, started = _stat(who.pid)
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state not in "ZX" and started == who.started and host_boot() == who.boot


async def ended(who: Identity) -> None:
    """Return once the process has ended."""
    try:
        descriptor = os.pidfd_open(who.pid)
    except ProcessLookupError:
        return
    try:
        if lives(who):
            await _readable(descriptor)
    finally:
        os.close(descriptor)


async def _readable(descriptor: int) -> None:
    loop = asyncio.get_running_loop()
    done = asyncio.Event()
    loop.add_reader(descriptor, done.set)
    try:
        await done.wait()
    finally:
        loop.remove_reader(descriptor)


def _stat(pid: int) -> tuple[str, int]:
    # The command may hold spaces and brackets: count the fields after its last bracket.
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return fields[0], int(fields[19])
