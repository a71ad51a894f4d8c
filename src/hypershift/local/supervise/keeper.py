"""Keeps one unit running: adopts or starts it, sees that it serves, starts it again."""

import asyncio
import contextlib
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from hypershift.local.supervise import process as processes
from hypershift.local.supervise.journal import Journal
from hypershift.local.supervise.probe import serves
from hypershift.local.supervise.process import Process
from hypershift.local.supervise.trim import trim
from hypershift.local.units.unit import Unit

FIRST_DELAY = 0.2
LONGEST_DELAY = 10.0
#: A unit that ran this long has recovered: its next failure is a first one again.
RECOVERED = 60.0
PROBE_INTERVAL = 0.1
#: When a cluster that starts has come to rest.
SETTLED = 15.0


def delay(failures: int) -> float:
    """How long to wait before the next start."""
    return float(min(LONGEST_DELAY, FIRST_DELAY * 2 ** min(failures, 10)))


@dataclass(slots=True)
class Keeper:
    """One unit and its present process."""

    unit: Unit
    records: Path
    logs: Path
    journal: Journal
    clock: Callable[[], float] = time.time
    process: Process | None = None
    restarts: int = 0
    ready: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def record(self) -> Path:
        return self.records / f"{self.unit.name}.json"

    @property
    def log(self) -> Path:
        return self.logs / f"{self.unit.name}.log"

    async def run(self, needs: tuple[asyncio.Event, ...] = ()) -> None:
        """Keep the unit running until cancelled; the process itself is left alone then."""
        failures = 0
        while True:
            for event in needs:
                await event.wait()
            self.process = await self._adopted() or self._started()
            began = self.clock()
            await self._serve_until_it_ends(self.process)
            self.ready.clear()
            failures = 0 if self.clock() - began > RECOVERED else failures + 1
            self.restarts += 1
            pause = delay(failures - 1)
            lines = processes.tail(self.log, 5)
            self.journal.say(self.unit.name, "ended", restarts=self.restarts, last=lines)
            await asyncio.sleep(pause)

    async def _adopted(self) -> Process | None:
        found = processes.recall(self.record)
        if found is None:
            return None
        if found.digest != self.unit.digest:
            self.journal.say(self.unit.name, "changed")
            await found.stop(self.unit.stop_signal, self.unit.grace)
            return None
        self.journal.say(self.unit.name, "adopted", pid=found.pid)
        return found

    def _started(self) -> Process:
        processes.rotate(self.log)
        started = processes.start(self.unit, self.log, self.clock())
        processes.remember(self.record, started)
        self.journal.say(self.unit.name, "started", pid=started.pid)
        return started

    async def _serve_until_it_ends(self, process: Process) -> None:
        watching = asyncio.create_task(self._become_ready())
        try:
            await process.wait()
        finally:
            watching.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await watching

    async def _become_ready(self) -> None:
        began = self.clock()
        while self.unit.probe is not None and not await serves(self.unit.probe):  # noqa: ASYNC110 - another process
            await asyncio.sleep(PROBE_INTERVAL)
        self.ready.set()
        self.journal.say(self.unit.name, "ready", seconds=round(self.clock() - began, 2))
        if self.unit.quiet and self.process is not None:
            await asyncio.sleep(SETTLED)
            trim(self.process.pid)


def summary(keeper: Keeper) -> dict[str, object]:
    """The state of a unit, computed cheaply: callers that wait for it ask ten times a second."""
    process = keeper.process
    running = process is not None and process.alive
    return {
        "name": keeper.unit.name,
        "state": "ready" if keeper.ready.is_set() else "starting" if running else "down",
        "restarts": keeper.restarts,
    }


def describe(keeper: Keeper, now: float) -> dict[str, object]:
    """What `local status` shows of a unit."""
    process = keeper.process
    running = process if process is not None and process.alive else None
    return {**summary(keeper), **(running.cost(now) if running else processes.NO_COST)}
