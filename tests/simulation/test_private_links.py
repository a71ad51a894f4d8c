"""Private clusters on AWS in a world where everything goes wrong.

Users create private clusters and half-private ones, change the access, add pools, meddle with links
and delete. Whatever happened, in the end each private cluster has its links and every part of them
in the clouds exactly once, a second look writes nothing, and nothing is left of what is deleted.
"""

import asyncio
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Any

import pytest
from tests.lib.private_links import ENDPOINT, LINK, SERVICE, Clouds, a_pool, controllers, private
from tests.lib.seeded import Act, Story, User, tell_seed
from tests.lib.seeds import seeds
from tests.lib.sim.faults import Fault
from tests.lib.sim.world import World, stream

from hypershift.api import annotations
from hypershift.kit import Key, Manifest
from hypershift.kube import NotFound, kinds
from hypershift.platforms.aws.cluster import RESOURCE as AWS_CLUSTER
from hypershift.runtime import Controller, condition_of, is_true

ACCESSES = ("Private", "PublicAndPrivate")


class Networker(User):
    """A user who changes the access of private clusters, their pools and their links."""

    def acts(self) -> Sequence[Act]:
        return (
            self._create,
            self._create,
            self._toggle,
            self._pool,
            self._meddle,
            self.delete,
        )

    async def _create(self, name: str) -> None:
        access, by_route = self._rng.choice(ACCESSES), self._rng.random() < 0.5
        await self._client.create(private(name, access, by_route=by_route))

    async def _toggle(self, name: str) -> None:
        access = self._rng.choice(ACCESSES)
        patch = {"spec": {"platform": {"aws": {"endpointAccess": access}}}}
        await self._client.patch(kinds.HOSTED_CLUSTER, name, patch, "clusters")

    async def _pool(self, name: str) -> None:
        pool = a_pool(name, f"subnet-{self._rng.randrange(3)}")
        if self._rng.random() < 0.3:
            await self._client.delete(kinds.NODE_POOL, pool["metadata"]["name"], "clusters")
        else:
            await self._client.create(pool)

    async def _meddle(self, name: str) -> None:
        victims = ((LINK, "private-router"), (LINK, "kube-apiserver-private"))
        await self._client.delete(*self._rng.choice(victims), f"clusters-{name}")

    async def delete(self, name: str) -> None:
        """Delete a cluster, without waiting for what it made in its cloud."""
        marks = {"metadata": {"annotations": {annotations.CLEANUP_CLOUD_RESOURCES: "false"}}}
        with suppress(NotFound):
            await self._client.patch(kinds.HOSTED_CLUSTER, name, marks, "clusters")
        await super().delete(name)

    async def delete_all(self) -> None:
        await super().delete_all()
        for pool in await self._client.list(kinds.NODE_POOL, "clusters"):
            await self._client.delete(kinds.NODE_POOL, pool["metadata"]["name"], "clusters")


def expected(cluster: Manifest) -> set[Key]:
    """The links that a cluster has."""
    place = f"clusters-{cluster['metadata']['name']}"
    way = cluster["spec"]["services"][0]["servicePublishingStrategy"]["type"]
    names = {"private-router"} | ({"kube-apiserver-private"} if way != "Route" else set())
    return {Key(place, name) for name in names}


def complaints(world: World, clouds: Clouds) -> Iterator[str]:
    """What is not as it should be, now that the world is quiet."""
    clusters = world.server.all(kinds.HOSTED_CLUSTER)
    wanted = {key for cluster in clusters for key in expected(cluster)}
    for what, found in (("services", clouds.services), ("endpoints", clouds.endpoints)):
        if found.keys() != wanted:
            yield f"{what} {sorted(found)} instead of {sorted(wanted)}"
    pools = world.server.all(kinds.NODE_POOL)
    for cluster in clusters:
        name = cluster["metadata"]["name"]
        mine = [each for each in pools if each["spec"]["clusterName"] == name]
        subnets = {each["spec"]["platform"]["aws"]["subnet"]["id"] for each in mine}
        for key in expected(cluster):
            if set(clouds.endpoints.get(key, ())) != subnets:
                yield f"{key} is in {clouds.endpoints.get(key)} instead of {sorted(subnets)}"
        for kind in (SERVICE, ENDPOINT):
            if not is_true(cluster, kind):
                yield f"{name} says {condition_of(cluster, kind)}"
        yield from _outside(world, cluster)


def _outside(world: World, cluster: Manifest) -> Iterator[str]:
    """Names outside are those of clusters that nothing but their network reaches."""
    name = cluster["metadata"]["name"]
    access = cluster["spec"]["platform"]["aws"]["endpointAccess"]
    routed = cluster["spec"]["services"][0]["servicePublishingStrategy"]["type"] == "Route"
    found = {
        one["metadata"]["name"]
        for one in world.server.all(kinds.SERVICE)
        if one["spec"].get("type") == "ExternalName"
        and one["metadata"]["namespace"] == f"clusters-{name}"
    }
    api = {"kube-apiserver-private-external"} if routed else set()
    wanted = api | {"oauth-private-external"} if access == "Private" else set()
    if found != wanted:
        yield f"{name} ({access}) has {sorted(found)} outside instead of {sorted(wanted)}"


class PrivateLinks(Story):
    """Private clusters come, change and go in clouds that fail while the user acts."""

    user_type = Networker
    length, quiet, most = 60.0, 400.0, 6000.0
    names_balancers = True

    def __init__(self, seed: int, faults: tuple[Fault, ...]) -> None:
        super().__init__(seed, faults)
        self.world.server.catalog.add(AWS_CLUSTER)
        self.clouds = Clouds(rng=stream(seed, "clouds"))

    def controllers(self) -> list[Controller[Any]]:
        return controllers(self.clouds)

    async def live(self) -> None:
        self.clouds.trouble = 0.2
        await super().live()
        self.clouds.trouble = 0.0

    async def end(self) -> None:
        self.clouds.trouble = 0.2
        await super().end()
        await asyncio.sleep(self.length)
        self.clouds.trouble = 0.0

    def complaints(self) -> Iterator[str]:
        return complaints(self.world, self.clouds)

    def left_over(self) -> Iterator[str]:
        for what, found in (
            ("services", self.clouds.services),
            ("endpoints", self.clouds.endpoints),
        ):
            if found:
                yield f"left in the cloud: {what} {sorted(found)}"
        if left := self.world.server.all(kinds.HOSTED_CLUSTER):
            yield f"clusters are left: {[each['metadata']['name'] for each in left]}"


@pytest.mark.parametrize("seed", seeds(8, least=5))
def test_whatever_happens_links_are_those_of_private_clusters(seed: int) -> None:
    assert tell_seed(PrivateLinks, seed) == []
