"""What a deleted pool waits for."""

from datetime import timedelta

from tests.unit.operators.hypershift.node_pool.passes import a_pool, a_world, one_pass

from hypershift.kube import kinds
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
