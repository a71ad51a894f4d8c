"""The ingress that clusters share, in a world where everything goes wrong.

Users create clusters behind it and beside it, claim names that another cluster has, change their
minds, delete, and meddle with the router. Whatever happened, in the end each name leads to one
cluster, every cluster with names of its own is available behind the address, the others say why
not, and a second look writes nothing.
"""

import asyncio
import re
from collections.abc import Awaitable, Callable, Iterator, Sequence
from typing import Any

import pytest
from tests.lib.planes import OLD, a_cluster, controllers, furnish, named
from tests.lib.seeded import Act, Story, User, tell, tell_seed
from tests.lib.seeds import seeds
from tests.lib.sim.faults import crashes
from tests.lib.sim.world import World
from tests.lib.stage import Stage, play

from hypershift.api.annotations import SHARED_INGRESS
from hypershift.api.well_known import SHARED_INGRESS_NAMESPACE
from hypershift.kit import Manifest, annotations_of, key_of
from hypershift.kube import kinds
from hypershift.operators.hypershift import Settings, shared_ingress
from hypershift.runtime import Controller, condition_of, is_true

SETTINGS = Settings(
    image="registry.example/hypershift:1",
    shared_ingress_image="registry.example/haproxy:3",
    published_domains=("example.com",),
)
NAME = re.compile(r"acl is_(\S+) req_ssl_sni -i (\S+)")
PLACE = SHARED_INGRESS_NAMESPACE


def all_controllers() -> list[Controller[Any]]:
    made = shared_ingress.controller(shared_ingress.Environment(SETTINGS))
    return [*controllers(SETTINGS), made]


def behind(name: str, called: str = "", **spec: Any) -> Manifest:
    """A cluster behind the shared ingress; it may want another one's names."""
    made = a_cluster(name, **{"services": named(called or name), **spec})
    made["metadata"]["annotations"] = {SHARED_INGRESS: "true"}
    return made


class Claimant(User):
    """A user who moves clusters behind the ingress and claims names of others."""

    names = ("blue", "green", "red")

    def acts(self) -> Sequence[Act]:
        return (
            self._create,
            self._create,
            self._toggle,
            self._claim,
            self._meddle,
            self.delete,
        )

    async def _create(self, name: str) -> None:
        await self._client.create(behind(name, self._rng.choice((name, name, self.names[0]))))

    async def _toggle(self, name: str) -> None:
        value = self._rng.choice(("true", None))
        patch = {"metadata": {"annotations": {SHARED_INGRESS: value}}}
        await self._client.patch(kinds.HOSTED_CLUSTER, name, patch, "clusters")

    async def _claim(self, name: str) -> None:
        patch = {"spec": {"services": named(self._rng.choice(self.names))}}
        await self._client.patch(kinds.HOSTED_CLUSTER, name, patch, "clusters")

    async def _meddle(self, name: str) -> None:
        victims = (
            (kinds.SERVICE, "router", PLACE),
            (kinds.DEPLOYMENT, "router", PLACE),
            (kinds.CONFIG_MAP, "router", PLACE),
            (kinds.ROLE, "router", PLACE),
            (kinds.SERVICE, "shared-ingress", f"clusters-{name}"),
            (kinds.SERVICE, "kube-apiserver", f"clusters-{name}"),
        )
        await self._client.delete(*self._rng.choice(victims))


def served(world: World) -> dict[str, str]:
    """The cluster that each name in the configuration leads to."""
    maps = world.server.all(kinds.CONFIG_MAP)
    place = ("router", PLACE)
    found = [
        one for one in maps if (one["metadata"]["name"], one["metadata"]["namespace"]) == place
    ]
    text = found[0]["data"]["haproxy.cfg"] if found else ""
    pairs = [(host, backend) for backend, host in NAME.findall(text)]
    assert len(dict(pairs)) == len(pairs), f"a name leads to two clusters: {pairs}"
    return {host: backend.split("-")[1] for host, backend in pairs}


def hosts(cluster: Manifest) -> set[str]:
    ways = (one["servicePublishingStrategy"] for one in cluster["spec"]["services"])
    return {way["route"]["hostname"] for way in ways}


def complaints(world: World) -> Iterator[str]:
    """What is not as it should be, now that the world is quiet."""
    leads = served(world)
    told = {
        one["metadata"]["namespace"]
        for one in world.server.all(kinds.SERVICE)
        if one["metadata"]["name"] == "shared-ingress"
    }
    expected: dict[str, str] = {}
    taken: list[str] = []
    for cluster in world.server.all(kinds.HOSTED_CLUSTER):
        name = cluster["metadata"]["name"]
        chosen = annotations_of(cluster).get(SHARED_INGRESS) == "true"
        if "another cluster's" in (condition_of(cluster, "ValidConfiguration") or {})["message"]:
            continue
        taken += hosts(cluster)
        if not is_true(cluster, "Available"):
            yield f"{name} is not available: {cluster.get('status')}"
        if chosen != (f"clusters-{name}" in told):
            yield f"{name} chose={chosen}, but those that were told are {told}"
        if chosen:
            expected |= dict.fromkeys(hosts(cluster), name)
    if len(set(taken)) != len(taken):
        yield f"two valid clusters have a name: {taken}"
    for host, name in expected.items():
        # The ignition server of a Shared operator has no Service in this world.
        if leads.get(host) != name and not host.startswith("ignition"):
            yield f"{host} leads to {leads.get(host)} instead of {name}"


def left_over(world: World) -> Iterator[str]:
    """What remains of clusters that are gone."""
    if left := served(world):
        yield f"names lead to clusters that are gone: {left}"
    for one in world.server.all(kinds.SERVICE):
        if one["metadata"]["name"] == "shared-ingress":
            yield f"left behind in {one['metadata']['namespace']}"
    for one in world.server.all(kinds.DEPLOYMENT):
        if one["metadata"]["namespace"] == PLACE and one["spec"]["replicas"]:
            yield "a router runs for nobody"


class SharedIngress(Story):
    """Clusters of three names want to be behind one ingress."""

    user_type = Claimant

    def controllers(self) -> list[Controller[Any]]:
        return all_controllers()

    def complaints(self) -> Iterator[str]:
        return complaints(self.world)

    def left_over(self) -> Iterator[str]:
        return left_over(self.world)


@pytest.mark.parametrize("seed", seeds(8, least=5))
def test_whatever_happens_each_name_leads_to_one_cluster(seed: int) -> None:
    assert tell_seed(SharedIngress, seed) == []


def test_without_faults_too() -> None:
    assert tell(SharedIngress, 1000) == []


def test_a_process_that_dies_again_and_again_between_two_writes_gets_there() -> None:
    assert tell(SharedIngress, 2000, crashes(50, every=0.7)) == []


def staged(story: Callable[[Stage], Awaitable[None]]) -> None:
    async def whole(stage: Stage) -> None:
        await furnish(stage)
        stage.manage(*all_controllers())
        await story(stage)

    play(whole)


async def status_of(stage: Stage, name: str, kind: str) -> tuple[str, str]:
    found = await stage.user.get(kinds.HOSTED_CLUSTER, name, "clusters")
    told = condition_of(found, kind) or {}
    return told["status"], told["message"]


def test_a_name_that_a_running_cluster_has_is_refused_and_given_when_it_is_free() -> None:
    async def story(stage: Stage) -> None:
        await stage.user.create(behind("thief", "later"))
        await asyncio.sleep(60)
        await stage.user.create(behind("owner"))
        await asyncio.sleep(60)
        # The older of the two asks for what the other one has.
        patch = {"spec": {"services": named("owner")}}
        await stage.user.patch(kinds.HOSTED_CLUSTER, "thief", patch, "clusters")
        await asyncio.sleep(60)
        status, text = await status_of(stage, "thief", "ValidConfiguration")
        assert status == "False"
        assert "host name api-owner.example.com is another cluster's" in text
        assert "clusters/owner" not in text
        assert (await status_of(stage, "owner", "Available"))[0] == "True"
        await stage.user.delete(kinds.HOSTED_CLUSTER, "owner", "clusters")
        await asyncio.sleep(200)
        assert (await status_of(stage, "thief", "ValidConfiguration"))[0] == "True"
        found = await stage.user.get(kinds.HOSTED_CLUSTER, "thief", "clusters")
        assert found["status"]["controlPlaneEndpoint"]["host"] == "api-owner.example.com"

    staged(story)


def test_a_running_cluster_that_asks_for_too_much_stays_where_it_is() -> None:
    """What is refused changes nothing: neither names nor the choice of the ingress."""

    async def story(stage: Stage) -> None:
        outside = behind("outside")
        del outside["metadata"]["annotations"]
        for cluster in (behind("owner"), behind("inside"), outside):
            await stage.user.create(cluster)
        await asyncio.sleep(90)
        before = await routing(stage)
        for name, wish in (("inside", None), ("outside", "true")):
            annotations = {"annotations": {SHARED_INGRESS: wish}}
            patch = {"metadata": annotations, "spec": {"services": named("owner")}}
            await stage.user.patch(kinds.HOSTED_CLUSTER, name, patch, "clusters")
        await asyncio.sleep(90)
        for name in ("inside", "outside"):
            assert (await status_of(stage, name, "ValidConfiguration"))[0] == "False"
            assert (await status_of(stage, name, "Available"))[0] == "True"
        assert await routing(stage) == before
        assert "api-inside.example.com" in before[0]
        assert before[1] == {"clusters-owner", "clusters-inside"}

    staged(story)


def test_a_cluster_that_is_deleted_is_served_until_its_machines_are_gone() -> None:
    """Without its API no kubelet ends its pods, and no machine would be drained."""

    async def story(stage: Stage) -> None:
        await stage.user.create(behind("leaving"))
        held = {"name": "workers", "namespace": "clusters", "finalizers": ["example.com/machines"]}
        pool = {"apiVersion": kinds.NODE_POOL.api_version, "kind": "NodePool", "metadata": held}
        spec = {"clusterName": "leaving", "release": {"image": OLD}, "replicas": 1}
        await stage.user.create(pool | {"spec": spec | {"platform": {"type": "Local"}}})
        await asyncio.sleep(90)
        before = await routing(stage)
        assert before[1] == {"clusters-leaving"}
        await stage.user.delete(kinds.HOSTED_CLUSTER, "leaving", "clusters")
        await asyncio.sleep(90)
        assert (await stage.user.get(kinds.NODE_POOL, "workers", "clusters"))["metadata"][
            "deletionTimestamp"
        ]
        assert await routing(stage) == before
        free = {"metadata": {"finalizers": None}}
        await stage.user.patch(kinds.NODE_POOL, "workers", free, "clusters")
        await asyncio.sleep(200)
        assert await stage.user.find(kinds.HOSTED_CLUSTER, "leaving", "clusters") is None
        text, told = await routing(stage)
        assert "leaving" not in text
        assert told == set()

    staged(story)


async def routing(stage: Stage) -> tuple[str, set[str]]:
    """The configuration of the ingress, and the control planes that were told its address."""
    found = await stage.user.get(kinds.CONFIG_MAP, "router", PLACE)
    services = await stage.user.list(kinds.SERVICE)
    told = {key_of(one).namespace for one in services if key_of(one).name == "shared-ingress"}
    return found["data"]["haproxy.cfg"], told


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        ({"services": named("x", "example.org")}, "api-x.example.org is not below example.com"),
        (
            {"services": a_cluster("x")["spec"]["services"]},
            "service APIServer is published by LoadBalancer instead of Route",
        ),
    ],
)
def test_what_the_ingress_cannot_serve_is_refused_and_the_others_do_not_notice(
    spec: Manifest, said: str
) -> None:
    async def story(stage: Stage) -> None:
        await stage.user.create(behind("good"))
        await stage.user.create(behind("bad", **spec))
        await asyncio.sleep(90)
        status, text = await status_of(stage, "bad", "ValidConfiguration")
        assert status == "False"
        assert said in text
        assert (await status_of(stage, "good", "Available"))[0] == "True"

    staged(story)


def test_two_clusters_with_one_id_are_two_for_the_ingress() -> None:
    async def story(stage: Stage) -> None:
        identity = {"clusterID": "6fb8a5f5-3e0c-4ca1-a0c9-1c5d6e7f8a9b"}
        await stage.user.create(behind("one", **identity))
        await asyncio.sleep(60)
        await stage.user.create(behind("two", **identity))
        await asyncio.sleep(60)
        status, text = await status_of(stage, "two", "ValidConfiguration")
        assert status == "False"
        assert f"spec.clusterID {identity['clusterID']} is another cluster's" in text

    staged(story)


def test_nothing_is_made_before_a_cluster_asks_for_it() -> None:
    async def story(stage: Stage) -> None:
        await stage.user.create(a_cluster("plain"))
        await asyncio.sleep(60)
        assert await stage.user.find(kinds.NAMESPACE, PLACE) is None

    staged(story)
