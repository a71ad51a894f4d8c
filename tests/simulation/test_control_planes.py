"""HostedCluster and HostedControlPlane controllers in a world where everything goes wrong.

A seed is a story: users create, change and delete clusters while requests fail, watches break and
processes die. Whatever happened, in the end every cluster is as it says, a second look writes
nothing, and of deleted clusters nothing is left.
"""

import asyncio
import os
import random
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import pytest
from tests.lib import virtual
from tests.lib.planes import (
    NEW,
    Operator,
    a_cluster,
    controllers,
    encrypted,
    named,
    prepare,
)
from tests.lib.sim.faults import Fault, Kind, drawn
from tests.lib.sim.schedule import quiet_logs
from tests.lib.sim.world import World, stream
from tests.lib.workloads import Workloads

from hypershift.api import annotations
from hypershift.kit import annotations_of
from hypershift.kube import ApiError, Client, kinds
from hypershift.kube.resource import Resource
from hypershift.runtime import is_true

STORY, QUIET, MOST = 40.0, 100.0, 3000.0
NAMES = ("blue", "green")
#: A story of clusters takes about a second.
SEEDS = max(5, int(os.environ.get("HYPERSHIFT_SEEDS", "40")) // 3)
FIRST = int(os.environ.get("HYPERSHIFT_FIRST_SEED", "0"))
#: Kinds of which nothing may be left when every cluster is gone.
OURS: tuple[Resource, ...] = (
    kinds.HOSTED_CLUSTER,
    kinds.HOSTED_CONTROL_PLANE,
    kinds.CONTROL_PLANE_COMPONENT,
    kinds.DEPLOYMENT,
    kinds.STATEFUL_SET,
    kinds.SERVICE,
    kinds.NETWORK_POLICY,
    kinds.CAPI_CLUSTER,
    kinds.LOCAL_CLUSTER,
)


class User:
    """Somebody who changes their mind, and sometimes meddles."""

    def __init__(self, client: Client, rng: random.Random) -> None:
        self._client, self._rng = client, rng

    async def live(self) -> None:
        for moment in sorted(self._rng.uniform(0, STORY) for _ in range(9)):
            await asyncio.sleep(max(0.0, moment - asyncio.get_running_loop().time()))
            act = self._rng.choice(
                (
                    self._create,
                    self._create,
                    self._upgrade,
                    self._change_key,
                    self._meddle,
                    self._delete,
                )
            )
            with suppress(ApiError):
                await act(self._rng.choice(NAMES))

    async def _create(self, name: str) -> None:
        policy = "HighlyAvailable" if name == "blue" else "SingleReplica"
        key = encrypted(self._rng.choice("ab"))
        wish = a_cluster(name, controllerAvailabilityPolicy=policy, secretEncryption=key)
        if self._rng.random() < 0.5:
            wish["spec"]["services"] = named(name)
        await self._client.create(wish)

    async def _upgrade(self, name: str) -> None:
        patch = {"spec": {"release": {"image": NEW}}}
        await self._client.patch(kinds.HOSTED_CLUSTER, name, patch, "clusters")

    async def _change_key(self, name: str) -> None:
        patch = {"spec": {"secretEncryption": encrypted(self._rng.choice("ab"))}}
        await self._client.patch(kinds.HOSTED_CLUSTER, name, patch, "clusters")

    async def _meddle(self, name: str) -> None:
        namespace = f"clusters-{name}"
        resource, victim = self._rng.choice(
            (
                (kinds.SECRET, "kas-server-crt"),
                (kinds.SERVICE, "kube-apiserver"),
                (kinds.SERVICE, "router"),
                (kinds.DEPLOYMENT, "router"),
                (kinds.NETWORK_POLICY, "kas"),
                (kinds.STATEFUL_SET, "etcd"),
                (kinds.CONTROL_PLANE_COMPONENT, "etcd"),
            )
        )
        await self._client.delete(resource, victim, namespace)
        patch = {"spec": {"channel": "mine", "releaseImage": "example.com/mine"}}
        await self._client.patch(kinds.HOSTED_CONTROL_PLANE, name, patch, namespace)

    async def _delete(self, name: str) -> None:
        await self._client.delete(kinds.HOSTED_CLUSTER, name, "clusters")

    async def delete_all(self) -> None:
        for name in NAMES:
            await self._delete(name)


def complaints(world: World) -> Iterator[str]:
    """What is not as it should be, now that the world is quiet."""
    clusters = world.server.all(kinds.HOSTED_CLUSTER)
    for cluster in clusters:
        name = cluster["metadata"]["name"]
        if not is_true(cluster, "Available"):
            yield f"{name} is not available: {cluster.get('status')}"
        if annotations_of(cluster).get(annotations.HAS_BEEN_AVAILABLE) != "true":
            yield f"{name} does not remember that it was available"
        version = (cluster.get("status") or {}).get("version") or {}
        if version.get("history", [{}])[0].get("state") != "Completed":
            yield f"{name} is not at its release: {version}"
    yield from misrouted(world)
    wanted = {f"clusters-{cluster['metadata']['name']}" for cluster in clusters}
    for plane in world.server.all(kinds.HOSTED_CONTROL_PLANE):
        if "channel" in plane["spec"] or plane["spec"]["releaseImage"].endswith("mine"):
            yield f"{plane['metadata']['name']}: an edit was not undone"
    for namespace in world.server.all(kinds.NAMESPACE):
        name = namespace["metadata"]["name"]
        if name.startswith("clusters-") and name not in wanted:
            yield f"namespace {name} is left behind"
    uids = [
        (space["metadata"].get("annotations") or {}).get(
            "hypershift.openshift.io/default-security-context-uid"
        )
        for space in world.server.all(kinds.NAMESPACE)
        if space["metadata"]["name"] in wanted
    ]
    if len(set(uids)) != len(uids):
        yield f"two control planes run as one user: {uids}"


def misrouted(world: World) -> Iterator[str]:
    """Clusters that are published by name have a router with their names, others have none."""
    routers = {
        one["metadata"]["namespace"]: one
        for one in world.server.all(kinds.SERVICE)
        if one["metadata"]["name"] == "router"
    }
    for cluster in world.server.all(kinds.HOSTED_CLUSTER):
        name = cluster["metadata"]["name"]
        way = cluster["spec"]["services"][0]["servicePublishingStrategy"]
        router = routers.get(f"clusters-{name}")
        if (way["type"] == "Route") != (router is not None):
            yield f"{name} is published by {way['type']}, its router is {router}"
        found = (cluster.get("status") or {}).get("controlPlaneEndpoint") or {}
        if router and found != {"host": f"api-{name}.example.com", "port": 443}:
            yield f"{name} is published at {found}"


def tell(seed: int, faults: tuple[Fault, ...]) -> list[str]:
    with quiet_logs():
        return virtual.run(_tell(seed, faults))


async def _tell(seed: int, faults: tuple[Fault, ...]) -> list[str]:
    world = World(seed, lambda: controllers()[:1], faults)
    world.processes = [Operator(world, 0)]
    user = User(world.client("user"), world.stream("user"))
    await prepare(world.client("owner"))
    workloads = Workloads(world.client("player"), lambda: world.changes)
    world.start()
    world.spawn(workloads.run(), "player")
    try:
        found = [complaint async for complaint in _acts(world, user)]
        return [*found, *dict.fromkeys(workloads.complaints)]
    finally:
        await world.stop()


async def _acts(world: World, user: User) -> Any:
    await user.live()
    if not await world.settle(quiet=QUIET, most=MOST):
        yield "the world never came to rest"
        return
    for complaint in complaints(world):
        yield f"after the story: {complaint}"
    for name in world.processes[0].spoilt():
        yield f"somebody changed what a cache lent: {name}"
    if written := await world.second_look(QUIET):
        yield f"a second look wrote {written} times"
    await user.delete_all()
    if not await world.settle(quiet=QUIET, most=MOST):
        yield "the deletion never came to rest"
    for complaint in complaints(world):
        yield f"after the deletion: {complaint}"
    for resource in OURS:
        for left in world.server.all(resource):
            yield f"left behind: {resource.kind} {left['metadata']['name']}"


@pytest.mark.parametrize("seed", range(FIRST, FIRST + SEEDS))
def test_whatever_happens_every_cluster_becomes_what_it_says(seed: int) -> None:
    faults = drawn(stream(seed, "faults"), until=STORY, processes=1, most=8)
    assert tell(seed, faults) == []


def test_without_faults_too() -> None:
    assert tell(1000, ()) == []


def test_a_process_that_dies_again_and_again_between_two_writes_gets_there() -> None:
    moments = [index * 0.7 for index in range(50)]
    kinds_ = (Kind.CRASH_BEFORE, Kind.CRASH_AFTER)
    faults = tuple(Fault(at, kinds_[index % 2]) for index, at in enumerate(moments))
    assert tell(2000, faults) == []
