"""Routes of control planes on OpenShift, in a world where everything goes wrong.

Users publish clusters by Routes, behind a router of their own or the management cluster's, change
their minds, delete, and meddle with the Routes. Whatever happened, in the end each cluster has the
Routes that it asks for and no others, a condition says which of them is not admitted, and a second
look writes nothing.
"""

import asyncio
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Any

import pytest
from tests.lib.planes import a_cluster, controllers, named
from tests.lib.seeded import Act, Story, User, tell, tell_seed
from tests.lib.seeds import seeds
from tests.lib.sim.faults import crashes
from tests.lib.sim.world import World
from tests.lib.workloads import ADDRESS

from hypershift.api.labels import HOSTED_CONTROL_PLANE
from hypershift.kit import Manifest, labels_of
from hypershift.kube import ApiError, Client, kinds
from hypershift.runtime import Controller, condition_of, is_true

OWN = {"kube-apiserver", "kube-apiserver-internal", "konnectivity-server", "ignition-server"}
FOREIGN = {"konnectivity-server"}
CLAIMED = "taken"
API, DOMAIN = "APIServer", "apps.mgmt.example"


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
    """Publish a cluster behind a router of its own, or behind the management cluster's."""
    found = named(name)
    if way == "own":
        return found
    balancer = {"type": "LoadBalancer"}
    route: Manifest = {"type": "Route"}
    if way == CLAIMED:
        route["route"] = {"hostname": f"{CLAIMED}-{name}.example.com"}
    ways = {API: balancer, "Konnectivity": route, "Ignition": balancer}
    return [one | {"servicePublishingStrategy": ways[one["service"]]} for one in found]


class Publisher(User):
    """A user who publishes clusters in one way, then in another, and breaks Routes."""

    def acts(self) -> Sequence[Act]:
        return (
            self._create,
            self._create,
            self._change,
            self._change,
            self._meddle,
            self.delete,
        )

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


class Routes(Story):
    """Clusters are published on a management cluster that knows Routes."""

    user_type = Publisher

    def controllers(self) -> list[Controller[Any]]:
        return controllers(routes=True)

    def beside(self) -> None:
        self.world.spawn(Router(self.world.client("router")).run(), "router")

    def complaints(self) -> Iterator[str]:
        return complaints(self.world)

    def left_over(self) -> Iterator[str]:
        for route in self.world.server.all(kinds.ROUTE):
            yield f"left behind: {route['metadata']}"


@pytest.mark.parametrize("seed", seeds(8, least=5))
def test_whatever_happens_each_cluster_has_the_routes_that_it_asks_for(seed: int) -> None:
    assert tell_seed(Routes, seed) == []


def test_without_faults_too() -> None:
    assert tell(Routes, 1000) == []


def test_a_process_that_dies_again_and_again_between_two_writes_gets_there() -> None:
    assert tell(Routes, 2000, crashes(50, every=0.7)) == []
