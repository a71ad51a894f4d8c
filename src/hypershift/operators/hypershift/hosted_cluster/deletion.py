"""Deletes a hosted cluster in the order in which its parts need each other.

    orphaned machines -> node pools -> machines -> private links -> control plane
    -> infrastructure object
    -> Cluster API's Cluster -> what lies outside -> documents -> pods -> namespace
    -> cluster-wide RBAC
    -> marks on the user's objects -> grace period

Each step schedules the next pass and reports in a condition what it waits for and since when.
"""

from datetime import timedelta

from hypershift.api import NodePool, annotations, read
from hypershift.api.conditions import (
    ControlPlaneCondition,
    HostedClusterReason,
    holds,
    true,
)
from hypershift.kit import Manifest, annotations_of, from_rfc3339, go_duration
from hypershift.kit.duration import format_duration
from hypershift.kube import NotFound, Resource, kinds
from hypershift.operators.hypershift import ownership
from hypershift.operators.hypershift.hosted_cluster import names
from hypershift.operators.hypershift.hosted_cluster.chain import set_paused
from hypershift.operators.hypershift.hosted_cluster.rules.conditions import (
    carried_over,
    repeated,
)
from hypershift.operators.hypershift.hosted_cluster.scope import ClusterScope
from hypershift.operators.hypershift.hosted_cluster.sync import RESOURCES
from hypershift.operators.hypershift.hosted_cluster.waiting import (
    DESTROYED,
    held_machines,
    listed,
    wait,
)
from hypershift.operators.hypershift.ownership import Ownership
from hypershift.runtime import Done, Outcome, Stop

#: How long the control plane operator has for the endpoint of a link.
LINK_PATIENCE = timedelta(minutes=10)


async def observe_deletion(scope: ClusterScope) -> Outcome:
    """Read what is left, and copy the cloud conditions of the control plane.

    Absent objects decide what happens next, so these reads go to the server and not to a cache.
    """
    name, namespace = scope.key.name, scope.namespace
    if await scope.reach.look_again() is Ownership.FOREIGN:
        text = f"nothing is deleted with this hosted cluster: {await scope.reach.problem()}"
        await scope.events.warning("NamespaceNotOwned", text)
    scope.control_plane = await scope.live.find(kinds.HOSTED_CONTROL_PLANE, name, namespace)
    plane = scope.control_plane
    rules = scope.cloud.rules
    if plane and plane["metadata"].get("deletionTimestamp"):
        clouds = (ControlPlaneCondition.CLOUD_RESOURCES_DESTROYED, *rules.copied_in_deletion)
        for kind in clouds:
            if fresh := carried_over(plane, kind, scope.conditions.get(kind)):
                scope.conditions.set(fresh)
    for kind in rules.always_copied:
        scope.conditions.set(repeated(plane, kind))
    return Done()


async def wake_machines(scope: ClusterScope) -> Outcome:
    """Resume a paused control plane, and copy the order to clean up its cloud resources."""
    await set_paused(scope, paused=False)
    if names.CLEANUP_CLOUD_RESOURCES in scope.annotations and scope.control_plane:
        value = scope.annotations[names.CLEANUP_CLOUD_RESOURCES]
        if annotations_of(scope.control_plane).get(names.CLEANUP_CLOUD_RESOURCES) != value:
            patch = {"metadata": {"annotations": {names.CLEANUP_CLOUD_RESOURCES: value}}}
            name = scope.key.name
            await scope.kube.patch(kinds.HOSTED_CONTROL_PLANE, name, patch, scope.namespace)
    return Done()


async def release_orphans(scope: ClusterScope) -> Outcome:
    """Take the finalizers off machines that the cloud's provider can never delete."""
    orphans = scope.platform.orphans if scope.platform else None
    if orphans is None:
        return Done()
    try:
        machines = await scope.live.list(orphans.resource, scope.namespace)
    except NotFound:
        return Done()  # the provider's kinds are not installed
    for machine in machines:
        metadata, now = machine["metadata"], scope.clock.now()
        gone = bool(metadata.get("deletionTimestamp"))
        if gone and orphans.is_abandoned(scope.cluster, machine, now):
            before = metadata.get("finalizers") or []
            left = [each for each in before if orphans.finalizer not in ("", each)]
            if left != before:
                patch = {"metadata": {"finalizers": left}}
                await scope.kube.patch(orphans.resource, metadata["name"], patch, scope.namespace)
    return Done()


async def delete_pools(scope: ClusterScope) -> Outcome:
    """Delete the node pools and wait until their machines are gone."""
    pools = [
        pool
        for pool in await scope.live.list(kinds.NODE_POOL, scope.key.namespace)
        if read(NodePool, pool).spec.cluster_name == scope.key.name
    ]
    for pool in pools:
        await _delete(scope, kinds.NODE_POOL, pool)
    if not pools:
        return Done()
    reason, what = HostedClusterReason.DELETING_NODE_POOLS, f"node pools {listed(pools)}"
    return wait(scope, reason, what, held_machines(await _machines(scope)))


async def _machines(scope: ClusterScope) -> list[Manifest]:
    """The machines of the cluster; none where Cluster API is not installed."""
    try:
        return await scope.live.list(kinds.MACHINE, scope.namespace)
    except NotFound:
        return []


async def delete_capi_cluster(scope: ClusterScope) -> Outcome:
    """Delete the CAPI Cluster and wait until Cluster API let go of it."""
    name = scope.wanted.infra_id or ""
    try:
        live = scope.live
        found = await live.find(kinds.CAPI_CLUSTER, name, scope.namespace) if name else None
    except NotFound:
        found = None  # Cluster API itself is not installed
    if found is None or names.cluster_of(found) != scope.key:
        return Done()
    machines = await _machines(scope)
    if not machines:
        # Cluster API would delete the next two itself, asking every five seconds for each; it need
        # not have the right to delete the control plane either.
        if isinstance(links := await delete_links(scope), Stop):
            return links
        if scope.control_plane:
            return await delete_control_plane(scope)
        if infra := await _infra_object(scope, found):
            return infra
    await _delete(scope, kinds.CAPI_CLUSTER, found)
    what = f"Cluster API cluster {name}"
    return wait(scope, HostedClusterReason.DELETING_MACHINES, what, held_machines(machines))


async def _infra_object(scope: ClusterScope, cluster: Manifest) -> Stop | None:
    """Delete the infrastructure object of a Cluster without machines; None once it is gone."""
    name = str(((cluster.get("spec") or {}).get("infrastructureRef") or {}).get("name", ""))
    resource = scope.platform.infra_resource if scope.platform else None
    if not name or resource is None:
        return None
    found = await scope.live.find(resource, name, scope.namespace)
    if found is None or names.cluster_of(found) != scope.key:
        return None
    await _delete(scope, resource, found)
    return wait(scope, HostedClusterReason.DELETING_MACHINES, f"{resource.kind} {name}")


async def delete_platform_leftovers(scope: ClusterScope) -> Outcome:
    """Delete what the platform made outside the control plane namespace."""
    if scope.platform is None:
        return Done()
    for resource, key in scope.platform.leftovers(scope.facts()):
        await scope.kube.delete(resource, key.name, key.namespace)
    return Done()


async def delete_links(scope: ClusterScope) -> Outcome:
    """Delete private links while the hosted API server lives: by its tokens endpoints go.

    Endpoints that the control plane operator cannot delete are left to whoever removes the network.
    """
    links = scope.cloud.links
    if links is None or links.halves is None or not await scope.reach.owns_plane():
        return Done()
    try:
        found = await scope.live.list(links.resource, scope.namespace)
    except NotFound:
        return Done()  # the kind is not installed
    if found:
        await _make_no_more(scope)
    for link in found:
        await _delete(scope, links.resource, link)
        if _is_stuck(scope, link):
            metadata = link["metadata"]
            before = metadata.get("finalizers") or []
            left = [each for each in before if each != links.halves.endpoint_finalizer]
            if left != before:
                patch = {"metadata": {"finalizers": left}}
                await scope.kube.patch(links.resource, metadata["name"], patch, scope.namespace)
    if not found:
        return Done()
    reason, what = HostedClusterReason.DELETING_LINKS, f"private links {listed(found)}"
    return wait(scope, reason, what)


async def _make_no_more(scope: ClusterScope) -> None:
    """Tell the control plane operator, which would write a link again that is missing."""
    plane, mark = scope.control_plane, {annotations.DELETES_LINKS: "true"}
    if plane and not mark.items() <= annotations_of(plane).items():
        patch, name = {"metadata": {"annotations": mark}}, scope.key.name
        await scope.kube.patch(kinds.HOSTED_CONTROL_PLANE, name, patch, scope.namespace)


def _is_stuck(scope: ClusterScope, link: Manifest) -> bool:
    """Whether no controller can remove the endpoint of a deleted link, or none did for long."""
    since = link["metadata"].get("deletionTimestamp")
    needed = scope.cloud.rules.cleanup_needs
    if not since:
        return False
    trusted = needed is None or holds(scope.conditions.get(needed))
    return not trusted or scope.clock.now() - from_rfc3339(since) > LINK_PATIENCE


async def delete_control_plane(scope: ClusterScope) -> Outcome:
    """Delete the control plane; its own operator has to live until it is gone."""
    if scope.control_plane is None:
        return Done()
    await _delete(scope, kinds.HOSTED_CONTROL_PLANE, scope.control_plane)
    return wait(
        scope, HostedClusterReason.DELETING_CONTROL_PLANE, f"hosted control plane {scope.key.name}"
    )


async def delete_namespace(scope: ClusterScope) -> Outcome:
    """Delete the control plane namespace and everything in it."""
    found = scope.namespace_object
    keep = scope.annotations.get(names.SKIP_DELETE_NAMESPACE) == "true"
    if found is None or keep or not await scope.reach.owns_plane():
        return Done()
    await _delete(scope, kinds.NAMESPACE, found)
    return wait(scope, HostedClusterReason.DELETING_NAMESPACE, f"namespace {scope.namespace}")


async def delete_cluster_roles(scope: ClusterScope) -> Outcome:
    """Delete the cluster-wide roles and bindings that were made for this cluster."""
    chosen = ",".join(f"{name}={value}" for name, value in scope.owned_label().items())
    for resource in (kinds.CLUSTER_ROLE_BINDING, kinds.CLUSTER_ROLE):
        for found in await scope.kube.list(resource, labels=chosen):
            if ownership.may_change(found, scope.reach.owner):
                await _delete(scope, resource, found)
    return Done()


async def forget_references(scope: ClusterScope) -> Outcome:
    """Take our marks off the user's Secrets and ConfigMaps."""
    mark = names.referenced_annotation(scope.key)
    for resource in RESOURCES.values():
        for found in await scope.kube.list(resource, scope.key.namespace):
            if mark in annotations_of(found):
                patch = {"metadata": {"annotations": {mark: None}}}
                name, namespace = found["metadata"]["name"], scope.key.namespace
                await scope.kube.patch(resource, name, patch, namespace)
    return Done()


async def grant_grace(scope: ClusterScope) -> Outcome:
    """Keep the finished HostedCluster for a while, for those who read its last conditions."""
    text = scope.annotations.get(names.DESTROY_GRACE_PERIOD, "")
    if not text:
        return Done()
    period = go_duration(text)
    if period <= timedelta(0):
        return Done()
    shown = format_duration(period)
    scope.conditions.set(
        true(DESTROYED, f"Grace period set: {shown}", HostedClusterReason.WAITING_FOR_GRACE_PERIOD)
    )
    found = scope.conditions.get(DESTROYED) or {}
    left = from_rfc3339(found["lastTransitionTime"]) + period - scope.clock.now()
    if left <= timedelta(0):
        return Done()
    return Stop(HostedClusterReason.WAITING_FOR_GRACE_PERIOD, f"{text} grace period", left)


async def _delete(scope: ClusterScope, resource: Resource, found: Manifest) -> None:
    metadata = found["metadata"]
    if not metadata.get("deletionTimestamp"):
        name, namespace = metadata["name"], metadata.get("namespace", "")
        await scope.kube.delete(resource, name, namespace, uid=metadata["uid"])
