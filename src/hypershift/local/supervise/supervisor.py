"""The supervisor: one process that keeps a cluster's units, machines and controllers running.

On SIGTERM it exits and leaves everything running; `local down` stops the rest by the records on
disk. So an orderly end and a crash are handled in the same way.
"""

import asyncio
import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any, cast

from hypershift.kit import HypershiftError
from hypershift.local.cluster import settings, state
from hypershift.local.cluster.settings import Settings
from hypershift.local.cluster.state import Layout, Spec
from hypershift.local.host.shared import socket_path
from hypershift.local.supervise import control, process
from hypershift.local.supervise.guard import INTERVAL, Guard
from hypershift.local.supervise.journal import Journal
from hypershift.local.supervise.keeper import SETTLED, Keeper, describe, summary
from hypershift.local.supervise.machines import Machines
from hypershift.local.supervise.process import rotate
from hypershift.local.supervise.trim import trim, trim_self
from hypershift.local.units import apiserver, units

ROTATION_INTERVAL = 30.0
CALM = 10


def _nobody() -> None:
    """Listens until controllers do."""


@dataclass(slots=True)
class Supervisor:
    """One cluster under supervision."""

    where: Layout
    spec: Spec
    settings: Settings
    journal: Journal
    keepers: dict[str, Keeper] = field(default_factory=dict)
    machines: Machines = field(init=False)
    guard: Guard = field(init=False)
    #: Called when a machine starts or ends.
    wake: Callable[[], None] = _nobody
    tasks: asyncio.TaskGroup = field(default_factory=asyncio.TaskGroup)

    def __post_init__(self) -> None:
        for unit in units(self.where, self.spec.plan, self.settings.binaries):
            self.keepers[unit.name] = Keeper(unit, self.where.units, self.where.logs, self.journal)
        self.machines = Machines(self.where, self.spec, self.journal, self._wake)
        self.guard = Guard(self.where, self.spec.plan, self.settings.nft)

    async def run(self) -> None:
        """Keep everything running until cancelled."""
        async with AsyncExitStack() as stack, self.tasks as tasks:
            server = await control.serve(socket_path(self.spec.index), self.handlers())
            stack.callback(server.close)
            for keeper in self.keepers.values():
                needs = tuple(self.keepers[name].ready for name in keeper.unit.needs)
                tasks.create_task(keeper.run(needs), name=keeper.unit.name)
            self.machines.adopt(tasks)
            tasks.create_task(self._control(), name="controllers")
            tasks.create_task(self._keep_guarding(), name="ports")
            tasks.create_task(self._rotate_logs(), name="logs")
            tasks.create_task(self._come_to_rest(), name="rest")

    def handlers(self) -> dict[str, control.Handler]:
        """What commands may ask."""
        return {
            "status": self.status,
            "units": self.units,
            "adopt": self.adopt,
            "kill": self.machines.power_off,
            "start": self.machines.power_on,
            "reboot": self.machines.reboot,
            "pause": self.machines.pause,
            "resume": self.machines.resume,
        }

    async def status(self) -> dict[str, Any]:
        """Every unit and machine, and the supervisor itself."""
        now = time.time()
        own = process.recall(self.where.units / "supervisor.json")
        return {
            "units": [describe(keeper, now) for keeper in self.keepers.values()],
            "machines": self.machines.describe(now),
            "supervisor": own.cost(now) if own else process.NO_COST,
        }

    async def units(self) -> list[dict[str, object]]:
        """How every unit is."""
        return [summary(keeper) for keeper in self.keepers.values()]

    async def adopt(self) -> list[str]:
        """Take care of machines that `local up` has just made."""
        spec = state.load(self.where)
        if spec is not None:
            self.machines.spec = spec
        await self._guard_ports()
        self.machines.adopt(self.tasks)
        return sorted(self.machines.keepers)

    def _wake(self) -> None:
        self.wake()

    async def _control(self) -> None:
        # Two thirds of this program are for these alone, and the API server takes longer than that.
        inside = await asyncio.to_thread(_read_calmly, "hypershift.local.supervise.inside")
        await self.keepers[apiserver.NAME].ready.wait()
        controllers = inside.Controllers(
            self.where, self.spec.plan, self.settings.nft, self.machines, self.journal
        )
        self.wake = controllers.wake
        told = inside.provider_settings(self.where, self.spec, self.settings)
        providing = inside.keep_providing(told, self.journal, self._guard_ports)
        await asyncio.gather(controllers.run(), providing)

    async def _guard_ports(self) -> None:
        """Bind each machine to its port before it is switched on; a failure is tried again."""
        try:
            await self.guard.look()
        except HypershiftError as error:
            self.journal.say("ports", "failed", error=str(error))

    async def _keep_guarding(self) -> None:
        while True:
            await self._guard_ports()
            await asyncio.sleep(INTERVAL)

    async def _come_to_rest(self) -> None:
        """Once the start is over, keep no memory for it, nor let the guardian."""
        await self.keepers[apiserver.NAME].ready.wait()
        await asyncio.sleep(SETTLED)
        trim_self()
        trim(os.getppid())

    async def _rotate_logs(self) -> None:
        while True:
            await asyncio.sleep(ROTATION_INTERVAL)
            for keeper in self.keepers.values():
                rotate(keeper.log)
            rotate(self.where.logs / "supervisor.log")


def _read_calmly(module: str) -> Any:
    """Import at low priority, which leaves the processors to the start of the cluster."""
    with suppress(PermissionError):
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), CALM)
    try:
        return import_module(module)
    finally:
        with suppress(PermissionError):
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), 0)


async def supervise(where: Layout) -> None:
    """Run until SIGTERM."""
    spec = state.load(where)
    if spec is None:
        return
    supervisor = Supervisor(where, spec, settings.load(where), Journal(where.events))
    task = asyncio.create_task(supervisor.run())
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, task.cancel)
    mine = process.identify(os.getpid(), settings.digest(where), time.time())
    if mine is not None:
        process.remember(where.units / "supervisor.json", mine)
    try:
        await task
    except asyncio.CancelledError:
        supervisor.journal.say("supervisor", "left")


def main(root: str, name: str) -> None:
    """Entry point of the supervisor's own process."""
    # structlog would use it for colours where it is installed; a daemon has no terminal.
    sys.modules.setdefault("rich", cast("ModuleType", None))
    asyncio.run(supervise(Layout(Path(root), name)))


if __name__ == "__main__":
    main(*sys.argv[1:])
