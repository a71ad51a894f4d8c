"""What it costs to look at 1,000 objects with 20 children each when nothing changed."""

import asyncio
import random
import time
from collections.abc import Iterator
from typing import Any

from tests.bench.figure import Figure
from tests.lib.sim.schedule import quiet_logs
from tests.lib.sim.server import SimServer
from tests.lib.sim.transport import SimTransport

from hypershift.kit import Manifest
from hypershift.kube import Client, Request, Resource, Response, kinds
from hypershift.runtime import Controller, Done, Manager, Outcome, Scope, Watch, mapping

OBJECTS, CHILDREN = 1000, 20
OWNER = Resource("bench.hypershift.io", "v1", "owners", "Owner")


class Counted(SimTransport):
    """Counts requests."""

    count = 0

    async def request(self, request: Request) -> Response:
        self.count += 1
        return await super().request(request)


def child(scope: Scope, number: int) -> Manifest:
    metadata = {
        "name": f"{scope.key.name}-{number}",
        "namespace": "default",
        "labels": {"owner": scope.key.name},
    }
    data = {"number": str(number), "text": "x" * 200}
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata, "data": data}


async def apply_children(scope: Scope) -> Outcome:
    for number in range(CHILDREN):
        await scope.kube.apply(child(scope, number))
    return Done()


CONTROLLER = Controller(
    name="owner",
    resource=OWNER,
    scope=Scope,
    normal=(apply_children,),
    watches=(Watch(kinds.CONFIG_MAP, mapping.by_label("owner")),),
)


async def measure() -> tuple[int, float]:
    server = SimServer(show_managed_fields=False)
    server.catalog.add(OWNER)
    user = Client(SimTransport(server))
    for number in range(OBJECTS):
        metadata = {"name": f"o{number}", "namespace": "default"}
        owner = {"apiVersion": OWNER.api_version, "kind": OWNER.kind, "metadata": metadata}
        await user.create(owner)
    transport = Counted(server)
    manager = Manager(Client(transport), [CONTROLLER], rng=random.Random(0))  # noqa: S311 (jitter)
    running = asyncio.create_task(manager.run())
    await asyncio.sleep(1)
    await _idle(manager)
    before, started = transport.count, time.process_time()
    manager.runners["owner"].resync()
    await _idle(manager)
    spent = time.process_time() - started
    requests = transport.count - before
    manager.stop()
    await running
    return requests, spent


async def _idle(manager: Manager) -> Any:
    quiet = 0
    while quiet < 3:
        await asyncio.sleep(0.05)
        quiet = quiet + 1 if manager.runners["owner"].queue.idle else 0


def figures() -> Iterator[Figure]:
    with quiet_logs():
        requests, spent = asyncio.run(measure())
    yield Figure("no-op pass over 1,000 x 20: requests", requests, "", most=0)
    yield Figure("no-op pass over 1,000 x 20: CPU", spent, "s")
