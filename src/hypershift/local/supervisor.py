"""The supervisor: one quiet process that keeps a cluster's units, machines and controllers running.

It is told to end with SIGTERM and leaves everything running then; `local down` stops the rest by
the records on disk. So there is one way to end, whether it was asked to or killed.
"""

import asyncio
import signal
import sys
import time
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from hypershift.local import control, process, settings, state
from hypershift.local.hostwide import socket_path
from hypershift.local.journal import Journal
from hypershift.local.keeper import Keeper, describe
from hypershift.local.process import rotate
from hypershift.local.settings import Settings
from hypershift.local.state import Layout, Spec
from hypershift.local.units import units

ROTATION_INTERVAL = 30.0


@dataclass(slots=True)
class Supervisor:
    """One cluster under supervision."""

    where: Layout
    spec: Spec
    settings: Settings
    journal: Journal
    keepers: dict[str, Keeper] = field(default_factory=dict)

    async def run(self) -> None:
        """Keep everything running until cancelled."""
        for unit in units(self.where, self.spec.plan, self.settings.binaries):
            self.keepers[unit.name] = Keeper(unit, self.where.units, self.where.logs, self.journal)
        async with AsyncExitStack() as stack, asyncio.TaskGroup() as tasks:
            server = await control.serve(socket_path(self.spec.index), self.handlers())
            stack.push_async_callback(server.wait_closed)
            stack.callback(server.close)
            for keeper in self.keepers.values():
                needs = tuple(self.keepers[name].ready for name in keeper.unit.needs)
                tasks.create_task(keeper.run(needs), name=keeper.unit.name)
            tasks.create_task(self._rotate_logs(), name="logs")

    def handlers(self) -> dict[str, control.Handler]:
        """What commands may ask."""
        return {"status": self.status}

    async def status(self) -> dict[str, Any]:
        """Every unit with its process."""
        now = time.time()
        return {"units": [describe(keeper, now) for keeper in self.keepers.values()]}

    async def _rotate_logs(self) -> None:
        while True:
            await asyncio.sleep(ROTATION_INTERVAL)
            for keeper in self.keepers.values():
                rotate(keeper.log)


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
    mine = process.identify(_own_pid())
    if mine is not None:
        process.remember(where.units / "supervisor.json", mine)
    try:
        await task
    except asyncio.CancelledError:
        supervisor.journal.say("supervisor", "left")


def _own_pid() -> int:
    return int(Path("/proc/self").readlink().name)


def main(root: str, name: str) -> None:
    """Entry point of the supervisor's own process."""
    asyncio.run(supervise(Layout(Path(root), name)))


if __name__ == "__main__":
    main(*sys.argv[1:])
