"""What is taken down with a pool, in the order in which nothing is left behind."""

from datetime import timedelta

from hypershift.api.conditions import ForeignReason, NodePoolConditionType, NodePoolReason, false
from hypershift.kit import Manifest, annotations_of
from hypershift.kube import NotFound, Resource, kinds
from hypershift.operators.hypershift.node_pool import image_cache, names
from hypershift.operators.hypershift.node_pool.rules import health_check, machine_state
from hypershift.operators.hypershift.node_pool.scope import PoolScope
from hypershift.operators.hypershift.node_pool.templates import delete_templates
from hypershift.runtime import Done, Outcome, Phase, Stop

RETRY = timedelta(seconds=5)
READY = NodePoolConditionType.READY


def reported(phase: Phase[PoolScope]) -> Phase[PoolScope]:
    """The same phase; the pool's Ready condition reports what the deletion waits for."""

    async def run(scope: PoolScope) -> Outcome:
        try:
            outcome = await phase(scope)
        except Exception as error:
            text = f"it cannot be deleted: {error}"
            scope.conditions.set(false(READY, NodePoolReason.DELETION_FAILED, text))
            raise
        if isinstance(outcome, Stop):
            scope.conditions.set(false(READY, ForeignReason(outcome.reason), outcome.message))
        return outcome

    run.__name__ = run.__qualname__ = getattr(phase, "__name__", "")
    return run


async def find_namespace(scope: PoolScope) -> Outcome:
    """Find the control plane namespace, also when the cluster is gone already.

    In one that is not of the pool's own cluster the later phases find nothing to delete.
    """
    name = scope.wanted.cluster_name
    found = await scope.kube.find(kinds.HOSTED_CLUSTER, name, scope.key.namespace)
    uid = next((one["uid"] for one in _owners(scope) if one.get("name") == name), "")
    gone = {"metadata": {"name": name, "namespace": scope.key.namespace, "uid": uid}, "spec": {}}
    scope.hosted_cluster = found or gone
    scope.reach.belongs_to(scope.hosted_cluster)
    return Done()


def _owners(scope: PoolScope) -> list[Manifest]:
    owners = scope.object["metadata"].get("ownerReferences") or ()
    return [one for one in owners if one.get("kind") == kinds.HOSTED_CLUSTER.kind]


async def delete_machines(scope: PoolScope) -> Outcome:
    """Delete what makes machines, then wait until the machines are gone: they need secrets."""
    name, namespace = scope.key.name, scope.namespace
    if machines := scope.pools.machines:
        await delete_templates(scope, machines.resource, keep=set())
    spot = health_check.spot_name(name)
    for kind, one in (
        (kinds.MACHINE_DEPLOYMENT, name),
        (kinds.MACHINE_HEALTH_CHECK, name),
        (kinds.MACHINE_HEALTH_CHECK, spot),
        (kinds.MACHINE_SET, name),
    ):
        found = await scope.kube.find(kind, one, namespace)
        if found and scope.made_for_pool(found):
            await _wake(scope, kind, found)
            await scope.kube.delete(kind, one, namespace, uid=found["metadata"]["uid"])
    label = f"{names.NODE_POOL}={name}"
    for config_map in await scope.kube.list(kinds.CONFIG_MAP, namespace, labels=label):
        await scope.kube.delete(kinds.CONFIG_MAP, config_map["metadata"]["name"], namespace)
    left = machine_state.of_pool(await _listed(scope, kinds.MACHINE), scope.pool)
    if left or await _makers(scope):
        message = f"{len(left)} machines are still being deleted"
        return Stop(NodePoolReason.MACHINES_DELETING, message, after=RETRY)
    return Done()


async def _wake(scope: PoolScope, resource: Resource, found: Manifest) -> None:
    """End the pause of a deleted pool: Cluster API deletes nothing that is paused."""
    if names.PAUSED in annotations_of(found):
        patch = {"metadata": {"annotations": {names.PAUSED: None}}}
        await scope.kube.patch(resource, found["metadata"]["name"], patch, scope.namespace)


async def _listed(scope: PoolScope, resource: Resource) -> list[Manifest]:
    """The objects beside the control plane; none where Cluster API is not installed."""
    try:
        return await scope.kube.list(resource, scope.namespace)
    except NotFound:
        return []


async def _makers(scope: PoolScope) -> list[Manifest]:
    """What may still make machines: a MachineSet outlives its deployment by a moment."""
    deployment = await scope.kube.find(kinds.MACHINE_DEPLOYMENT, scope.key.name, scope.namespace)
    sets = await _listed(scope, kinds.MACHINE_SET)
    made = [one for one in sets if scope.made_for_pool(one)]
    return [*made, *([deployment] if deployment and scope.made_for_pool(deployment) else [])]


async def delete_secrets(scope: PoolScope) -> Outcome:
    """Delete tokens and user data, which no machine needs any more."""
    mine = names.pool_value(scope.pool)
    for secret in await scope.kube.list(kinds.SECRET, scope.namespace):
        if annotations_of(secret).get(names.NODE_POOL) == mine:
            name = secret["metadata"]["name"]
            await scope.kube.delete(kinds.SECRET, name, scope.namespace)
    return Done()


async def delete_cached_image(scope: PoolScope) -> Outcome:
    """Delete the copy of the boot image that the machines were cloned from."""
    if scope.pools.image_cache:
        await image_cache.drop(scope, scope.pools.image_cache)
    return Done()
