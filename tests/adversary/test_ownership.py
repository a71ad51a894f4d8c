"""Whose is it? A tenant takes, pauses, reads or deletes what belongs to others (C2, H1, H2)."""

import ast
import asyncio
import random
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from tests.lib import planes
from tests.lib.memory import MemoryClient
from tests.lib.stage import Stage, play
from tests.lib.workloads import Workloads
from tests.unit.operators.hypershift.node_pool.passes import a_pool as pool_of_passes
from tests.unit.operators.hypershift.node_pool.passes import a_world, condition, one_pass

from hypershift.api import annotations, labels
from hypershift.kit import Key, Manifest, annotations_of, deep_merge, key_of
from hypershift.kube import AlreadyExists, Client, Forbidden, NotFound, Resource, kinds
from hypershift.operators import hypershift
from hypershift.operators.hypershift import node_pool, ownership
from hypershift.operators.hypershift.node_pool.controller import DELETE
from hypershift.operators.hypershift.ownership import CLUSTER_UID, NotOurs, Owner, Standing
from hypershift.operators.hypershift.reach import OwnClient, Reach
from hypershift.runtime import condition_of, is_true

UP, GONE = 120.0, 120.0
POOL = annotations.NODE_POOL


def a_namespace(name: str, **metadata: Any) -> Manifest:
    return {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name, **metadata}}


def a_cluster(namespace: str, name: str, **spec: Any) -> Manifest:
    changed = {"metadata": {"namespace": namespace}}
    merged: Manifest = deep_merge(planes.a_cluster(name, **spec), changed)
    return merged


def a_pool(namespace: str, name: str, cluster: str) -> Manifest:
    changed = {"metadata": {"name": name, "namespace": namespace}, "spec": {"clusterName": cluster}}
    merged: Manifest = deep_merge(pool_of_passes(release={"image": planes.OLD}), changed)
    return merged


def a_deployment(namespace: str, name: str, pool: str) -> Manifest:
    return {
        "apiVersion": kinds.MACHINE_DEPLOYMENT.api_version,
        "kind": "MachineDeployment",
        "metadata": {"name": name, "namespace": namespace, "annotations": {POOL: pool}},
        "spec": {"replicas": 3, "template": {"metadata": {"annotations": {POOL: pool}}}},
    }


def a_secret(name: str, namespace: str, **data: bytes) -> Manifest:
    merged: Manifest = deep_merge(
        planes.a_secret(name, **data), {"metadata": {"namespace": namespace}}
    )
    return merged


async def a_tenant(user: Client, namespace: str) -> None:
    """Give a tenant a namespace with what clusters need."""
    if not await user.find(kinds.NAMESPACE, namespace):
        await user.create(a_namespace(namespace))
    await user.create(a_secret("pull", namespace, **{".dockerconfigjson": b"{}"}))


def staged(story: Callable[[Stage], Awaitable[None]]) -> None:
    """Run a story with all controllers of the operator."""

    async def whole(stage: Stage) -> None:
        await planes.prepare(stage.user)
        workloads = asyncio.create_task(Workloads(stage.user).run())
        pools = node_pool.controllers(node_pool.Environment(planes.Releases()))
        stage.manage(*planes.controllers(), *pools)
        try:
            await story(stage)
        finally:
            workloads.cancel()

    play(whole)


async def told(user: Client, key: Key, kind: str = "ValidConfiguration") -> Manifest:
    found = await user.get(kinds.HOSTED_CLUSTER, key.name, key.namespace)
    return condition_of(found, kind) or {}


async def is_available(user: Client, namespace: str, name: str) -> bool:
    return is_true(await user.get(kinds.HOSTED_CLUSTER, name, namespace), "Available")


def content(stage: Stage, namespace: str) -> dict[str, Manifest]:
    """Everything in a namespace, and itself; events of the people there aside."""
    return {
        f"{record.manifest['kind']} {record.key}": record.manifest
        for record in stage.server.store.everything()
        if namespace in (record.key.namespace, record.key.name)
        and record.manifest["kind"] != "Event"
    }


# C2: a namespace that somebody else made


@pytest.mark.parametrize(
    ("namespace", "name"), [("team", "red"), ("kube", "system"), ("cert", "a.b")]
)
def test_a_namespace_of_others_is_neither_changed_nor_deleted(namespace: str, name: str) -> None:
    async def story(stage: Stage) -> None:
        user, victim = stage.user, f"{namespace}-{name.replace('.', '-')}"
        await a_tenant(user, victim)
        await a_tenant(user, namespace)
        await user.create(a_secret("precious", victim, key=b"value"))
        before = content(stage, victim)
        await user.create(a_cluster(namespace, name))
        await asyncio.sleep(UP)
        assert content(stage, victim) == before
        refused = await told(user, Key(namespace, name))
        assert (refused["status"], refused["reason"]) == ("False", "InvalidConfiguration")
        assert f"{victim!r} exists already and was not made for" in refused["message"]
        assert "choose another name" in refused["message"]
        await user.delete(kinds.HOSTED_CLUSTER, name, namespace)
        await asyncio.sleep(GONE)
        assert content(stage, victim) == before
        assert not await user.find(kinds.HOSTED_CLUSTER, name, namespace)

    staged(story)


def test_a_running_cluster_in_the_namespace_of_the_victim_survives() -> None:
    async def story(stage: Stage) -> None:
        user = stage.user
        for namespace in ("team-red", "team"):
            await a_tenant(user, namespace)
        await user.create(a_cluster("team-red", "web"))
        await asyncio.sleep(UP)
        await user.create(a_cluster("team", "red"))
        await asyncio.sleep(UP)
        await user.delete(kinds.HOSTED_CLUSTER, "red", "team")
        await asyncio.sleep(GONE)
        assert not await user.find(kinds.HOSTED_CLUSTER, "red", "team")
        assert await is_available(user, "team-red", "web")
        assert await user.find(kinds.NAMESPACE, "team-red-web")

    staged(story)


def forged(key: str, **more: str) -> dict[str, Any]:
    marks = {annotations.CLUSTER: key, **more}
    return {"labels": {labels.HOSTED_CONTROL_PLANE: "true"}, "annotations": marks}


@pytest.mark.parametrize(
    "metadata",
    [
        forged("team/red"),
        forged("team/red", **{CLUSTER_UID: "another"}),
        {"annotations": {annotations.CLUSTER: "team/red"}},
        {"labels": {labels.HOSTED_CONTROL_PLANE: "true"}},
        forged("team/red/"),
        forged("team-red"),
    ],
)
def test_a_mark_that_does_not_prove_this_very_cluster_is_not_enough(metadata: Any) -> None:
    async def story(stage: Stage) -> None:
        user = stage.user
        await a_tenant(user, "team")
        await user.create(a_namespace("team-red", **metadata))
        await a_tenant(user, "team-red")
        before = content(stage, "team-red")
        await user.create(a_cluster("team", "red"))
        await asyncio.sleep(UP)
        assert (await told(user, Key("team", "red")))["status"] == "False"
        await user.delete(kinds.HOSTED_CLUSTER, "red", "team")
        await asyncio.sleep(GONE)
        assert content(stage, "team-red") == before
        assert not await user.find(kinds.HOSTED_CLUSTER, "red", "team")

    staged(story)


def test_of_two_clusters_that_mean_the_same_namespace_one_wins_and_the_other_takes_nothing() -> (
    None
):
    async def story(stage: Stage) -> None:
        user = stage.user
        for namespace in ("a", "a-b"):
            await a_tenant(user, namespace)
        rivals = (a_cluster("a", "b-c"), a_cluster("a-b", "c"), a_cluster("a", "b.c"))
        await asyncio.gather(*(user.create(one) for one in rivals))
        await asyncio.sleep(UP)
        up = [one for one in rivals if await is_available(user, *key_of(one))]
        assert len(up) == 1
        before = await user.get(kinds.NAMESPACE, "a-b-c")
        assert ownership.cluster_of(before) == key_of(up[0])
        for loser in (one for one in rivals if one not in up):
            refused = await told(user, key_of(loser))
            assert f"belongs to hosted cluster {key_of(up[0])}" in refused["message"]
            await user.delete(kinds.HOSTED_CLUSTER, *reversed(key_of(loser)))
        await asyncio.sleep(GONE)
        assert [key_of(one) for one in await user.list(kinds.HOSTED_CLUSTER)] == [key_of(up[0])]
        assert await is_available(user, *key_of(up[0]))
        after = await user.get(kinds.NAMESPACE, "a-b-c")
        assert after["metadata"]["uid"] == before["metadata"]["uid"]

    staged(story)


# Restarts, upgrades, restores


def test_a_namespace_with_the_mark_alone_is_finished_after_a_crash() -> None:
    async def story(stage: Stage) -> None:
        user = stage.user
        await a_tenant(user, "team")
        made = await user.create(a_cluster("team", "red", pausedUntil="true"))
        mark = ownership.mark(Owner(key_of(made), made["metadata"]["uid"]))
        await user.create(a_namespace("team-red", annotations=mark))
        await user.patch(kinds.HOSTED_CLUSTER, "red", {"spec": {"pausedUntil": None}}, "team")
        await asyncio.sleep(UP)
        assert await is_available(user, "team", "red")

    staged(story)


def test_a_namespace_that_an_older_operator_made_is_kept_marked_and_deleted() -> None:
    async def story(stage: Stage) -> None:
        user = stage.user
        await a_tenant(user, "team")
        made = await user.create(a_cluster("team", "red"))
        await asyncio.sleep(UP)
        unmarked = {"metadata": {"annotations": {CLUSTER_UID: None}}}
        await user.patch(kinds.NAMESPACE, "team-red", unmarked)
        await asyncio.sleep(UP)
        found = await user.get(kinds.NAMESPACE, "team-red")
        assert annotations_of(found)[CLUSTER_UID] == made["metadata"]["uid"]
        assert await is_available(user, "team", "red")
        await user.delete(kinds.HOSTED_CLUSTER, "red", "team")
        await asyncio.sleep(GONE)
        assert not await user.find(kinds.NAMESPACE, "team-red")

    staged(story)


def test_a_later_cluster_of_the_same_name_waits_for_an_administrator() -> None:
    async def story(stage: Stage) -> None:
        user, key = stage.user, Key("team", "red")
        await a_tenant(user, "team")
        kept = {"metadata": {"annotations": {annotations.SKIP_NAMESPACE_DELETION: "true"}}}
        await user.create(deep_merge(a_cluster(*key), kept))
        await asyncio.sleep(UP)
        await user.delete(kinds.HOSTED_CLUSTER, "red", "team")
        await asyncio.sleep(GONE)
        assert not await user.find(kinds.HOSTED_CLUSTER, "red", "team")
        before = content(stage, "team-red")
        made = await user.create(a_cluster(*key))
        await asyncio.sleep(UP)
        uid = made["metadata"]["uid"]
        refused = await told(user, key)
        assert "belongs to an earlier hosted cluster team/red" in refused["message"]
        assert f"{CLUSTER_UID}={uid}" in refused["message"]
        assert content(stage, "team-red") == before
        confirmed = {"metadata": {"annotations": {CLUSTER_UID: uid}}}
        await user.patch(kinds.NAMESPACE, "team-red", confirmed)
        await asyncio.sleep(UP)
        assert await is_available(user, *key)

    staged(story)


# H2: found by a name that the user chose


def test_a_refused_cluster_neither_pauses_nor_deletes_the_machines_of_another() -> None:
    async def story(stage: Stage) -> None:
        user = stage.user
        for namespace in ("a", "a-b"):
            await a_tenant(user, namespace)
        await user.create(a_cluster("a-b", "c", infraID="victim"))
        await asyncio.sleep(2 * UP)
        before = await user.get(kinds.CAPI_CLUSTER, "victim", "a-b-c")
        await user.create(a_cluster("a", "b-c", infraID="victim"))
        await asyncio.sleep(UP)
        await user.patch(kinds.HOSTED_CLUSTER, "b-c", {"spec": {"pausedUntil": "true"}}, "a")
        await asyncio.sleep(UP)
        paused = await user.get(kinds.CAPI_CLUSTER, "victim", "a-b-c")
        assert not paused["spec"].get("paused")
        await user.delete(kinds.HOSTED_CLUSTER, "b-c", "a")
        await asyncio.sleep(GONE)
        assert not await user.find(kinds.HOSTED_CLUSTER, "b-c", "a")
        after = await user.get(kinds.CAPI_CLUSTER, "victim", "a-b-c")
        assert after["metadata"]["uid"] == before["metadata"]["uid"]
        assert "deletionTimestamp" not in after["metadata"]

    staged(story)


# H1: a NodePool whose clusterName leads elsewhere


@pytest.mark.parametrize("with_cluster", [False, True])
def test_a_pool_whose_cluster_name_leads_elsewhere_touches_nothing(*, with_cluster: bool) -> None:
    async def story(stage: Stage) -> None:
        user = stage.user
        for namespace in ("team-red", "team"):
            await a_tenant(user, namespace)
        await user.create(a_cluster("team-red", "web"))
        await asyncio.sleep(UP)
        victim = await user.create(a_deployment("team-red-web", "web", "team-red/web"))
        if with_cluster:
            await user.create(a_cluster("team", "red-web"))
        await user.create(a_pool("team", "web", "red-web"))
        await asyncio.sleep(UP)
        pool = await user.get(kinds.NODE_POOL, "web", "team")
        ready = condition_of(pool, "Ready") or {}
        reason = "ControlPlaneNamespaceNotOwned" if with_cluster else "HostedClusterNotFound"
        assert (ready["status"], ready["reason"]) == ("False", reason)
        paused = {"spec": {"pausedUntil": "true"}}
        await user.patch(kinds.NODE_POOL, "web", paused, "team")
        await asyncio.sleep(UP)
        await user.delete(kinds.NODE_POOL, "web", "team")
        await asyncio.sleep(GONE)
        assert not await user.find(kinds.NODE_POOL, "web", "team")
        assert await user.get(kinds.MACHINE_DEPLOYMENT, "web", "team-red-web") == victim

    staged(story)


def test_a_refused_cluster_goes_with_its_pools() -> None:
    async def story(stage: Stage) -> None:
        user = stage.user
        for namespace in ("team-red", "team"):
            await a_tenant(user, namespace)
        await user.create(a_deployment("team-red", "web", "team/web"))
        await user.create(a_cluster("team", "red"))
        await user.create(a_pool("team", "web", "red"))
        await asyncio.sleep(UP)
        await user.delete(kinds.HOSTED_CLUSTER, "red", "team")
        await asyncio.sleep(GONE)
        assert not await user.find(kinds.HOSTED_CLUSTER, "red", "team")
        assert not await user.list(kinds.NODE_POOL, "team")
        assert await user.find(kinds.MACHINE_DEPLOYMENT, "web", "team-red")

    staged(story)


async def test_a_pool_outlives_its_cluster_without_hanging() -> None:
    kube = a_world(pool_of_passes())
    await one_pass(kube)
    assert await kube.find(kinds.MACHINE_DEPLOYMENT, "workers", "clusters-demo")
    await kube.delete(kinds.HOSTED_CLUSTER, "demo", "clusters")
    _, report = await one_pass(kube, DELETE)
    assert report.finished
    assert not await kube.find(kinds.MACHINE_DEPLOYMENT, "workers", "clusters-demo")


@pytest.mark.parametrize("kind", [kinds.MACHINE_SET, kinds.MACHINE_DEPLOYMENT])
async def test_a_pool_leaves_alone_what_another_pool_of_the_cluster_made(kind: Resource) -> None:
    kube = a_world(pool_of_passes())
    theirs = a_deployment("clusters-demo", "workers", "clusters/other")
    theirs |= {"apiVersion": kind.api_version, "kind": kind.kind}
    check = {
        "apiVersion": kinds.MACHINE_HEALTH_CHECK.api_version,
        "kind": "MachineHealthCheck",
        "metadata": {
            "name": "workers-spot",
            "namespace": "clusters-demo",
            "annotations": {POOL: "clusters/workers-spot"},
        },
    }
    before = [kube.put(theirs), kube.put(check)]
    scope, _ = await one_pass(kube)
    if kind == kinds.MACHINE_DEPLOYMENT:
        told_why = condition(scope, "Ready")
        assert told_why is not None
        assert told_why[:2] == ("False", "NameTaken")
    await one_pass(kube, DELETE)
    assert await kube.get(kind, "workers", "clusters-demo") == before[0]
    assert await kube.get(kinds.MACHINE_HEALTH_CHECK, "workers-spot", "clusters-demo") == before[1]


class WithoutProvider(MemoryClient):
    """A server that has no templates, as servers say it: no right first, then no such kind."""

    answer: type[Forbidden | NotFound] = NotFound

    async def list(self, resource: Resource, *args: Any, **options: Any) -> list[Manifest]:
        if resource.kind.endswith("MachineTemplate"):
            raise self.answer(403, "", f"{resource.plural} cannot be listed")
        return await super().list(resource, *args, **options)


@pytest.mark.parametrize("answer", [Forbidden, NotFound])
async def test_a_pool_of_a_platform_without_its_provider_can_be_deleted(
    answer: type[Forbidden | NotFound],
) -> None:
    kube = WithoutProvider(pool_of_passes(platform={"type": "AWS", "aws": {}}))
    kube.answer = answer
    for manifest in (await a_world(pool_of_passes()).get(kinds.NAMESPACE, "clusters-demo"),):
        kube.put(manifest)
    _, report = await one_pass(kube, DELETE)
    assert report.finished


# The client that asks


ME = Owner(Key("team", "red"), "1")


def a_client(*objects: Manifest) -> tuple[OwnClient, MemoryClient]:
    kube = MemoryClient(*objects)
    cluster = {"metadata": {"uid": ME.uid, "creationTimestamp": "2026-01-02T00:00:00Z"}}
    reach = Reach(kube, kube, ME.key, cluster)
    return OwnClient(kube, reach, random.Random(1)), kube  # noqa: S311 - ids of requests


def a_binding(**marks: str) -> Manifest:
    return {
        "apiVersion": "rbac.authorization.k8s.io/v1",
        "kind": "ClusterRoleBinding",
        "metadata": {"name": "operator-team-red", "annotations": marks},
    }


WRITES: dict[str, Callable[[Client], Awaitable[Any]]] = {
    "create": lambda kube: kube.create(a_secret("new", "team-red")),
    "apply": lambda kube: kube.apply(a_secret("theirs", "team-red")),
    "replace": lambda kube: kube.replace(a_secret("theirs", "team-red")),
    "patch": lambda kube: kube.patch(kinds.SECRET, "theirs", {"data": {}}, "team-red"),
    "delete": lambda kube: kube.delete(kinds.SECRET, "theirs", "team-red"),
    "delete all": lambda kube: kube.delete_collection(kinds.SECRET, "team-red"),
    "submit": lambda kube: kube.submit(kinds.SECRET, "theirs", "team-red", "status", {}),
    "label": lambda kube: kube.apply(a_namespace("team-red")),
    "delete namespace": lambda kube: kube.delete(kinds.NAMESPACE, "team-red"),
    "elsewhere": lambda kube: kube.create(a_secret("new", "kube-system")),
    "another namespace": lambda kube: kube.patch(kinds.NAMESPACE, "kube-system", {}),
    "binding": lambda kube: kube.apply(a_binding()),
    "delete binding": lambda kube: kube.delete(kinds.CLUSTER_ROLE_BINDING, "operator-team-red"),
}
FOREIGN: dict[str, dict[str, str]] = {
    "no mark": {},
    "another cluster": ownership.mark(Owner(Key("team-red", ""), "1")),
    "an earlier cluster": ownership.mark(Owner(ME.key, "0")),
}


@pytest.mark.parametrize("write", WRITES.values(), ids=WRITES.keys())
@pytest.mark.parametrize("marks", FOREIGN.values(), ids=FOREIGN.keys())
async def test_nothing_is_written_where_others_are(
    marks: dict[str, str], write: Callable[[Client], Awaitable[Any]]
) -> None:
    guarded, kube = a_client(
        a_namespace("team-red", annotations=marks),
        a_namespace("kube-system"),
        a_secret("theirs", "team-red", password=b"secret"),
        a_binding(**marks),
    )
    with pytest.raises(NotOurs):
        await write(guarded)
    assert kube.writes == []
    assert await guarded.find(kinds.SECRET, "theirs", "team-red") is None
    assert await guarded.list(kinds.SECRET, "team-red") == []


async def test_an_existing_namespace_cannot_be_taken_by_creating_it() -> None:
    guarded, kube = a_client(a_namespace("team-red"))
    with pytest.raises(AlreadyExists):
        await guarded.create(a_namespace("team-red", annotations=ownership.mark(ME)))
    assert kube.writes == []


async def test_what_carries_the_mark_is_written_and_deleted() -> None:
    mine = ownership.mark(ME)
    guarded, kube = a_client(a_namespace("team-red", annotations=mine), a_binding(**mine))
    await guarded.apply(a_secret("new", "team-red"))
    await guarded.apply(a_binding(**mine))
    await guarded.delete(kinds.CLUSTER_ROLE_BINDING, "operator-team-red")
    await guarded.delete(kinds.NAMESPACE, "team-red")
    assert not await kube.find(kinds.NAMESPACE, "team-red")


@pytest.mark.parametrize(
    ("made", "plane", "standing"),
    [
        ("2026-01-02T00:00:00Z", "team/red", Standing.OURS),
        ("2026-01-03T00:00:00Z", "team/red", Standing.OURS),
        ("2026-01-01T00:00:00Z", "team/red", Standing.FOREIGN),  # adopted by an older operator
        ("2026-01-03T00:00:00Z", "team-red/x", Standing.FOREIGN),
        ("2026-01-03T00:00:00Z", "", Standing.FOREIGN),
    ],
)
async def test_an_older_mark_needs_a_control_plane_and_a_later_birth(
    made: str, plane: str, standing: Standing
) -> None:
    older = {"apiVersion": kinds.HOSTED_CONTROL_PLANE.api_version, "kind": "HostedControlPlane"}
    metadata = {"name": "red", "namespace": "team-red"}
    marked = older | {"metadata": metadata | {"annotations": {annotations.CLUSTER: plane}}}
    namespace = a_namespace("team-red", creationTimestamp=made, **forged("team/red"))
    kube = MemoryClient(namespace, *([marked] if plane else []))
    cluster = {"metadata": {"uid": ME.uid, "creationTimestamp": "2026-01-02T00:00:00Z"}}
    assert await Reach(kube, kube, ME.key, cluster).look() is standing


# At rest, and by construction


def test_a_pass_at_rest_asks_the_server_nothing() -> None:
    async def story(stage: Stage) -> None:
        user = stage.user
        await a_tenant(user, "team")
        await user.create(a_cluster("team", "red"))
        await asyncio.sleep(2 * UP)
        stage.requests.clear()
        woken = {"metadata": {"annotations": {"example.com/again": "1"}}}
        await user.patch(kinds.HOSTED_CLUSTER, "red", woken, "team")
        await asyncio.sleep(10)
        assert stage.writes == []
        asked = [one.path for one in stage.requests if one.method == "GET"]
        assert not [path for path in asked if path.startswith("/api/v1/namespaces/team-red")]

    staged(story)


def test_no_phase_goes_round_the_client_that_asks() -> None:
    folder = Path(hypershift.__file__).parent
    phases = [*folder.glob("hosted_cluster/**/*.py"), *folder.glob("node_pool/**/*.py")]
    round_it = [
        f"{path.relative_to(folder)}:{node.lineno}"
        for path in phases
        if path.name != "scope.py"
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Attribute)
        and node.attr in ("kube", "live")
        and isinstance(node.value, ast.Attribute)
        and node.value.attr == "context"
    ]
    assert round_it == []


def test_an_unbuilt_platform_is_the_cause_that_is_named() -> None:
    async def story(stage: Stage) -> None:
        user, key = stage.user, Key("team", "red")
        await a_tenant(user, "team")
        none = {"image": "registry.example/none:1"}
        await user.create(a_cluster(*key, platform={"type": "Moon"}, release=none))
        await asyncio.sleep(UP)
        for kind in ("Progressing", "Available"):
            assert "SupportedHostedCluster" in (await told(user, key, kind))["message"]
        assert (await told(user, key, "IgnitionEndpointAvailable"))["status"] == "False"
        await user.delete(kinds.HOSTED_CLUSTER, "red", "team")
        await asyncio.sleep(GONE)
        assert not await user.find(kinds.HOSTED_CLUSTER, "red", "team")

    staged(story)
