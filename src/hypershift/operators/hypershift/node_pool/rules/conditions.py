"""Conditions of a pool that follow from its spec alone: each function returns one."""

from datetime import datetime, timedelta

from hypershift.api import HostedCluster, NodePool
from hypershift.api.conditions import (
    Condition,
    ControlPlaneReason,
    NodePoolConditionType,
    NodePoolReason,
    Reason,
    false,
    true,
    unknown,
)
from hypershift.api.node_pool import Management
from hypershift.api.values import UpdateState, UpgradeStrategy, UpgradeType
from hypershift.kit import InvalidSpec, Manifest
from hypershift.operators.hypershift.node_pool.rules import openshift_release
from hypershift.platforms import platform_named
from hypershift.release import Release, Version, why_no_skew, why_unsupported
from hypershift.runtime.pause import FOREVER, is_unreadable, pause_left

SKEW = NodePoolConditionType.SUPPORTED_VERSION_SKEW
#: What nothing wakes us for is looked at again after a while, by the reason of the wait.
REQUEUE: dict[str, timedelta] = {
    ControlPlaneReason.EXTERNAL_DNS_NOT_REACHABLE: timedelta(seconds=10)
}


def autoscaling(pool: NodePool) -> Condition:
    """Whether the autoscaler decides about the number of machines."""
    kind = NodePoolConditionType.AUTOSCALING_ENABLED
    scaling = pool.spec.auto_scaling
    if not scaling:
        return false(kind, Reason.AS_EXPECTED)
    low, high = scaling.min or 0, scaling.max
    platform = platform_named(pool.spec.platform.type)
    if scaling.min == 0 and not platform.pools.scales_from_zero:
        message = f"Autoscaling from zero (min=0) is not supported for {platform.type} platform"
        return false(kind, NodePoolReason.VALIDATION_FAILED, message)
    return true(kind, f"Maximum nodes: {high}, Minimum nodes: {low}")


def update_management(pool: NodePool) -> Condition:
    """Whether the pool has a valid upgrade strategy."""
    kind = NodePoolConditionType.UPDATE_MANAGEMENT_ENABLED
    if pool.spec.management.upgrade_type == UpgradeType.IN_PLACE:
        return true(kind)
    why = _why_no_replacement(pool.spec.management)
    return false(kind, NodePoolReason.VALIDATION_FAILED, why) if why else true(kind)


def _why_no_replacement(management: Management) -> str:
    replace = management.replace
    if management.upgrade_type != UpgradeType.REPLACE or replace is None:
        return (
            'this is unsupported. "Replace" upgrade type and a strategy: "RollingUpdate" or '
            '"OnDelete" are required'
        )
    if replace.strategy not in frozenset(UpgradeStrategy):
        return (
            'this is unsupported. "Replace" upgrade type only support strategies "OnDelete" and '
            '"RollingUpdate"'
        )
    if replace.strategy == UpgradeStrategy.ROLLING_UPDATE and replace.rolling_update is None:
        return (
            'this is unsupported. "Replace" upgrade type with strategy "RollingUpdate" require a '
            "MaxUnavailable and MaxSurge"
        )
    return ""


def architecture(pool: NodePool) -> Condition:
    """Whether machines with that processor exist on the platform."""
    platform, arch = platform_named(pool.spec.platform.type), pool.spec.arch or "amd64"
    kind = NodePoolConditionType.VALID_ARCH_PLATFORM
    if arch in platform.pools.architectures:
        return true(kind)
    message = f"CPU arch {arch} is not supported for platform: {platform.type}, use 'amd64' instead"
    return false(kind, NodePoolReason.INVALID_ARCH_PLATFORM, message)


def payload_architecture(pool: NodePool, cluster: HostedCluster) -> str:
    """Return why the release has no images for the pool's processors; empty when it has."""
    payload = cluster.status.payload_arch or ""
    arch = pool.spec.arch or "amd64"
    if not payload or payload.upper() == "MULTI" or payload.upper() == arch.upper():
        return ""
    return (
        f"NodePool CPU arch, {arch}, is not supported by the HostedCluster payload type, "
        f"{payload}; either change the NodePool CPU arch or use a multi-arch release image"
    )


def pause(pool: NodePool, manifest: Manifest, now: datetime) -> Condition:
    """What `spec.pausedUntil` comes to; the runtime reads it from the manifest."""
    kind, left = NodePoolConditionType.RECONCILIATION_ACTIVE, pause_left(manifest, now)
    if left is not None:
        until = " field removed" if left == FOREVER else f": {pool.spec.paused_until}"
        message = f"Reconciliation paused until{until}"
        return false(kind, Reason.RECONCILIATION_PAUSED, message)
    if is_unreadable(manifest):
        message = "Invalid value provided for PausedUntil field"
        return true(kind, message, Reason.INVALID_PAUSED_UNTIL)
    message = "Reconciliation active on resource"
    return true(kind, message, NodePoolReason.RECONCILIATION_ACTIVE)


def why_no_release(release: Release, *, current: str, newest: str, cluster: HostedCluster) -> str:
    """Return why machines may not run a release in this cluster; empty when they may."""
    if release.openshift:
        return openshift_release.why_not(
            release.version, current=current, newest=newest, cluster=cluster
        )
    if newest and Version.parse(newest) < release.semantic:
        return (
            f'the latest version supported is: "{newest}". Attempting to use: "{release.version}"'
        )
    return why_unsupported(release.product, release.semantic)


def skew(release: Release, cluster: HostedCluster) -> Condition:
    """Whether kubelets of that release may join the control plane; it never stops anything."""
    if cluster.status.version is None:
        return _unknown_skew(
            "HostedCluster version is not available yet, waiting for version information"
        )
    version = control_plane_version(cluster)
    try:
        plane = Version.parse(version)
    except InvalidSpec as error:
        return _unknown_skew(f"Failed to parse control plane version ({version}): {error}")
    try:
        nodes = release.semantic
    except InvalidSpec as error:
        return _unknown_skew(f"Failed to parse NodePool version ({release.version}): {error}")
    return _skew(plane, nodes, release, version)


def _unknown_skew(message: str) -> Condition:
    return unknown(SKEW, NodePoolReason.VALIDATION_FAILED, message)


def _skew(plane: Version, nodes: Version, release: Release, version: str) -> Condition:
    if release.openshift and (
        why := openshift_release.why_unknown(plane) or openshift_release.why_unknown(nodes)
    ):
        return false(SKEW, NodePoolReason.UNSUPPORTED_SKEW, why)
    if not why_no_skew(plane, nodes):
        return true(SKEW, "Release image version is valid")
    if plane.minors_above(nodes) <= 0:
        message = (
            f"NodePool version {release.version} cannot be higher than the HostedCluster version "
            f"{version}"
        )
    else:
        message = (
            f"NodePool minor version {nodes.line} is less than {_oldest(plane)}, which is the "
            f"minimum NodePool version compatible with the {plane.line} HostedCluster"
        )
    return false(SKEW, NodePoolReason.UNSUPPORTED_SKEW, message)


def _oldest(plane: Version) -> str:
    """Three minors before the control plane's; 5.0 comes where 4.23 would."""
    minor = plane.counted() % 1000 - 3
    return openshift_release.line(minor) if plane.counted() >= 4000 else f"{plane.major}.{minor}"  # noqa: PLR2004 - OpenShift 4 and 5


def completed_version(cluster: HostedCluster) -> str:
    """The version that the cluster has been rolled out to: what a pool may not exceed."""
    version = cluster.status.version
    completed = (each for each in (version.history if version else ()) if each.completion_time)
    return next((each.version or "" for each in completed), "")


def control_plane_version(cluster: HostedCluster) -> str:
    """The version of the control plane: the newest completed, else the newest, else the wish."""
    version = cluster.status.version
    if version is None:
        return ""
    completed = [each for each in version.history if each.state == UpdateState.COMPLETED]
    newest = next(iter((*completed, *version.history)), None)
    return (newest.version if newest else version.desired.version) or ""
