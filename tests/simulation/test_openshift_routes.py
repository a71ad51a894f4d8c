"""Routes of control planes on OpenShift, in a world where everything goes wrong.

Users publish clusters by Routes, behind a router of their own or the management cluster's, change
their minds, delete, and meddle with the Routes. Whatever happened, in the end each cluster has the
Routes that it asks for and no others, a condition says which of them is not admitted, and a second
look writes nothing.
"""

import asyncio
import os
import random
from collections.abc import AsyncIterator, Iterator
from contextlib import suppress
from typing import Any

import pytest
from tests.lib import virtual
from tests.lib.planes import Operator, a_cluster, controllers, named, prepare
from tests.lib.sim.faults import Fault, Kind, drawn
from tests.lib.sim.schedule import quiet_logs
from tests.lib.sim.world import World, stream
from tests.lib.workloads import ADDRESS, Workloads

from hypershift.api.labels import HOSTED_CONTROL_PLANE
from hypershift.kit import Manifest, labels_of
from hypershift.kube import ApiError, Client, kinds
from hypershift.runtime import Controller, condition_of, is_true

STORY, QUIET, MOST = 40.0, 100.0, 3000.0
SEEDS = max(5, int(os.environ.get("HYPERSHIFT_SEEDS", "40")) // 8)
FIRST = int(os.environ.get("HYPERSHIFT_FIRST_SEED", "0"))
NAMES = ("blue", "green")
OWN = {"kube-apiserver", "kube-apiserver-internal", "konnectivity-server", "ignition-server"}
FOREIGN = {"konnectivity-server"}
CLAIMED = "taken"
API, DOMAIN = "APIServer", "apps.mgmt.example"


class OnOpenShift(Operator):
    """A process whose management cluster knows Routes."""

    def controllers(self) -> list[Controller[Any]]:
        return controllers(routes=True)


class Router:
    """The management cluster's: it chooses missing hosts, admits Routes and refuses one host."""

    def __init__(self, client: Client) -> None:
        self._client = client

    async def run(self) -> None:
        while True:
            await asyncio.sleep(0.5)
            with suppress(ApiError):
                for route in await self._client.list(kinds.ROUTE):
                    await self._serve(route)

    async def _serve(self, route: Manifest) -> None:
        name, place = route["metadata"]["name"], route["metadata"]["namespace"]
        host = route["spec"].get("host")
        if not host:
            patch: Manifest = {"spec": {"host": f"{name}-{place}.{DOMAIN}"}}
            await self._client.patch(kinds.ROUTE, name, patch, place)
        elif HOSTED_CONTROL_PLANE not in labels_of(route):
            refused = {"status": "False", "reason": "HostAlreadyClaimed", "message": "is taken"}
            verdict = refused if CLAIMED in host else {"status": "True"}
            found = {
                "host": host,
                "routerName": "default",
                "routerCanonicalHostname": f"router.{DOMAIN}",
                "conditions": [{"type": "Admitted", **verdict}],
            }
            known = (route.get("status") or {}).get("ingress") or []
            # a router leaves alone what others say
            wanted = [*(one for one in known if one["routerName"] != "default"), found]
            if known != wanted:
                patch = {"status": {"ingress": wanted}}
                await self._client.patch(kinds.ROUTE, name, patch, place, subresource="status")


def services(way: str, name: str) -> list[Manifest]:
    """How a cluster is published: behind a router of its own, or the management cluster's."""
    found = named(name)
    if way == "own":
        return found
    balancer = {"type": "LoadBalancer"}
    route: Manifest = {"type": "Route"}
    if way == CLAIMED:
        route["route"] = {"hostname": f"{CLAIMED}-{name}.example.com"}
    ways = {API: balancer, "Konnectivity": route, "Ignition": balancer}
    return [one | {"servicePublishingStrategy": ways[one["service"]]} for one in found]


class User:
    """Somebody who changes their mind, and sometimes meddles."""

    def __init__(self, client: Client, rng: random.Random) -> None:
        self._client, self._rng = client, rng
        #: How each cluster is to be published, as it was asked for last.
        self.asked: dict[str, str] = {}

    async def live(self) -> None:
        acts = (self._create, self._create, self._change, self._change, self._meddle, self._delete)
        for moment in sorted(self._rng.uniform(0, STORY) for _ in range(12)):
            await asyncio.sleep(max(0.0, moment - asyncio.get_running_loop().time()))
            with suppress(ApiError):
                await self._rng.choice(acts)(self._rng.choice(NAMES))

    def _way(self) -> str:
        return self._rng.choice(("own", "foreign", CLAIMED))

    async def _create(self, name: str) -> None:
        way = self._way()
        await self._client.create(a_cluster(name, services=services(way, name)))

    async def _change(self, name: str) -> None:
        patch = {"spec": {"services": services(self._way(), name)}}
        await self._client.patch(kinds.HOSTED_CLUSTER, name, patch, "clusters")

    async def _meddle(self, name: str) -> None:
        route, place = self._rng.choice(sorted(OWN)), f"clusters-{name}"
        if self._rng.random() < 0.5:
            await self._client.delete(kinds.ROUTE, route, place)
            return
        patch = {"metadata": {"labels": {HOSTED_CONTROL_PLANE: None}}}
        await self._client.patch(kinds.ROUTE, route, patch, place)

    async def _delete(self, name: str) -> None:
        await self._client.delete(kinds.HOSTED_CLUSTER, name, "clusters")

    async def delete_all(self) -> None:
        for name in NAMES:
            await self._delete(name)


def complaints(world: World) -> Iterator[str]:
    """What is not as it should be, now that the world is quiet."""
    routes = world.server.all(kinds.ROUTE)
    for cluster in world.server.all(kinds.HOSTED_CLUSTER):
        name, asked = cluster["metadata"]["name"], cluster["spec"]["services"]
        found = [one for one in routes if one["metadata"]["namespace"] == f"clusters-{name}"]
        there = {one["metadata"]["name"] for one in found}
        ways = {one["service"]: one["servicePublishingStrategy"] for one in asked}
        own = ways[API]["type"] == "Route"
        if there != (OWN if own else FOREIGN):
            yield f"{name} has Routes {there}"
        for one in found:
            yield from of_route(one, own=own)
        hosts = ways["Konnectivity"].get("route", {}).get("hostname", "")
        if not own and CLAIMED in hosts:
            told = condition_of(cluster, "InfrastructureReady") or {}
            if "refused by router default (HostAlreadyClaimed: is taken)" not in told["message"]:
                yield f"{name} does not say that its Route is refused: {told}"
        elif not is_true(cluster, "Available"):
            yield f"{name} is not available: {cluster.get('status')}"


def of_route(route: Manifest, *, own: bool) -> Iterator[str]:
    """What is wrong about one Route."""
    ingress = route.get("status", {}).get("ingress", [])
    routers = [one["routerName"] for one in ingress]
    internal = route["metadata"]["name"].endswith("-internal")
    if own and internal:
        # OpenShift's router keeps its word of a Route that it had while the label was away
        routers = [one for one in routers if one != "default"]
    wanted = ([] if internal else ["router"]) if own else ["default"]
    if routers != wanted:
        yield f"{route['metadata']['name']} is served by {routers}"
    if own and not internal and ingress[0]["routerCanonicalHostname"] != ADDRESS:
        yield f"{route['metadata']['name']} leads to {ingress[0]}"


async def _acts(world: World, user: User) -> AsyncIterator[str]:
    await user.live()
    if not await world.settle(quiet=QUIET, most=MOST):
        yield "the world never came to rest"
        return
    for complaint in complaints(world):
        yield f"after the story: {complaint}"
    if written := await world.second_look(QUIET):
        yield f"a second look wrote {written} times"
    await user.delete_all()
    if not await world.settle(quiet=QUIET, most=MOST):
        yield "the deletion never came to rest"
    for route in world.server.all(kinds.ROUTE):
        yield f"left behind: {route['metadata']}"


async def _tell(seed: int, faults: tuple[Fault, ...]) -> list[str]:
    world = World(seed, lambda: controllers()[:1], faults)
    world.processes = [OnOpenShift(world, 0)]
    user = User(world.client("user"), world.stream("user"))
    await prepare(world.client("owner"))
    workloads = Workloads(world.client("player"), lambda: world.changes)
    world.start()
    world.spawn(workloads.run(), "player")
    world.spawn(Router(world.client("router")).run(), "router")
    try:
        return [complaint async for complaint in _acts(world, user)]
    finally:
        await world.stop()


def tell(seed: int, faults: tuple[Fault, ...]) -> list[str]:
    with quiet_logs():
        return virtual.run(_tell(seed, faults))


@pytest.mark.parametrize("seed", range(FIRST, FIRST + SEEDS))
def test_whatever_happens_each_cluster_has_the_routes_that_it_asks_for(seed: int) -> None:
    assert tell(seed, drawn(stream(seed, "faults"), until=STORY, processes=1, most=8)) == []


def test_without_faults_too() -> None:
    assert tell(1000, ()) == []


def test_a_process_that_dies_again_and_again_between_two_writes_gets_there() -> None:
    kinds_ = (Kind.CRASH_BEFORE, Kind.CRASH_AFTER)
    faults = tuple(Fault(index * 0.7, kinds_[index % 2]) for index in range(50))
    assert tell(2000, faults) == []
