"""The provider's process: controllers against the management cluster, and a look for orphans."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import asynccontextmanager, suppress
from typing import Any

from hypershift.kit import HypershiftError, key_of
from hypershift.kube import Client, kinds
from hypershift.local.provider import cloud, cluster, machine, template
from hypershift.local.provider.fleet import Fleet, Guard, unguarded
from hypershift.local.provider.settings import Settings
from hypershift.runtime import Controller, Manager, configure_logs, run_until_signal
from hypershift.runtime.logs import logger

MANAGER = "hypershift-local-provider"
#: How a manager is run: as a process with signals, or until cancelled.
Go = Callable[[Manager], Awaitable[None]]
#: Seconds between two looks for machines whose objects are gone.
SWEEP = 300.0


async def run(settings: Settings) -> None:
    """Run the provider until SIGTERM; the machines themselves keep running."""
    configure_logs()
    await provide(settings, run_until_signal)


async def provide(settings: Settings, go: Go = Manager.run, guard: Guard = unguarded) -> None:
    """Provide machines until cancelled, in any process; the machines keep running."""
    fleet = Fleet(settings, guard)
    async with (
        Client.connect(settings.kubeconfig, manager=MANAGER) as client,
        _beside(sweep_orphans(client, fleet)),
    ):
        await go(Manager(client, controllers(fleet)))


def controllers(fleet: Fleet) -> tuple[Controller[Any], ...]:
    """All of them."""
    return (
        cluster.controller(fleet.settings),
        machine.controller(fleet),
        template.CONTROLLER,
        cloud.controller(fleet),
    )


async def sweep_orphans(client: Client, fleet: Fleet, every: float = SWEEP) -> None:
    """Periodically destroy machines whose objects were deleted without us.

    Only a complete answer of the API server counts: after an error nothing is destroyed.
    """
    log = logger(controller=MANAGER)
    while True:
        with suppress(HypershiftError, OSError):
            machines = tuple(fleet.all())
            known = {key_of(one) for one in await client.list(kinds.LOCAL_MACHINE)}
            for name in await fleet.prune(machines, known):
                log.info("orphan destroyed", machine=name)
        await asyncio.sleep(every)


@asynccontextmanager
async def _beside(work: Coroutine[None, None, None]) -> AsyncIterator[None]:
    task = asyncio.create_task(work)
    try:
        yield
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
