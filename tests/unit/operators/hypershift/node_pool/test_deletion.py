"""What a deleted pool waits for."""

from datetime import timedelta
from typing import Any

from tests.lib.memory import MemoryClient
from tests.unit.operators.hypershift.node_pool.passes import (
    a_cluster,
    a_namespace,
    a_pool,
    a_world,
    condition,
    one_pass,
)

from hypershift.kit import Manifest
from hypershift.kube import Resource, Unavailable, kinds
from hypershift.operators.hypershift.node_pool import names
from hypershift.operators.hypershift.node_pool.controller import DELETE


async def test_deletion_keeps_secrets_until_the_last_machine_is_gone() -> None:
    kube = a_world(a_pool())
    scope, _ = await one_pass(kube)
    marks = {names.NODE_POOL: "clusters/workers"}
    metadata = {"name": "m", "namespace": "clusters-demo", "annotations": marks}
    kube.put({"apiVersion": "cluster.x-k8s.io/v1beta2", "kind": "Machine", "metadata": metadata})
    _, report = await one_pass(kube, DELETE)
    name = f"token-workers-{scope.wanted_config.hash}"
    assert report.stop is not None
    assert report.stop.after == timedelta(seconds=5)
    assert await kube.find(kinds.SECRET, name, "clusters-demo")
    assert await kube.find(kinds.MACHINE_DEPLOYMENT, "workers", "clusters-demo") is None
    await kube.delete(kinds.MACHINE, "m", "clusters-demo")
    _, report = await one_pass(kube, DELETE)
    assert report.finished
    assert await kube.find(kinds.SECRET, name, "clusters-demo") is None
    assert await kube.list(kinds.LOCAL_MACHINE_TEMPLATE, "clusters-demo") == []


async def test_deletion_waits_for_machine_sets_that_outlive_their_deployment() -> None:
    kube = a_world(a_pool())
    await one_pass(kube)
    template = {"metadata": {"annotations": {names.NODE_POOL: "clusters/workers"}}}
    kube.put(
        {
            "apiVersion": "cluster.x-k8s.io/v1beta2",
            "kind": "MachineSet",
            "metadata": {"name": "workers-x7k2p", "namespace": "clusters-demo"},
            "spec": {"template": template},
        }
    )
    _, report = await one_pass(kube, DELETE)
    assert report.stop is not None
    assert report.stop.reason == "MachinesDeleting"
    await kube.delete(kinds.MACHINE_SET, "workers-x7k2p", "clusters-demo")
    _, report = await one_pass(kube, DELETE)
    assert report.finished


async def test_a_paused_pool_that_goes_wakes_cluster_api() -> None:
    kube = a_world(a_pool())
    await one_pass(kube)
    mark = {"metadata": {"annotations": {names.PAUSED: "true"}}}
    await kube.patch(kinds.MACHINE_DEPLOYMENT, "workers", mark, "clusters-demo")
    kube.writes.clear()
    await one_pass(kube, DELETE)
    made = [verb for verb, kind, _ in kube.writes if kind == "MachineDeployment"]
    assert made == ["patch", "delete"]


class Broken(MemoryClient):
    """A server that does not list machines."""

    async def list(self, resource: Resource, *args: Any, **options: Any) -> list[Manifest]:
        if resource == kinds.MACHINE:
            raise Unavailable(503, "", "machines cannot be listed")
        return await super().list(resource, *args, **options)


async def test_what_keeps_a_pool_from_its_end_is_said() -> None:
    kube = Broken(a_pool(), a_cluster(), a_namespace())
    scope, report = await one_pass(kube, DELETE)
    assert report.errors
    ready = condition(scope, "Ready")
    assert ready is not None
    assert ready[:2] == ("False", "DeletionFailed")
    assert "machines cannot be listed" in ready[2]
