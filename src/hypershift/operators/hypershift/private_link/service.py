"""The phases that act: where the endpoint has to be, and the service of the cloud."""

from hypershift.api import annotations
from hypershift.kit import annotations_of, key_of
from hypershift.operators.hypershift.private_link.scope import LinkScope
from hypershift.platforms.links import REMOVING, ServiceFacts
from hypershift.runtime import Done, Outcome, Stop, Wait


async def write_subnets(scope: LinkScope) -> Outcome:
    """Write where the endpoint has to be; the write itself brings the next pass."""
    mark = {annotations.CLUSTER: str(key_of(scope.cluster_object))}
    is_marked = mark.items() <= annotations_of(scope.object).items()
    if is_marked and scope.halves.subnets_of(scope.object) == scope.subnets:
        return Done()
    patch = {"metadata": {"annotations": mark}, "spec": {scope.halves.subnets: list(scope.subnets)}}
    await scope.kube.patch(scope.links.resource, scope.key.name, patch, scope.namespace)
    return Stop("SubnetsWritten", "the link is looked at again with its subnets")


async def keep_service(scope: LinkScope) -> Outcome:
    """Bring the service of the cloud to what the link needs; one that works rests for a while."""
    now, memory = scope.clock.now(), scope.environment.looked
    made_of = (scope.object["metadata"].get("generation"), scope.cluster.spec.platform)
    if (left := memory.rests(scope.key, now, made_of, scope.status)) is not None:
        return Wait("Works", left)
    facts = ServiceFacts(scope.object, now, scope.cluster, scope.subnets, owner=scope.owner)
    kept = await scope.side.keep(facts)
    for condition in kept.conditions:
        scope.conditions.set(condition)
    kept.write(scope.status)
    memory.note(scope.key, now, made_of, scope.status, works=kept.works)
    return Wait("LookAgain", kept.after)


async def remove_service(scope: LinkScope) -> Outcome:
    """Remove the service of the cloud."""
    ours = scope.reach is not None and scope.reach.plane == scope.namespace
    if scope.reach is None or not ours or not await scope.reach.owns_plane():
        return Done()
    facts = ServiceFacts(scope.object, scope.clock.now(), owner=scope.owner)
    left = await scope.side.remove(facts)
    if left:
        return Stop("Removing", f"waiting for {left}", REMOVING)
    scope.environment.looked.forget(scope.key)
    return Done()
