"""Private clusters on AWS in a world where everything goes wrong.

Users create private clusters and half-private ones, change the access, add pools, meddle with links
and delete. Whatever happened, in the end each private cluster has its links and every part of them
in the clouds exactly once, a second look writes nothing, and nothing is left of what is deleted.
"""

import asyncio
import os
import random
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

import pytest
from tests.lib import virtual
from tests.lib.planes import (
    NoDefragmenter,
    Operator,
    Releases,
    a_cluster,
    issue,
    prepare,
    reachable,
    resolvable,
    silent,
)
from tests.lib.sim.faults import Fault, drawn
from tests.lib.sim.schedule import quiet_logs
from tests.lib.sim.world import World, stream
from tests.lib.stage import Stage, play
from tests.lib.workloads import Workloads

from hypershift.api import annotations
from hypershift.api.conditions import ControlPlaneCondition, HostedClusterCondition, Reason, true
from hypershift.api.conditions import false as untrue
from hypershift.controlplane import catalog
from hypershift.controlplane.etcd import DiskWatch
from hypershift.kit import Key, Manifest, TransientError, key_of
from hypershift.kube import ApiError, Client, kinds
from hypershift.operators import controlplane
from hypershift.operators.controlplane.accounts import Accounts
from hypershift.operators.hypershift import Settings, hosted_cluster, private_link
from hypershift.platforms import (
    AccountFacts,
    Cleaned,
    EndpointFacts,
    Kept,
    LinkKept,
    ServiceFacts,
    made_links,
)
from hypershift.platforms.aws.cluster import RESOURCE as AWS_CLUSTER
from hypershift.release import Release
from hypershift.runtime import Controller, condition_of, is_true

STORY, QUIET, MOST = 60.0, 400.0, 6000.0
SEEDS = max(5, int(os.environ.get("HYPERSHIFT_SEEDS", "40")) // 8)
FIRST = int(os.environ.get("HYPERSHIFT_FIRST_SEED", "0"))
NAMES = ("blue", "green")
ROLE = "arn:aws:iam::123456789012:role/"
PARTS = ("controlPlaneOperator", "imageRegistry", "ingress", "kubeCloudController", "network")
ROLES = {f"{name}ARN": ROLE + name for name in (*PARTS, "nodePoolManagement", "storage")}
ACCESSES = ("Private", "PublicAndPrivate")
LINK = kinds.AWS_ENDPOINT_SERVICE
SERVICE = HostedClusterCondition.AWS_ENDPOINT_SERVICE_AVAILABLE
ENDPOINT = HostedClusterCondition.AWS_ENDPOINT_AVAILABLE


@dataclass
class Clouds:
    """Both accounts: services by link, endpoints by link, and how often each was made."""

    services: dict[Key, tuple[str, ...]] = field(default_factory=dict)
    balancers: set[str] = field(default_factory=set)
    endpoints: dict[Key, tuple[str, ...]] = field(default_factory=dict)
    rng: random.Random = field(default_factory=random.Random)
    trouble: float = 0.0
    trusted: bool = True
    asked: int = 0

    def login(self) -> None:
        """Refuse tokens that are not believed."""
        if not self.trusted:
            raise TransientError("not trusted")

    def suffer(self) -> None:
        """Fail as clouds do, before a call or after it."""
        self.asked += 1
        if self.rng.random() < self.trouble:
            raise TransientError("AWS does not answer")


@dataclass
class Service:
    """The half in the account of the management cluster."""

    clouds: Clouds

    async def keep(self, facts: ServiceFacts) -> LinkKept:
        key, clouds = key_of(facts.link), self.clouds
        try:
            clouds.suffer()
            clouds.services[key] = facts.subnets
            clouds.balancers.add(facts.link["spec"]["networkLoadBalancerName"])
            clouds.suffer()
        except TransientError as error:
            return LinkKept((untrue(SERVICE, Reason.AWS_ERROR, str(error)),), after=SOON)
        return LinkKept((true(SERVICE, "", Reason.AWS_SUCCESS),), {"endpointServiceName": str(key)})

    async def remove(self, facts: ServiceFacts) -> str:
        key = key_of(facts.link)
        self.clouds.suffer()
        if key in self.clouds.endpoints and self.clouds.trusted:
            return "connections"
        self.clouds.services.pop(key, None)
        return ""


SOON = timedelta(seconds=20)


@dataclass
class Endpoint:
    """The half in the account of the cluster."""

    clouds: Clouds

    async def keep(self, facts: EndpointFacts) -> LinkKept:
        key, clouds = key_of(facts.link), self.clouds
        try:
            clouds.login()
            clouds.suffer()
            clouds.endpoints[key] = tuple(facts.link["spec"].get("subnetIDs") or ())
            clouds.suffer()
        except TransientError as error:
            return LinkKept((untrue(ENDPOINT, Reason.AWS_ERROR, str(error)),), after=SOON)
        target = f"{key.name}.vpce.example.com" if key.name == "private-router" else ""
        made = {"endpointID": f"vpce-{key.name}"}
        return LinkKept((true(ENDPOINT, "", Reason.AWS_SUCCESS),), made, target)

    async def remove(self, facts: EndpointFacts) -> str:
        self.clouds.suffer()
        self.clouds.login()
        self.clouds.endpoints.pop(key_of(facts.link), None)
        return ""


@dataclass
class Account:
    """An account whose tokens are believed while the clouds say so."""

    clouds: Clouds

    async def keep(self, facts: AccountFacts) -> Kept:
        del facts
        kind = ControlPlaneCondition.VALID_AWS_IDENTITY_PROVIDER
        if not self.clouds.trusted:
            return Kept((untrue(kind, Reason.AWS_ERROR, "not trusted"),))
        return Kept((true(kind),))

    async def clean(self, facts: AccountFacts) -> Cleaned:
        del facts
        return Cleaned()


class WithProvider(Releases):
    """Releases that have Cluster API's provider for AWS."""

    async def lookup(self, image: str, pull_secret: Any) -> Release:
        found = await super().lookup(image, pull_secret)
        return found.with_images({"aws-cluster-api-controllers": "registry.example/capa:1"})


def controllers(clouds: Clouds) -> list[Controller[Any]]:
    releases, links = WithProvider(), made_links()
    settings = Settings(image="registry.example/hypershift:1")
    planes = controlplane.Environment(
        controlplane.Settings(),
        releases,
        catalog,
        check=reachable,
        resolve=resolvable,
        issue=issue,
        defragmenter=NoDefragmenter(),
        disks=DiskWatch(silent),
        accounts=Accounts(make=lambda _: Account(clouds)),
        links=links,
        endpoints={LINK.kind: lambda: Endpoint(clouds)},
    )
    halves = private_link.Environment(links, {LINK.kind: Service(clouds)})
    return [
        hosted_cluster.controller(hosted_cluster.Environment(settings, releases)),
        *controlplane.controllers(planes),
        *private_link.controllers(halves),
    ]


class Everything(Operator):
    """A process with every controller; the clouds outlive it."""

    clouds: Clouds

    def controllers(self) -> list[Controller[Any]]:
        return controllers(self.clouds)


def private(name: str, access: str, *, routed: bool = True) -> Manifest:
    """A cluster that its own network reaches; its API server by a Route or a load balancer."""
    section = {
        "region": "us-east-1",
        "rolesRef": ROLES,
        "endpointAccess": access,
        "cloudProviderConfig": {"vpc": "vpc-1", "subnet": {"id": "subnet-0"}},
    }
    ways = [
        {
            "service": service,
            "servicePublishingStrategy": {
                "type": "Route",
                "route": {"hostname": f"{service.lower()}.{name}.example.com"},
            },
        }
        for service in ("APIServer", "Konnectivity", "Ignition", "OAuthServer")
    ]
    if not routed:
        ways[0]["servicePublishingStrategy"] = {"type": "LoadBalancer"}
    return a_cluster(
        name,
        platform={"type": "AWS", "aws": section},
        services=ways,
        infraID=f"{name}-abcde",
    )


def a_pool(cluster: str, subnet: str) -> Manifest:
    aws = {"instanceType": "m5.large", "subnet": {"id": subnet}}
    return {
        "apiVersion": kinds.NODE_POOL.api_version,
        "kind": "NodePool",
        "metadata": {"name": f"{cluster}-{subnet}", "namespace": "clusters"},
        "spec": {
            "clusterName": cluster,
            "replicas": 1,
            "release": {"image": "registry.example/release:1.34.9"},
            "platform": {"type": "AWS", "aws": aws},
        },
    }


class User:
    """Somebody who changes their mind, and sometimes meddles."""

    def __init__(self, client: Client, rng: random.Random) -> None:
        self._client, self._rng = client, rng

    async def live(self) -> None:
        acts = (self._create, self._create, self._toggle, self._pool, self._meddle, self._delete)
        for moment in sorted(self._rng.uniform(0, STORY) for _ in range(12)):
            await asyncio.sleep(max(0.0, moment - asyncio.get_running_loop().time()))
            with suppress(ApiError):
                await self._rng.choice(acts)(self._rng.choice(NAMES))

    async def _create(self, name: str) -> None:
        access, routed = self._rng.choice(ACCESSES), self._rng.random() < 0.5
        await self._client.create(private(name, access, routed=routed))

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

    async def _delete(self, name: str) -> None:
        marks = {"metadata": {"annotations": {annotations.CLEANUP_CLOUD_RESOURCES: "false"}}}
        await self._client.patch(kinds.HOSTED_CLUSTER, name, marks, "clusters")
        await self._client.delete(kinds.HOSTED_CLUSTER, name, "clusters")

    async def delete_all(self) -> None:
        for name in NAMES:
            with suppress(ApiError):
                await self._delete(name)
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


async def _acts(world: World, user: User, clouds: Clouds) -> Any:
    clouds.trouble = 0.2
    await user.live()
    clouds.trouble = 0.0
    if not await world.settle(quiet=QUIET, most=MOST):
        yield "the world never came to rest"
        return
    for complaint in complaints(world, clouds):
        yield f"after the story: {complaint}"
    if written := await world.second_look(QUIET):
        yield f"a second look wrote {written} times"
    clouds.trouble = 0.2
    await user.delete_all()
    await asyncio.sleep(STORY)
    clouds.trouble = 0.0
    if not await world.settle(quiet=QUIET, most=MOST):
        yield "the deletion never came to rest"
    for what, found in (("services", clouds.services), ("endpoints", clouds.endpoints)):
        if found:
            yield f"left in the cloud: {what} {sorted(found)}"
    if left := world.server.all(kinds.HOSTED_CLUSTER):
        yield f"clusters are left: {[each['metadata']['name'] for each in left]}"


async def _tell(seed: int, faults: tuple[Fault, ...]) -> list[str]:
    clouds = Clouds(rng=stream(seed, "clouds"))
    world = World(seed, lambda: controllers(clouds)[:1], faults)
    world.server.catalog.add(AWS_CLUSTER)
    process = Everything(world, 0)
    process.clouds = clouds
    world.processes = [process]
    user = User(world.client("user"), world.stream("user"))
    await prepare(world.client("owner"))
    world.start()
    world.spawn(Workloads(world.client("player"), names=True).run(), "player")
    try:
        return [complaint async for complaint in _acts(world, user, clouds)]
    finally:
        await world.stop()


def tell(seed: int, faults: tuple[Fault, ...]) -> list[str]:
    with quiet_logs():
        return virtual.run(_tell(seed, faults))


@pytest.mark.parametrize("seed", range(FIRST, FIRST + SEEDS))
def test_whatever_happens_links_are_those_of_private_clusters(seed: int) -> None:
    assert tell(seed, drawn(stream(seed, "faults"), until=STORY, processes=1, most=8)) == []


def staged(story: Any) -> None:
    async def whole(stage: Stage) -> None:
        stage.server.catalog.add(AWS_CLUSTER)
        await prepare(stage.user)
        workloads = asyncio.create_task(Workloads(stage.user, names=True).run())
        clouds = Clouds()
        stage.manage(*controllers(clouds))
        try:
            await story(stage, clouds)
        finally:
            workloads.cancel()

    play(whole)


async def status_of(stage: Stage, kind: str) -> tuple[str, str]:
    found = await stage.user.get(kinds.HOSTED_CLUSTER, "blue", "clusters")
    told = condition_of(found, kind) or {}
    return told.get("status", ""), told.get("message", "")


def test_a_private_cluster_is_available_by_names_of_its_own_network() -> None:
    async def story(stage: Stage, clouds: Clouds) -> None:
        await stage.user.create(private("blue", "Private"))
        await stage.user.create(a_pool("blue", "subnet-1"))
        await asyncio.sleep(300)
        for kind in (
            "SupportedHostedCluster",
            "ValidConfiguration",
            "Available",
            SERVICE,
            ENDPOINT,
        ):
            assert (await status_of(stage, kind))[0] == "True", await status_of(stage, kind)
        found = await stage.user.get(kinds.HOSTED_CLUSTER, "blue", "clusters")
        endpoint = found["status"]["controlPlaneEndpoint"]
        assert endpoint == {"host": "apiserver.blue.example.com", "port": 443}
        ignition = found["status"]["ignitionEndpoint"]
        assert ignition == "ignition-server.apps.blue.hypershift.local"
        link = await stage.user.get(LINK, "private-router", "clusters-blue")
        assert link["spec"]["networkLoadBalancerName"].startswith("a")
        assert link["spec"]["subnetIDs"] == ["subnet-1"]
        assert clouds.endpoints == {Key("clusters-blue", "private-router"): ("subnet-1",)}
        services = {one["metadata"]["name"] for one in await stage.user.list(kinds.SERVICE)}
        assert {"private-router", "kube-apiserver-private-external"} <= services
        assert "router" not in services
        router = await stage.user.get(kinds.CONFIG_MAP, "router", "clusters-blue")
        text = router["data"]["haproxy.cfg"]
        assert "konnectivity-server.apps.blue.hypershift.local" in text
        assert "default_backend kube_api" in text
        config = await stage.user.get(kinds.SECRET, "admin-kubeconfig", "clusters-blue")
        assert config

    staged(story)


def test_a_link_that_works_is_left_alone_for_five_minutes() -> None:
    async def story(stage: Stage, clouds: Clouds) -> None:
        await stage.user.create(private("blue", "PublicAndPrivate", routed=False))
        await asyncio.sleep(300)
        assert (await status_of(stage, "Available"))[0] == "True"
        clouds.asked = 0
        before = len(stage.writes)
        await asyncio.sleep(600)
        assert clouds.asked <= 16  # two links, two halves, two looks, two calls
        assert stage.writes[before:] == []

    staged(story)


def test_a_cluster_that_aws_does_not_trust_goes_without_its_endpoint() -> None:
    async def story(stage: Stage, clouds: Clouds) -> None:
        await stage.user.create(private("blue", "Private"))
        await asyncio.sleep(300)
        clouds.trusted = False
        await asyncio.sleep(400)
        assert (await status_of(stage, ENDPOINT)) == ("False", "not trusted")
        await stage.user.delete(kinds.HOSTED_CLUSTER, "blue", "clusters")
        await asyncio.sleep(300)
        assert await stage.user.find(kinds.HOSTED_CLUSTER, "blue", "clusters") is None
        assert clouds.services == {}
        assert clouds.endpoints != {}  # the command line removes it with the network

    staged(story)


@pytest.mark.parametrize(
    "forged",
    [
        {"networkLoadBalancerName": "of-another"},
        {"resourceTags": [{"key": "kubernetes.io/cluster/management", "value": "owned"}]},
    ],
)
def test_a_link_reaches_no_load_balancer_but_that_of_its_service(forged: Manifest) -> None:
    """Operators of a Dedicated cluster write its links; the keys are the operator's own."""

    async def story(stage: Stage, clouds: Clouds) -> None:
        await stage.user.create(private("blue", "Private"))
        await asyncio.sleep(200)
        before = set(clouds.balancers)
        assert len(before) == 1
        clouds.asked = 0
        for _ in range(5):  # the control plane's half puts it right again
            await stage.user.patch(LINK, "private-router", {"spec": forged}, "clusters-blue")
            await asyncio.sleep(20)
        assert clouds.balancers == before
        own = {"apiVersion": LINK.api_version, "kind": LINK.kind}
        name = {"name": "of-nothing", "namespace": "clusters-blue"}
        spec = {"networkLoadBalancerName": "of-another", **forged}
        await stage.user.create({**own, "metadata": name, "spec": spec})
        await asyncio.sleep(300)
        assert clouds.balancers == before
        assert Key("clusters-blue", "of-nothing") not in clouds.services
        assert (await status_of(stage, SERVICE))[0] == "True"

    staged(story)


def test_a_link_in_a_namespace_of_nobody_makes_nothing() -> None:
    """The operator's keys are its own: a link counts in a cluster's namespace alone."""

    async def story(stage: Stage, clouds: Clouds) -> None:
        await stage.user.create(private("blue", "Private"))
        await asyncio.sleep(200)
        before = dict(clouds.services)
        name = {"metadata": {"name": "elsewhere"}}
        await stage.user.create({"apiVersion": "v1", "kind": "Namespace", **name})
        forged = {
            "apiVersion": LINK.api_version,
            "kind": LINK.kind,
            "metadata": {"name": "private-router", "namespace": "elsewhere"},
            "spec": {"networkLoadBalancerName": "of-another"},
        }
        await stage.user.create(forged)
        status = {"status": {"endpointServiceName": "com.amazonaws.vpce.r.vpce-svc-1"}}
        place = (LINK, "private-router", status, "elsewhere")
        await stage.user.patch(*place, subresource="status")
        await asyncio.sleep(100)
        assert clouds.services == before
        clouds.asked = 0
        await stage.user.delete(LINK, "private-router", "elsewhere")
        await asyncio.sleep(100)
        found = await stage.user.find(LINK, "private-router", "elsewhere")
        assert clouds.services == before
        assert found is None

    staged(story)
