"""Machines of others: no cluster or pool pauses or deletes them (H1, H2)."""

import asyncio
from typing import Any

import pytest
from tests.adversary.tenants import (
    GONE,
    POOL,
    UP,
    a_cluster,
    a_deployment,
    a_pool,
    a_tenant,
    staged,
)
from tests.lib.memory import MemoryClient
from tests.lib.stage import Stage
from tests.unit.operators.hypershift.node_pool.passes import a_pool as pool_of_passes
from tests.unit.operators.hypershift.node_pool.passes import a_world, condition, one_pass

from hypershift.kit import Manifest
from hypershift.kube import Forbidden, NotFound, Resource, kinds
from hypershift.operators.hypershift.node_pool.controller import DELETE
from hypershift.runtime import condition_of


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
