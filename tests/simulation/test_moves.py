"""The side that a cluster moves away from, with the real operators: it holds still, or runs again.

A paused control plane whose API servers are stopped must stay so, whatever dies. When it is let go
it must run as before; deleted in that state, nothing may be left of it.
"""

import asyncio
from collections.abc import Awaitable, Callable

import pytest
from tests.lib.planes import Operator, a_cluster, prepare
from tests.lib.sim.faults import crashes
from tests.lib.sim.schedule import run_quietly
from tests.lib.sim.world import World
from tests.lib.workloads import Workloads

from hypershift.cli.cluster.wait import Progress
from hypershift.cli.recovery import source as sources
from hypershift.cli.recovery.source import Source
from hypershift.kit import Key, annotations_of
from hypershift.kube import kinds
from hypershift.runtime import is_true

QUIET, MOST = 60.0, 3000.0
PLACE, SERVER = "clusters-blue", "kube-apiserver"
#: From here on the operator dies again and again.
FAULTS = crashes(80, first=120, every=6.3)
Act = Callable[[Source, World], Awaitable[None]]


def tell(act: Act, policy: str) -> None:
    run_quietly(_tell(act, policy))


async def _tell(act: Act, policy: str) -> None:
    world = World(7, list, FAULTS)
    workloads = Workloads(world.client("player"), lambda: world.changes)
    world.processes = [Operator(world, 0)]
    user = world.client("user")
    await prepare(user)
    world.start()
    world.spawn(workloads.run(), "player")
    try:
        await user.create(a_cluster("blue", controllerAvailabilityPolicy=policy))
        assert await world.settle(quiet=QUIET, most=MOST)
        source = Source(user, Key("clusters", "blue"), "another", Progress())
        await sources.pause(source)
        await sources.stop_api(source)
        await act(source, world)
        assert await world.second_look(QUIET) == 0
    finally:
        await world.stop()


async def replicas(source: Source) -> int:
    found = await source.client.get(kinds.DEPLOYMENT, SERVER, PLACE)
    return int(found["spec"]["replicas"])


@pytest.mark.parametrize("policy", ["SingleReplica", "HighlyAvailable"])
def test_stopped_servers_stay_stopped_and_run_again_when_they_are_let_go(policy: str) -> None:
    async def act(source: Source, world: World) -> None:
        for _ in range(40):
            await asyncio.sleep(10)
            assert await replicas(source) == 0
        await sources.release(source)
        assert await world.settle(quiet=QUIET, most=MOST)
        assert await replicas(source) == (1 if policy == "SingleReplica" else 3)
        found = await source.client.get(kinds.HOSTED_CLUSTER, "blue", "clusters")
        assert is_true(found, "Available")
        assert "hypershift.openshift.io/moving-to" not in annotations_of(found)
        deployment = await source.client.get(kinds.DEPLOYMENT, SERVER, PLACE)
        assert sources.REPLICAS not in annotations_of(deployment)

    tell(act, policy)


def test_a_stopped_cluster_goes_without_a_trace() -> None:
    async def act(source: Source, world: World) -> None:
        await asyncio.sleep(200)
        await sources.retire(source)
        assert await world.settle(quiet=QUIET, most=MOST)
        for kind in (kinds.HOSTED_CLUSTER, kinds.HOSTED_CONTROL_PLANE, kinds.DEPLOYMENT):
            assert list(world.server.all(kind)) == []
        assert await source.client.find(kinds.NAMESPACE, PLACE) is None

    tell(act, "HighlyAvailable")
