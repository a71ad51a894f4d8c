"""What is taken down with a pool, in the order in which nothing is left behind."""

from datetime import timedelta

from hypershift.kit import annotations_of
from hypershift.kube import Resource, kinds
from hypershift.operators.hypershift.node_pool import names, observe
from hypershift.operators.hypershift.node_pool.machine_phases import delete_templates
from hypershift.operators.hypershift.node_pool.scope import PoolScope
from hypershift.runtime import Done, Outcome, Stop

RETRY = timedelta(seconds=5)
#: Templates of the platforms whose machines Cluster API makes.
_TEMPLATES: dict[str, Resource] = {"Local": kinds.LOCAL_MACHINE_TEMPLATE}


async def find_namespace(scope: PoolScope) -> Outcome:
    """Find the control plane namespace, also when the cluster is gone already."""
    name = scope.spec["clusterName"]
    found = await scope.kube.find(kinds.HOSTED_CLUSTER, name, scope.key.namespace)
    nothing = {"metadata": {"name": name, "namespace": scope.key.namespace}, "spec": {}}
    scope.hosted_cluster = found or nothing
    return Done()


async def delete_machines(scope: PoolScope) -> Outcome:
    """Delete what makes machines, then wait until the machines are gone: they need secrets."""
    name, namespace = scope.key.name, scope.namespace
    if resource := _TEMPLATES.get(scope.spec["platform"]["type"]):
        await delete_templates(scope, resource, keep=set())
    for kind in (kinds.MACHINE_DEPLOYMENT, kinds.MACHINE_HEALTH_CHECK, kinds.MACHINE_SET):
        if await scope.kube.find(kind, name, namespace):
            await scope.kube.delete(kind, name, namespace)
    label = f"{names.NODE_POOL}={name}"
    for config_map in await scope.kube.list(kinds.CONFIG_MAP, namespace, labels=label):
        await scope.kube.delete(kinds.CONFIG_MAP, config_map["metadata"]["name"], namespace)
    left = observe.of_pool(await scope.kube.list(kinds.MACHINE, namespace), scope.object)
    if left:
        message = f"{len(left)} machines are still being deleted"
        return Stop("MachinesDeleting", message, after=RETRY)
    return Done()


async def delete_secrets(scope: PoolScope) -> Outcome:
    """Delete tokens and user data, which no machine needs any more."""
    mine = names.pool_value(scope.object)
    for secret in await scope.kube.list(kinds.SECRET, scope.namespace):
        if annotations_of(secret).get(names.NODE_POOL) == mine:
            name = secret["metadata"]["name"]
            await scope.kube.delete(kinds.SECRET, name, scope.namespace)
    return Done()
