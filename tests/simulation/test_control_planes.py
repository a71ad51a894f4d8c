"""HostedCluster and HostedControlPlane controllers in a world where everything goes wrong.

A seed is a story: users create, change and delete clusters while requests fail, watches break and
processes die. Whatever happened, in the end every cluster is as it says, a second look writes
nothing, and of deleted clusters nothing is left.
"""

from collections.abc import Iterator, Sequence

import pytest
from tests.lib.planes import NEW, a_cluster, encrypted, named
from tests.lib.seeded import Act, Story, User, tell, tell_seed
from tests.lib.seeds import seeds
from tests.lib.sim.faults import crashes
from tests.lib.sim.world import World

from hypershift.api import annotations
from hypershift.kit import annotations_of
from hypershift.kube import kinds
from hypershift.kube.resource import Resource
from hypershift.runtime import is_true

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


class Changing(User):
    """A user who creates, upgrades, encrypts, breaks and deletes clusters."""

    count = 9

    def acts(self) -> Sequence[Act]:
        return (
            self._create,
            self._create,
            self._upgrade,
            self._change_key,
            self._meddle,
            self.delete,
        )

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


class ControlPlanes(Story):
    """Clusters of two names come, change and go."""

    user_type = Changing

    def complaints(self) -> Iterator[str]:
        return complaints(self.world)

    def left_over(self) -> Iterator[str]:
        yield from complaints(self.world)
        for resource in OURS:
            for left in self.world.server.all(resource):
                yield f"left behind: {resource.kind} {left['metadata']['name']}"


@pytest.mark.parametrize("seed", seeds(3, least=5))
def test_whatever_happens_every_cluster_becomes_what_it_says(seed: int) -> None:
    assert tell_seed(ControlPlanes, seed) == []


def test_without_faults_too() -> None:
    assert tell(ControlPlanes, 1000) == []


def test_a_process_that_dies_again_and_again_between_two_writes_gets_there() -> None:
    assert tell(ControlPlanes, 2000, crashes(50, every=0.7)) == []
