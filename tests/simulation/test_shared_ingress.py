"""The ingress that clusters share, in a world where everything goes wrong.

Users create clusters behind it and beside it, claim names that another cluster has, change their
minds, delete, and meddle with the router. Whatever happened, in the end each name leads to one
cluster, every cluster with names of its own is available behind the address, the others say why
not, and a second look writes nothing.
"""

import asyncio
import os
import random
import re
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import pytest
from tests.lib import virtual
from tests.lib.planes import OLD, Operator, a_cluster, controllers, named, prepare
from tests.lib.sim.faults import Fault, Kind, drawn
from tests.lib.sim.schedule import quiet_logs
from tests.lib.sim.world import World, stream
from tests.lib.stage import Stage, play
from tests.lib.workloads import Workloads

from hypershift.api.annotations import SHARED_INGRESS
from hypershift.api.well_known import SHARED_INGRESS_NAMESPACE
from hypershift.kit import Manifest, annotations_of, key_of
from hypershift.kube import ApiError, Client, kinds
from hypershift.operators.hypershift import Settings, shared_ingress
from hypershift.runtime import Controller, condition_of, is_true

STORY, QUIET, MOST = 40.0, 100.0, 3000.0
SEEDS = max(5, int(os.environ.get("HYPERSHIFT_SEEDS", "40")) // 8)
FIRST = int(os.environ.get("HYPERSHIFT_FIRST_SEED", "0"))
NAMES = ("blue", "green", "red")
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


class Everything(Operator):
    """A process with all three controllers."""

    def controllers(self) -> list[Controller[Any]]:
        return all_controllers()


def behind(name: str, called: str = "", **spec: Any) -> Manifest:
    """A cluster behind the shared ingress; it may want another one's names."""
    made = a_cluster(name, **{"services": named(called or name), **spec})
    made["metadata"]["annotations"] = {SHARED_INGRESS: "true"}
    return made


class User:
    """Somebody who changes their mind, and sometimes meddles."""

    def __init__(self, client: Client, rng: random.Random) -> None:
        self._client, self._rng = client, rng

    async def live(self) -> None:
        acts = (self._create, self._create, self._toggle, self._claim, self._meddle, self._delete)
        for moment in sorted(self._rng.uniform(0, STORY) for _ in range(12)):
            await asyncio.sleep(max(0.0, moment - asyncio.get_running_loop().time()))
            with suppress(ApiError):
                await self._rng.choice(acts)(self._rng.choice(NAMES))

    async def _create(self, name: str) -> None:
        await self._client.create(behind(name, self._rng.choice((name, name, NAMES[0]))))

    async def _toggle(self, name: str) -> None:
        value = self._rng.choice(("true", None))
        patch = {"metadata": {"annotations": {SHARED_INGRESS: value}}}
        await self._client.patch(kinds.HOSTED_CLUSTER, name, patch, "clusters")

    async def _claim(self, name: str) -> None:
        patch = {"spec": {"services": named(self._rng.choice(NAMES))}}
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

    async def _delete(self, name: str) -> None:
        await self._client.delete(kinds.HOSTED_CLUSTER, name, "clusters")

    async def delete_all(self) -> None:
        for name in NAMES:
            await self._delete(name)


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
    for complaint in left_over(world):
        yield complaint


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


async def _tell(seed: int, faults: tuple[Fault, ...]) -> list[str]:
    world = World(seed, lambda: controllers()[:1], faults)
    world.processes = [Everything(world, 0)]
    user = User(world.client("user"), world.stream("user"))
    await prepare(world.client("owner"))
    workloads = Workloads(world.client("player"), lambda: world.changes)
    world.start()
    world.spawn(workloads.run(), "player")
    try:
        return [complaint async for complaint in _acts(world, user)]
    finally:
        await world.stop()


def tell(seed: int, faults: tuple[Fault, ...]) -> list[str]:
    with quiet_logs():
        return virtual.run(_tell(seed, faults))


@pytest.mark.parametrize("seed", range(FIRST, FIRST + SEEDS))
def test_whatever_happens_each_name_leads_to_one_cluster(seed: int) -> None:
    assert tell(seed, drawn(stream(seed, "faults"), until=STORY, processes=1, most=8)) == []


def test_without_faults_too() -> None:
    assert tell(1000, ()) == []


def test_a_process_that_dies_again_and_again_between_two_writes_gets_there() -> None:
    kinds_ = (Kind.CRASH_BEFORE, Kind.CRASH_AFTER)
    faults = tuple(Fault(index * 0.7, kinds_[index % 2]) for index in range(50))
    assert tell(2000, faults) == []


def staged(story: Any) -> None:
    async def whole(stage: Stage) -> None:
        await prepare(stage.user)
        workloads = asyncio.create_task(Workloads(stage.user).run())
        stage.manage(*all_controllers())
        try:
            await story(stage)
        finally:
            workloads.cancel()

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
