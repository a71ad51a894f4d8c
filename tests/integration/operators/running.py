"""The operators of a world: one, or several that share its clusters."""

import asyncio
from dataclasses import dataclass, field
from typing import Any

from tests.integration.operators.samples import Releases
from tests.integration.operators.world import World
from tests.lib.server import RealServer

from hypershift.controlplane import catalog
from hypershift.kube import Client, Request, Response, kinds
from hypershift.kube.transport import WRITES
from hypershift.operators import controlplane
from hypershift.operators.hypershift import Settings, hosted_cluster
from hypershift.process.bench import ROUTES, served_groups
from hypershift.runtime import Controller, Manager, Sharding


@dataclass
class Replicas:
    """Operators that share the clusters of a world, and what each of them wrote."""

    server: RealServer
    world: World
    running: dict[str, tuple[Manager, "asyncio.Task[None]"]] = field(default_factory=dict)
    wrote: dict[str, list[str]] = field(default_factory=dict)

    async def start(self, name: str) -> Manager:
        client = self.server.client("operator")
        transport, wrote = client.transport, self.wrote.setdefault(name, [])
        send = transport.request

        async def request(request: Request) -> Response:
            if request.method in WRITES:
                wrote.append(request.path)
            return await send(request)

        transport.request = request  # type: ignore[method-assign]  # a witness, for this test
        sharding = Sharding("shards", "hypershift", name, renew_deadline=12.0, retry=0.5)
        manager = await operators(client, self.world, sharding=sharding)
        self.running[name] = manager, asyncio.create_task(manager.run())
        return manager

    async def stop(self, name: str) -> None:
        manager, running = self.running.pop(name)
        manager.stop()
        await asyncio.gather(running, return_exceptions=True)
        await manager.client.close()


async def operators(client: Client, world: World, **options: Any) -> Manager:
    groups = await served_groups(client)
    releases = Releases()
    clusters = hosted_cluster.Environment(Settings(), releases, routes=ROUTES in groups)
    planes = controlplane.Environment(
        controlplane.Settings(), releases, catalog, groups, world.check
    )
    controllers: list[Controller[Any]] = [
        hosted_cluster.controller(clusters),
        controlplane.controller(planes),
    ]
    return Manager(client, controllers, **options)


async def clean(world: World) -> None:
    """Delete every cluster of a test, so that the next one finds an empty world."""
    for found in await world.client.list(kinds.HOSTED_CLUSTER):
        await world.client.delete(kinds.HOSTED_CLUSTER, found["metadata"]["name"], "clusters")

    async def gone() -> bool:
        return not await world.client.list(kinds.HOSTED_CLUSTER)

    await world.until(gone, 60, "clusters are gone")
