"""Keeps the management cluster's machines running, and does to them what their user asks."""

import asyncio
import contextlib
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from hypershift.kit import HypershiftError, UsageError
from hypershift.local.cluster import state
from hypershift.local.cluster.plan import node_names
from hypershift.local.cluster.state import Layout, Spec
from hypershift.local.machine import Machine, State
from hypershift.local.supervise.journal import Journal
from hypershift.local.supervise.keeper import RECOVERED, delay
from hypershift.local.supervise.process import memory_of

SHUTDOWN_GRACE = 8.0


@dataclass(slots=True)
class MachineKeeper:
    """One machine: powered on unless its user switched it off."""

    name: str
    machine: Machine
    journal: Journal
    #: Called whenever the machine starts or ends.
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
        age = round(now - self.booted_at, 1) if self.booted_at and not self.dead else 0
        return {**seen(self.name, self.machine), "age": age, "restarts": self.restarts}


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
            for name in node_names(self.spec.name, self.spec.nodes)
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
        for keeper in self._nodes(names):
            keeper.on.clear()
        self._remember(names, on=False)
        await asyncio.gather(*(machine.kill() for machine in self._machines(names)))

    async def power_on(self, names: list[str]) -> None:
        """Switch machines on that were off."""
        self._remember(names, on=True)
        for keeper in self._nodes(names):
            keeper.on.set()
        await asyncio.gather(*(machine.boot() for machine in self._hosted(names)))

    async def reboot(self, names: list[str]) -> None:
        """Shut down in order, then on again; a machine that is off is just switched on."""
        for keeper in self._nodes(names):
            keeper.on.clear()
        machines = self._machines(names)
        await asyncio.gather(*(machine.shutdown(SHUTDOWN_GRACE) for machine in machines))
        await self.power_on(names)

    async def pause(self, names: list[str]) -> None:
        """Freeze machines as they are."""
        for machine in self._machines(names):
            machine.pause()

    async def resume(self, names: list[str]) -> None:
        """Resume frozen machines."""
        for machine in self._machines(names):
            machine.resume()

    def describe(self, now: float) -> list[dict[str, Any]]:
        """Every machine of the cluster: its nodes, and those of hosted clusters."""
        own = [keeper.describe(now) for keeper in self.keepers.values()]
        return [
            *own,
            *(seen(name, machine) for name, machine in sorted(hosted(self.where).items())),
        ]

    def _nodes(self, names: list[str]) -> list[MachineKeeper]:
        self._machines(names)  # all or nothing: a name that is wrong stops the command
        return [self.keepers[name] for name in names if name in self.keepers]

    def _hosted(self, names: list[str]) -> list[Machine]:
        found = hosted(self.where)
        return [found[name] for name in names if name in found]

    def _machines(self, names: list[str]) -> list[Machine]:
        known = hosted(self.where) | {name: keeper.machine for name, keeper in self.keepers.items()}
        for name in names:
            if name not in known:
                listed = ", ".join(sorted(known)) or "none"
                raise UsageError(f"there is no machine {name}; there are: {listed}")
        return [known[name] for name in names]

    def _remember(self, names: list[str], *, on: bool) -> None:
        for keeper in self._nodes(names):
            self.spec = state.with_power(self.spec, keeper.name, on=on)
        state.save(self.where, self.spec)


def hosted(where: Layout) -> dict[str, Machine]:
    """The machines of hosted clusters, by the name that the host gives them."""
    found: dict[str, Machine] = {}
    for path in sorted(where.hosted.glob("*/spec.json")):
        with contextlib.suppress(HypershiftError, OSError, ValueError):
            found[path.parent.name] = Machine.load(path.parent)
    return found


def seen(name: str, machine: Machine) -> dict[str, Any]:
    """What `local status` shows of a machine."""
    status, spec = machine.status(), machine.spec
    return {
        "name": name,
        "state": str(status.state),
        "zone": spec.metadata.zone,
        "address": spec.network.address.partition("/")[0],
        "pid": status.pid or 0,
        "age": 0,
        "restarts": 0,
        "memory": sum(memory_of(pid) for pid in machine.pids()),
        "cpuSeconds": status.cpu_seconds,
    }
