"""Keeps the management cluster's machines running, and does to them what their user asks."""

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from hypershift.kit import HypershiftError, UsageError
from hypershift.local import node, state
from hypershift.local.journal import Journal
from hypershift.local.keeper import RECOVERED, delay
from hypershift.local.machine import Machine, State
from hypershift.local.state import Layout, Spec

SHUTDOWN_GRACE = 8.0


@dataclass(slots=True)
class MachineKeeper:
    """One machine: powered on unless its user switched it off."""

    name: str
    machine: Machine
    journal: Journal
    #: Told whenever the machine comes or goes.
    changed: Callable[[], None]
    on: asyncio.Event = field(default_factory=asyncio.Event)
    restarts: int = 0
    booted_at: float = 0.0

    @property
    def dead(self) -> bool:
        """Whether nothing of the machine runs: then its node is out of service."""
        return self.machine.status().state in (State.STOPPED, State.ABSENT)

    async def run(self) -> None:
        """Keep the machine running until cancelled; the machine itself is left alone then."""
        failures = 0
        while True:
            await self.on.wait()
            began = time.monotonic()
            try:
                await self._run_once()
            except HypershiftError as error:
                self.journal.say(self.name, "failed", error=str(error))
            self.changed()
            if self.on.is_set():
                failures = 0 if time.monotonic() - began > RECOVERED else failures + 1
                self.restarts += 1
                await asyncio.sleep(delay(failures))

    async def _run_once(self) -> None:
        if self.dead:
            began = time.monotonic()
            await self.machine.boot()
            await self.machine.booted()
            seconds = round(time.monotonic() - began, 2)
            self.journal.say(self.name, "booted", seconds=seconds)
        else:
            self.journal.say(self.name, "adopted")
        self.booted_at = time.time()
        self.changed()
        await self.machine.wait()
        self.journal.say(self.name, "off")

    def describe(self, now: float) -> dict[str, Any]:
        """What `local status` shows of the machine."""
        seen = self.machine.status()
        spec = self.machine.spec
        return {
            "name": self.name,
            "state": str(seen.state),
            "zone": spec.metadata.zone,
            "address": spec.network.address.partition("/")[0],
            "pid": seen.pid or 0,
            "age": round(now - self.booted_at, 1) if seen.pid and self.booted_at else 0,
            "restarts": self.restarts,
            "memory": seen.memory,
            "cpuSeconds": seen.cpu_seconds,
        }


@dataclass(slots=True)
class Machines:
    """All machines that are nodes of the management cluster."""

    where: Layout
    spec: Spec
    journal: Journal
    changed: Callable[[], None]
    keepers: dict[str, MachineKeeper] = field(default_factory=dict)

    @property
    def dead(self) -> frozenset[str]:
        """The nodes whose machines do not run."""
        return frozenset(name for name, keeper in self.keepers.items() if keeper.dead)

    def known(self) -> list[str]:
        """The nodes whose machines were made already."""
        return [
            name
            for name in node.names(self.spec)
            if (self.where.machines / name / "spec.json").exists()
        ]

    def adopt(self, tasks: asyncio.TaskGroup) -> None:
        """Take care of machines that were made since the last look."""
        for name in self.known():
            if name not in self.keepers:
                machine = Machine.load(self.where.machines / name)
                keeper = MachineKeeper(name, machine, self.journal, self.changed)
                if name not in self.spec.powered_off:
                    keeper.on.set()
                self.keepers[name] = keeper
                tasks.create_task(keeper.run(), name=name)

    async def power_off(self, names: list[str]) -> None:
        """Cut the power, and leave it off."""
        for name in names:
            self._find(name).on.clear()
        self._remember(names, on=False)
        await asyncio.gather(*(self._find(name).machine.kill() for name in names))

    async def power_on(self, names: list[str]) -> None:
        """Switch machines on that were off."""
        self._remember(names, on=True)
        for name in names:
            self._find(name).on.set()

    async def reboot(self, names: list[str]) -> None:
        """Shut down in order, then on again; a machine that is off is just switched on."""
        keepers = [self._find(name) for name in names]
        for keeper in keepers:
            keeper.on.clear()
        await asyncio.gather(*(keeper.machine.shutdown(SHUTDOWN_GRACE) for keeper in keepers))
        await self.power_on(names)

    async def pause(self, names: list[str]) -> None:
        """Freeze machines as they are."""
        for name in names:
            self._find(name).machine.pause()

    async def resume(self, names: list[str]) -> None:
        """Let frozen machines go on."""
        for name in names:
            self._find(name).machine.resume()

    def _find(self, name: str) -> MachineKeeper:
        if name not in self.keepers:
            known = ", ".join(sorted(self.keepers)) or "none"
            raise UsageError(f"there is no machine {name}; the cluster's nodes are: {known}")
        return self.keepers[name]

    def _remember(self, names: list[str], *, on: bool) -> None:
        for name in names:
            self._find(name)
            self.spec = state.with_power(self.spec, name, on=on)
        state.save(self.where, self.spec)
