"""When Cluster API hears of a cluster: with its first node pool, or once it is available."""

import asyncio
from collections.abc import Awaitable, Callable

from tests.lib.planes import a_cluster, controllers, prepare
from tests.lib.stage import Stage, play
from tests.lib.workloads import Workloads

from hypershift.kit import Manifest
from hypershift.kube import Client, kinds

PLACE = "clusters-demo"
POOL: Manifest = {
    "apiVersion": kinds.NODE_POOL.api_version,
    "kind": kinds.NODE_POOL.kind,
    "metadata": {"name": "workers", "namespace": "clusters"},
    "spec": {"clusterName": "demo", "platform": {"type": "Local"}},
}


def staged(story: Callable[[Stage], Awaitable[None]], *, after: float = 30) -> None:
    """Run a story about a cluster whose control plane waits for its address."""

    async def whole(stage: Stage) -> None:
        await prepare(stage.user)
        stage.manage(*controllers())
        await stage.user.create(a_cluster("demo"))
        await asyncio.sleep(after)
        assert await stage.user.find(kinds.HOSTED_CONTROL_PLANE, "demo", PLACE)
        assert await known(stage.user) == (False, False)
        await story(stage)

    play(whole)


async def known(client: Client) -> tuple[bool, bool]:
    """Whether there is a Cluster, and ground for its machines."""
    clusters = await client.list(kinds.CAPI_CLUSTER, PLACE)
    return bool(clusters), bool(await client.list(kinds.LOCAL_CLUSTER, PLACE))


def test_the_first_pool_of_a_cluster_that_comes_up_does_not_wait() -> None:
    async def story(stage: Stage) -> None:
        await stage.user.create(POOL)
        await asyncio.sleep(1)
        assert await known(stage.user) == (True, True)

    staged(story, after=1)


def test_an_available_cluster_is_ready_for_pools() -> None:
    async def story(stage: Stage) -> None:
        stage.spawn(Workloads(stage.user).run())
        await asyncio.sleep(90)
        assert await known(stage.user) == (True, True)

    staged(story)
