"""A pool of 500 nodes: its status is right, and watching them costs the operator little."""

import asyncio
import random
import time
from collections.abc import Iterator

from tests.bench.figure import Figure
from tests.lib.sim.pools import people
from tests.lib.sim.schedule import quiet_logs
from tests.lib.sim.server import SimServer
from tests.lib.sim.transport import SimTransport

from hypershift.kit import Manifest
from hypershift.kube import Client, kinds
from hypershift.operators.hypershift import node_pool
from hypershift.operators.hypershift.node_pool import names
from hypershift.runtime import Manager

NODES, POOL = 500, "replace"
PLACE = (kinds.NODE_POOL, POOL, people.NAMESPACE)


def machine(number: int, deployment: Manifest) -> Manifest:
    template = deployment["spec"]["template"]
    return {
        "apiVersion": kinds.MACHINE.api_version,
        "kind": "Machine",
        "metadata": {
            "name": f"{POOL}-{number}",
            "namespace": people.PLANE,
            "annotations": template["metadata"]["annotations"],
        },
        "spec": template["spec"],
    }


def status(healthy: bool, beat: int = 0) -> Manifest:  # noqa: FBT001 - the machine's state
    conditions = [
        {"type": kind, "status": str(healthy), "reason": "Bench", "message": f"beat {beat}"}
        for kind in ("Ready", "InfrastructureReady", "NodeHealthy")
    ]
    return {"conditions": conditions, "nodeInfo": {"kubeletVersion": f"v{people.VERSIONS[0]}"}}


class Bench:
    """A simulated server with a pool, and the operator on it."""

    def __init__(self) -> None:
        self.server = SimServer(show_managed_fields=False)
        self.user = Client(SimTransport(self.server, name="user"))
        controllers = node_pool.controllers(node_pool.Environment(people.Releases()))
        client = Client(SimTransport(self.server, name="operator"), manager="bench")
        self.manager = Manager(client, controllers, rng=random.Random(0))  # noqa: S311 - jitter

    async def tell(self, *, healthy: bool, beat: int = 0) -> float:
        """Let every machine say something; the CPU until the operator is idle again."""
        begin = time.process_time()
        for number in range(NODES):
            name, said = f"{POOL}-{number}", {"status": status(healthy, beat)}
            await self.user.patch(kinds.MACHINE, name, said, people.PLANE, subresource="status")
        await self.rest()
        return time.process_time() - begin

    async def rest(self) -> None:
        quiet = 0
        while quiet < 5:
            await asyncio.sleep(0.05)
            runners = getattr(self.manager, "runners", {})
            idle = all(one.queue.idle for one in runners.values())
            quiet = quiet + 1 if idle and runners else 0

    async def pool(self) -> Manifest:
        kind, name, namespace = PLACE
        return await self.user.get(kind, name, namespace)

    async def grow(self) -> None:
        """Have the pool's machines made, and its deployment say so."""
        live: Manifest | None = None
        while live is None:
            await asyncio.sleep(0.05)
            live = await self.user.find(kinds.MACHINE_DEPLOYMENT, POOL, people.PLANE)
        for number in range(NODES):
            await self.user.create(machine(number, live))
        counts = dict.fromkeys(("replicas", "upToDateReplicas", "availableReplicas"), NODES)
        said = {"status": counts | {"observedGeneration": live["metadata"]["generation"]}}
        await self.user.patch(
            kinds.MACHINE_DEPLOYMENT, POOL, said, people.PLANE, subresource="status"
        )


async def measure() -> tuple[int, float, float]:
    """Whether the status was right each time, and the CPU with and without the operator."""
    bench = Bench()
    await people.User(bench.user, random.Random(0)).prepare()  # noqa: S311 - a user of habits
    await bench.user.create(people.pool(POOL, NODES))
    running = asyncio.create_task(bench.manager.run())
    await bench.grow()
    wrong = 0
    await bench.tell(healthy=True)
    wrong += not _says(await bench.pool(), ready=NODES)
    await bench.tell(healthy=False)
    wrong += not _says(await bench.pool(), ready=0)
    await bench.tell(healthy=True)
    wrong += not _says(await bench.pool(), ready=NODES)
    watched = await bench.tell(healthy=True, beat=1)
    bench.manager.stop()
    await running
    return wrong, watched, await bench.tell(healthy=True, beat=2)


def _says(pool: Manifest, *, ready: int) -> bool:
    found = pool["status"]
    (version,) = found["nodesInfo"]["nodeVersions"]
    counts = (version["readyNodeCount"], version["unreadyNodeCount"])
    told = {one["type"]: one for one in found["conditions"]}
    healthy = told["AllNodesHealthy"]["status"] == str(ready == NODES)
    short = len(told["AllNodesHealthy"].get("message", "")) < 3000
    marked = names.CURRENT_CONFIG in pool["metadata"]["annotations"]
    return counts == (ready, NODES - ready) and healthy and short and marked


def figures() -> Iterator[Figure]:
    with quiet_logs():
        wrong, watched, alone = asyncio.run(measure())
    yield Figure("500 nodes: pool statuses that were wrong", wrong, "", most=0)
    cost = (watched - alone) / NODES * 1000
    yield Figure("500 nodes: operator CPU for a change of one machine", cost, "ms")
