"""HostedCluster and HostedControlPlane controllers in a world where everything goes wrong.

A seed is a story: users create, change and delete clusters while requests fail, watches break and
processes die. Whatever happened, in the end every cluster is as it says, a second look writes
nothing, and of deleted clusters nothing is left.
"""

import asyncio
import random
from collections.abc import Iterator, Mapping
from contextlib import suppress
from datetime import datetime
from functools import lru_cache
from typing import Any

import pytest

from hypershift.controlplane import catalog
from hypershift.kit import Manifest, Secret
from hypershift.kube import ApiError, Client, kinds
from hypershift.kube.resource import Resource
from hypershift.operators import controlplane
from hypershift.operators.hypershift import Settings, hosted_cluster
from hypershift.pki import Algorithm, PrivateKey, Wanted, new_key, reconcile
from hypershift.release import Product, Release
from hypershift.runtime import Controller, Manager, is_true
from hypershift.testing import virtual
from hypershift.testing.sim.faults import Fault, drawn
from hypershift.testing.sim.schedule import quiet_logs
from hypershift.testing.sim.transport import Calm, SimTransport
from hypershift.testing.sim.world import LATENCY, PATIENCE, Process, World, stream

STORY, QUIET, MOST = 40.0, 100.0, 3000.0
NAMES = ("blue", "green")
OLD, NEW = "registry.example/release:1.34.9", "registry.example/release:1.35.8"
TAGS = (
    "etcd",
    "kube-apiserver",
    "kube-controller-manager",
    "kube-scheduler",
    "konnectivity-server",
    "konnectivity-agent",
)
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


class Releases:
    async def lookup(self, image: str, pull_secret: Secret[bytes]) -> Release:
        del pull_secret
        version = image.rpartition(":")[2]
        images = {tag: f"registry.example/{tag}:{version}" for tag in TAGS}
        return Release(version, Product.KUBERNETES, images, image)


@lru_cache
def key(algorithm: Algorithm) -> PrivateKey:
    """One key for all: the story is about the order of things, not about secrets."""
    return new_key(algorithm)


async def issue(
    existing: Mapping[tuple[str, str], Manifest], plan: Wanted, now: datetime
) -> list[Manifest]:
    return reconcile(existing, plan, now, keys=key)


async def reachable(host: str, port: int) -> str:
    del host, port
    return ""


def controllers() -> list[Controller[Any]]:
    releases = Releases()
    clusters = hosted_cluster.Environment(Settings(), releases)
    planes = controlplane.Environment(
        controlplane.Settings(), releases, catalog, frozenset(), reachable, issue
    )
    return [hosted_cluster.controller(clusters), controlplane.controller(planes)]


class Operator(Process):
    """A process with both controllers."""

    async def _manage(self) -> None:
        world = self._world
        self._transport = SimTransport(
            world.server,
            name=self.name,
            rng=self._rng,
            latency=LATENCY,
            interference=Calm() if self.calm else self.network,
            trace=world.trace,
        )
        client = Client(self._transport, manager="operator", rng=self._rng)
        manager = Manager(
            client,
            controllers(),
            clock=world.clock,
            rng=self._rng,
            patience=PATIENCE,
            grace=0.0,
        )
        await manager.run()


def a_cluster(name: str) -> Manifest:
    ways = [
        {"service": service, "servicePublishingStrategy": {"type": "LoadBalancer"}}
        for service in ("APIServer", "Konnectivity", "Ignition", "OAuthServer")
    ]
    return {
        "apiVersion": kinds.HOSTED_CLUSTER.api_version,
        "kind": kinds.HOSTED_CLUSTER.kind,
        "metadata": {"name": name, "namespace": "clusters"},
        "spec": {
            "release": {"image": OLD},
            "pullSecret": {"name": "pull"},
            "controllerAvailabilityPolicy": "SingleReplica",
            "etcd": {
                "managementType": "Managed",
                "managed": {"storage": {"type": "PersistentVolume"}},
            },
            "platform": {"type": "Local"},
            "networking": {
                "clusterNetwork": [{"cidr": "10.132.0.0/14"}],
                "serviceNetwork": [{"cidr": "172.31.0.0/16"}],
            },
            "services": ways,
            "dns": {"baseDomain": "example.com"},
        },
    }


class User:
    """Somebody who changes their mind, and sometimes meddles."""

    def __init__(self, client: Client, rng: random.Random) -> None:
        self._client, self._rng = client, rng

    async def prepare(self) -> None:
        for name in ("clusters", "hypershift"):
            await self._client.create(
                {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}}
            )
        await self._client.create(
            {
                "apiVersion": "v1",
                "kind": "Secret",
                "metadata": {"name": "pull", "namespace": "clusters"},
                "data": {".dockerconfigjson": "e30="},
            }
        )
        await self._client.create(
            {
                "apiVersion": "discovery.k8s.io/v1",
                "kind": "EndpointSlice",
                "metadata": {
                    "name": "kubernetes",
                    "namespace": "default",
                    "labels": {"kubernetes.io/service-name": "kubernetes"},
                },
                "addressType": "IPv4",
                "endpoints": [{"addresses": ["192.0.2.100"]}],
            }
        )

    async def live(self) -> None:
        for moment in sorted(self._rng.uniform(0, STORY) for _ in range(9)):
            await asyncio.sleep(max(0.0, moment - asyncio.get_running_loop().time()))
            act = self._rng.choice(
                (self._create, self._create, self._upgrade, self._meddle, self._delete)
            )
            with suppress(ApiError):
                await act(self._rng.choice(NAMES))

    async def _create(self, name: str) -> None:
        await self._client.create(a_cluster(name))

    async def _upgrade(self, name: str) -> None:
        patch = {"spec": {"release": {"image": NEW}}}
        await self._client.patch(kinds.HOSTED_CLUSTER, name, patch, "clusters")

    async def _meddle(self, name: str) -> None:
        namespace = f"clusters-{name}"
        resource, victim = self._rng.choice(
            (
                (kinds.SECRET, "kas-server-crt"),
                (kinds.SERVICE, "kube-apiserver"),
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


async def play(client: Client) -> None:
    """Be the cloud and the kubelets."""
    while True:
        await asyncio.sleep(0.5)
        for service in await client.list(kinds.SERVICE):
            status = (service.get("status") or {}).get("loadBalancer")
            if service["spec"].get("type") == "LoadBalancer" and not status:
                given = {"loadBalancer": {"ingress": [{"ip": "192.0.2.7"}]}}
                await _set_status(client, service, given)
        for resource in (kinds.STATEFUL_SET, kinds.DEPLOYMENT):
            for workload in await client.list(resource):
                wanted = _ready(workload)
                known = workload.get("status") or {}
                if any(known.get(name) != value for name, value in wanted.items()):
                    await _set_status(client, workload, wanted)


async def _set_status(client: Client, found: Manifest, status: Manifest) -> None:
    name, namespace = found["metadata"]["name"], found["metadata"]["namespace"]
    with suppress(ApiError):
        await client.patch(
            kinds.resource_of(found), name, {"status": status}, namespace, subresource="status"
        )


def _ready(workload: Manifest) -> Manifest:
    replicas = workload["spec"].get("replicas", 1)
    counts = ("replicas", "readyReplicas", "updatedReplicas", "availableReplicas")
    status: Manifest = dict.fromkeys(counts, replicas)
    status["observedGeneration"] = workload["metadata"].get("generation", 1)
    if workload["kind"] == "Deployment":
        status["conditions"] = [{"type": "Available", "status": "True"}]
    return status


def complaints(world: World) -> Iterator[str]:
    """What is not as it should be, now that the world is quiet."""
    clusters = world.server.all(kinds.HOSTED_CLUSTER)
    for cluster in clusters:
        name = cluster["metadata"]["name"]
        if not is_true(cluster, "Available"):
            yield f"{name} is not available: {cluster.get('status')}"
        version = (cluster.get("status") or {}).get("version") or {}
        if version.get("history", [{}])[0].get("state") != "Completed":
            yield f"{name} is not at its release: {version}"
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


def tell(seed: int, faults: tuple[Fault, ...]) -> list[str]:
    with quiet_logs():
        return virtual.run(_tell(seed, faults))


async def _tell(seed: int, faults: tuple[Fault, ...]) -> list[str]:
    world = World(seed, lambda: controllers()[:1], faults)
    world.processes = [Operator(world, 0)]
    user = User(world.client("user"), world.stream("user"))
    await user.prepare()
    world.start()
    world.spawn(play(world.client("player")), "player")
    try:
        return [complaint async for complaint in _acts(world, user)]
    finally:
        await world.stop()


async def _acts(world: World, user: User) -> Any:
    await user.live()
    if not await world.settle(quiet=QUIET, most=MOST):
        yield "the world never came to rest"
        return
    for complaint in complaints(world):
        yield f"after the story: {complaint}"
    before = world.changes
    await world.restart_calmly()
    await asyncio.sleep(QUIET)
    if world.changes != before:
        yield f"a second look wrote {world.changes - before} times"
    await user.delete_all()
    if not await world.settle(quiet=QUIET, most=MOST):
        yield "the deletion never came to rest"
    for complaint in complaints(world):
        yield f"after the deletion: {complaint}"
    for resource in OURS:
        for left in world.server.all(resource):
            yield f"left behind: {resource.kind} {left['metadata']['name']}"


@pytest.mark.parametrize("seed", range(6))
def test_whatever_happens_every_cluster_becomes_what_it_says(seed: int) -> None:
    faults = drawn(stream(seed, "faults"), until=STORY, processes=1, most=8)
    assert tell(seed, faults) == []


def test_without_faults_too() -> None:
    assert tell(1000, ()) == []
