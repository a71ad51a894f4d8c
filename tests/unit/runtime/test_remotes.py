"""Other clusters: a change there wakes a key here; connections come, change and go."""

import asyncio

from tests.lib.sim.server import SimServer
from tests.lib.sim.transport import SimTransport
from tests.lib.stage import Stage, play

from hypershift.kit import Key
from hypershift.kube import Client, Resource, kinds
from hypershift.runtime import Controller, Done, Outcome, Scope, Watch

CLUSTER = Resource("test.io", "v1", "clusters", "Cluster")


def nodes_of(key: Key) -> Watch:
    return Watch(kinds.NODE, lambda _: [key])


async def count_nodes(scope: Scope) -> Outcome:
    config = str(scope.spec["kubeconfig"]).encode()
    guest = await scope.context.remotes.connect(scope.key.name, config, (nodes_of(scope.key),))
    scope.status["nodes"] = len(await guest.list(kinds.NODE))
    return Done()


async def disconnect(scope: Scope) -> Outcome:
    await scope.context.remotes.drop(scope.key.name)
    return Done()


CONTROLLER = Controller(
    name="cluster",
    resource=CLUSTER,
    scope=Scope,
    normal=(count_nodes,),
    delete=(disconnect,),
    finalizer="test.io/cluster",
)


async def join(server: SimServer, name: str) -> None:
    node = {"apiVersion": "v1", "kind": "Node", "metadata": {"name": name}}
    await Client(SimTransport(server)).create(node)


def test_a_node_that_joins_there_is_counted_here() -> None:
    async def story(stage: Stage) -> None:
        guests = {b"one": SimServer(), b"two": SimServer(), b"new": SimServer()}
        opened: list[bytes] = []

        def connect(config: bytes) -> Client:
            opened.append(config)
            return Client(SimTransport(guests[config]))

        stage.manage(CONTROLLER, remote_client=connect)
        await stage.create(CLUSTER, "a", spec={"kubeconfig": "one"})
        await stage.create(CLUSTER, "b", spec={"kubeconfig": "two"})
        await asyncio.sleep(5)
        await join(guests[b"one"], "n1")
        await asyncio.sleep(5)
        assert _nodes(stage, "a") == 1
        assert _nodes(stage, "b") == 0
        assert sorted(opened) == [b"one", b"two"]

        await join(guests[b"new"], "x1")
        await join(guests[b"new"], "x2")
        await stage.user.patch(CLUSTER, "a", {"spec": {"kubeconfig": "new"}}, "default")
        await asyncio.sleep(5)
        assert _nodes(stage, "a") == 2
        assert guests[b"one"].watches == {}

        await stage.user.delete(CLUSTER, "a", "default")
        await stage.user.delete(CLUSTER, "b", "default")
        await asyncio.sleep(5)
        assert guests[b"new"].watches == {}
        assert guests[b"two"].watches == {}

    play(story, kinds=[CLUSTER])


def _nodes(stage: Stage, name: str) -> int:
    found = stage.server.find(CLUSTER, name, "default")
    assert found is not None
    return int(found["status"]["nodes"])
