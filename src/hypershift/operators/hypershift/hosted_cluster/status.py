"""Roll the control plane's state up into the HostedCluster's status."""

from datetime import timedelta

from hypershift.api.conditions import (
    HostedClusterCondition,
    HostedClusterReason,
    fails,
    unknown,
)
from hypershift.api.publishing import published_by
from hypershift.api.values import EtcdManagementType, PublishingStrategyType, ServiceType
from hypershift.kit import Manifest
from hypershift.kube import ApiError, kinds
from hypershift.operators.hypershift.hosted_cluster import access, names
from hypershift.operators.hypershift.hosted_cluster.ignition import ignition_endpoint
from hypershift.operators.hypershift.hosted_cluster.links import tell_links
from hypershift.operators.hypershift.hosted_cluster.rules import conditions as rules
from hypershift.operators.hypershift.hosted_cluster.rules.node_conditions import (
    KARPENTER,
    auto_node,
    live_migratable,
    uses_karpenter,
)
from hypershift.operators.hypershift.hosted_cluster.rules.version import version_status
from hypershift.operators.hypershift.hosted_cluster.scope import ClusterScope
from hypershift.runtime import Done, Outcome, Wait, active_condition, is_true

#: Fields that the status of cluster and control plane share.
SHARED_FIELDS = (
    "autoNode",
    "configuration",
    "controlPlaneVersion",
    "oauthCallbackURLTemplate",
    "platform",
    "secretEncryption",
)
HTTPS_PORT = 443
AGAIN = timedelta(seconds=10)
MARKED_AFTER = timedelta(seconds=1)
ARCHITECTURES = {"multi": "Multi"}  # all others are written in capitals


async def roll_up(scope: ClusterScope) -> Outcome:
    """Fill the status: versions, endpoints, references, conditions."""
    kind = HostedClusterCondition.RECONCILIATION_ACTIVE
    scope.conditions.set(active_condition(kind, scope.object, scope.clock.now()))
    _fields(scope)
    _version(scope)
    await access.tell_access(scope)
    await _ignition(scope)
    await _unmanaged_etcd(scope)
    await _auto_node(scope)
    await tell_links(scope)
    _conditions(scope)
    if scope.status.get("ignitionEndpoint"):
        return Done()
    # The shared server's Service belongs to no cluster, so that its address wakes none.
    return Wait("AwaitingIgnition", AGAIN)


def _fields(scope: ClusterScope) -> None:
    theirs = (scope.control_plane or {}).get("status") or {}
    for field in SHARED_FIELDS if scope.control_plane else ():
        if field in theirs:
            scope.status[field] = theirs[field]
        else:
            scope.status.pop(field, None)
    if endpoint := theirs.get("controlPlaneEndpoint"):
        routed = published_by(scope.wanted, ServiceType.API_SERVER, PublishingStrategyType.ROUTE)
        scope.status["controlPlaneEndpoint"] = (
            endpoint | {"port": HTTPS_PORT} if routed else dict(endpoint)
        )
    if scope.data_plane_release and scope.data_plane_release.architecture:
        architecture = scope.data_plane_release.architecture
        scope.status["payloadArch"] = ARCHITECTURES.get(architecture, architecture.upper())


def _version(scope: ClusterScope) -> None:
    theirs = (scope.control_plane or {}).get("status") or {}
    if reported := theirs.get("versionStatus"):
        scope.status["version"] = reported
        return
    release = scope.data_plane_release
    scope.status["version"] = version_status(
        scope.status.get("version"),
        scope.wanted.release.image,
        release.version if release else "",
        scope.generation,
        scope.clock.now(),
        rolled_out=scope.control_plane_status.release_image or "",
        allowed=release is not None and not rules_block(scope),
    )


def rules_block(scope: ClusterScope) -> bool:
    """Whether a check refuses the wanted release."""
    found = (scope.conditions.get(kind) for kind in rules.GATES)
    return bool(scope.refused) or any(fails(one) for one in found)


async def _ignition(scope: ClusterScope) -> None:
    reachable, endpoint = await ignition_endpoint(scope)
    scope.conditions.set(reachable)
    if endpoint:
        scope.status["ignitionEndpoint"] = endpoint


async def _unmanaged_etcd(scope: ClusterScope) -> None:
    etcd = scope.wanted.etcd
    if etcd.management_type != EtcdManagementType.UNMANAGED:
        return
    name = etcd.unmanaged.tls.client_secret.name if etcd.unmanaged else ""
    secret = await scope.kube.find(kinds.SECRET, name, scope.key.namespace) if name else None
    scope.conditions.set(rules.unmanaged_etcd(scope.wanted, secret))


async def _auto_node(scope: ClusterScope) -> None:
    place = scope.namespace
    running = [name for name in KARPENTER if await scope.kube.find(kinds.DEPLOYMENT, name, place)]
    components: list[Manifest] = []
    if uses_karpenter(scope.wanted):
        try:
            components = await scope.kube.list(kinds.CONTROL_PLANE_COMPONENT, place)
        except ApiError as error:
            kind = HostedClusterCondition.AUTO_NODE_ENABLED
            text = f"failed to list ControlPlaneComponents: {error}"
            scope.conditions.set(
                unknown(kind, HostedClusterReason.AUTO_NODE_EVALUATION_FAILED, text)
            )
            return
    scope.conditions.set(auto_node(scope.wanted, components, running))


def _conditions(scope: ClusterScope) -> None:
    plane, conditions = scope.control_plane, scope.conditions
    for copy in rules.copied_conditions(plane, scope.cloud):
        conditions.set(copy)
    for kind in rules.vanished(plane):
        conditions.remove(kind)
    if scope.cloud.rules.reports_live_migration:
        conditions.set(live_migratable(scope.pools))
    # In this order, so that Available shows what blocks a cluster in the same pass.
    moving = rules.progressing(
        conditions,
        no_release=scope.no_release,
        refused=scope.refused,
        rolling_out=rules.moving(scope.status, scope.wanted, scope.data_plane_release),
    )
    conditions.set(moving)
    conditions.set(rules.available(plane, conditions.get(HostedClusterCondition.PROGRESSING)))


async def follow_restore(scope: ClusterScope) -> None:
    """Report the progress of a restore, and remove its annotation once it is done."""
    if names.RESTORED_FROM_BACKUP not in scope.annotations:
        return
    restored = rules.restored(scope.control_plane)
    scope.conditions.set(restored)
    if restored.is_true:
        mark = {"metadata": {"annotations": {names.RESTORED_FROM_BACKUP: None}}}
        await scope.kube.patch(kinds.HOSTED_CLUSTER, scope.key.name, mark, scope.key.namespace)


async def remember_availability(scope: ClusterScope) -> Outcome:
    """Stamp a cluster that was available once: later passes treat it with more care."""
    if scope.has_been_available or not is_true(
        {"status": scope.status}, HostedClusterCondition.AVAILABLE
    ):
        return Done()
    if not is_true(scope.object, HostedClusterCondition.AVAILABLE):
        # Clients wait for the status that this pass writes, but not for the annotation.
        return Wait("AvailableJustNow", MARKED_AFTER)
    mark = {"metadata": {"annotations": {names.HAS_BEEN_AVAILABLE: "true"}}}
    await scope.kube.patch(kinds.HOSTED_CLUSTER, scope.key.name, mark, scope.key.namespace)
    return Done()
