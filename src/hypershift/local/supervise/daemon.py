"""Starts the supervisor as a daemon under its guardian, and ends both."""

import asyncio
import contextlib
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

from hypershift.kit import HypershiftError
from hypershift.local.cluster import settings
from hypershift.local.cluster.state import Layout
from hypershift.local.host.shared import socket_path
from hypershift.local.supervise import control, guardian, process

GUARDIAN_RECORD = "guardian.json"
SUPERVISOR_RECORD = "supervisor.json"
PATIENCE = 20.0


def running(where: Layout) -> bool:
    """Whether a guardian watches over this cluster."""
    return process.recall(where.units / GUARDIAN_RECORD) is not None


def start(where: Layout) -> None:
    """Start the guardian, detached from the caller's terminal, session and directory.

    A supervisor that lost its guardian goes first: two of them would undo each other's work.
    """
    alone = process.recall(where.units / SUPERVISOR_RECORD)
    if alone is not None:
        os.kill(alone.pid, signal.SIGKILL)
    log = os.open(where.logs / "supervisor.log", os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    python = sys.executable
    supervisor = (
        python,
        "-P",
        "-m",
        "hypershift.local.supervise.supervisor",
        str(where.root),
        where.name,
    )
    script = Path(guardian.__file__)
    try:
        child = subprocess.Popen(
            (python, "-I", "-S", str(script), *supervisor),
            cwd="/",
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            start_new_session=True,
        )
    finally:
        os.close(log)
    child.returncode = 0  # it outlives us on purpose
    found = process.identify(child.pid, started=time.time())
    if found is not None:
        process.remember(where.units / GUARDIAN_RECORD, found)


async def renew(where: Layout) -> None:
    """End a supervisor that read other settings: its guardian starts one that reads these."""
    found = process.recall(where.units / SUPERVISOR_RECORD)
    if found is not None and found.digest != settings.digest(where):
        await found.stop(signal.SIGKILL)


async def await_socket(where: Layout, index: int) -> None:
    """Return when the supervisor answers; it needs a moment to import itself."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        with contextlib.suppress(control.NotRunning):
            await control.ask(socket_path(index), "units")
            return
        await asyncio.sleep(0.05)
    lines = "\n  ".join(process.tail(where.logs / "supervisor.log"))
    raise HypershiftError(f"the supervisor does not start; its last lines:\n  {lines}")


async def stop(where: Layout) -> None:
    """End the supervisor; what it kept running stays, and its guardian with that."""
    guarding = process.recall(where.units / GUARDIAN_RECORD)
    if guarding is not None:
        os.kill(guarding.pid, signal.SIGTERM)
    supervising = process.recall(where.units / SUPERVISOR_RECORD)
    if supervising is not None:
        await supervising.stop(signal.SIGTERM, grace=3.0)


async def await_end(where: Layout) -> None:
    """Return when the guardian has gone, which it does when nothing is left to care for."""
    guarding = process.recall(where.units / GUARDIAN_RECORD)
    if guarding is not None:
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(guarding.wait(), PATIENCE)
        await guarding.stop(signal.SIGKILL)
