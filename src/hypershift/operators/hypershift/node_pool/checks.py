"""Conditions of a pool that follow from its spec alone: each function returns one."""

from datetime import datetime, timedelta

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
from hypershift.kit import InvalidSpec, Manifest
from hypershift.operators.hypershift.node_pool import openshift_release
from hypershift.platforms import platform_of
from hypershift.release import Release, Version, why_no_skew, why_unsupported
from hypershift.runtime.pause import FOREVER, is_unreadable, pause_left

SKEW = NodePoolConditionType.SUPPORTED_VERSION_SKEW
#: What nothing wakes us for is looked at again after a while, by the reason of the wait.
REQUEUE: dict[str, timedelta] = {
    ControlPlaneReason.EXTERNAL_DNS_NOT_REACHABLE: timedelta(seconds=10)
}


def autoscaling(pool: Manifest) -> Condition:
    """Whether the autoscaler decides about the number of machines."""
    kind = NodePoolConditionType.AUTOSCALING_ENABLED
    scaling = pool["spec"].get("autoScaling")
    if not scaling:
        return false(kind, Reason.AS_EXPECTED)
    low, high = scaling.get("min") or 0, scaling["max"]
    platform = platform_of(pool["spec"])
    if scaling.get("min") == 0 and not platform.pools.scales_from_zero:
        message = f"Autoscaling from zero (min=0) is not supported for {platform.type} platform"
        return false(kind, NodePoolReason.VALIDATION_FAILED, message)
    return true(kind, f"Maximum nodes: {high}, Minimum nodes: {low}")


def update_management(pool: Manifest) -> Condition:
    """Whether the pool says how its machines are to be renewed."""
    kind = NodePoolConditionType.UPDATE_MANAGEMENT_ENABLED
    management = pool["spec"].get("management") or {}
    if management.get("upgradeType") == "InPlace":
        return true(kind)
    why = _why_no_replacement(management)
    return false(kind, NodePoolReason.VALIDATION_FAILED, why) if why else true(kind)


def _why_no_replacement(management: Manifest) -> str:
    replace = management.get("replace")
    if management.get("upgradeType") != "Replace" or replace is None:
        return (
            'this is unsupported. "Replace" upgrade type and a strategy: "RollingUpdate" or '
            '"OnDelete" are required'
        )
    if replace.get("strategy") not in ("RollingUpdate", "OnDelete"):
        return (
            'this is unsupported. "Replace" upgrade type only support strategies "OnDelete" and '
            '"RollingUpdate"'
        )
    if replace["strategy"] == "RollingUpdate" and replace.get("rollingUpdate") is None:
        return (
            'this is unsupported. "Replace" upgrade type with strategy "RollingUpdate" require a '
            "MaxUnavailable and MaxSurge"
        )
    return ""


def architecture(pool: Manifest) -> Condition:
    """Whether machines with that processor exist on the platform."""
    platform, arch = platform_of(pool["spec"]), pool["spec"].get("arch") or "amd64"
    kind = NodePoolConditionType.VALID_ARCH_PLATFORM
    if arch in platform.pools.architectures:
        return true(kind)
    message = f"CPU arch {arch} is not supported for platform: {platform.type}, use 'amd64' instead"
    return false(kind, NodePoolReason.INVALID_ARCH_PLATFORM, message)


def payload_architecture(pool: Manifest, hosted_cluster: Manifest) -> str:
    """Say why the release has no images for the pool's processors; empty when it has."""
    payload = (hosted_cluster.get("status") or {}).get("payloadArch", "")
    arch = pool["spec"].get("arch") or "amd64"
    if not payload or payload.upper() == "MULTI" or payload.upper() == arch.upper():
        return ""
    return (
        f"NodePool CPU arch, {arch}, is not supported by the HostedCluster payload type, "
        f"{payload}; either change the NodePool CPU arch or use a multi-arch release image"
    )


def pause(pool: Manifest, now: datetime) -> Condition:
    """What `spec.pausedUntil` comes to."""
    kind, left = NodePoolConditionType.RECONCILIATION_ACTIVE, pause_left(pool, now)
    if left is not None:
        until = " field removed" if left == FOREVER else f": {pool['spec']['pausedUntil']}"
        message = f"Reconciliation paused until{until}"
        return false(kind, Reason.RECONCILIATION_PAUSED, message)
    if is_unreadable(pool):
        message = "Invalid value provided for PausedUntil field"
        return true(kind, message, Reason.INVALID_PAUSED_UNTIL)
    message = "Reconciliation active on resource"
    return true(kind, message, NodePoolReason.RECONCILIATION_ACTIVE)


def why_no_release(release: Release, *, current: str, newest: str, hosted_cluster: Manifest) -> str:
    """Say why machines may not run a release in this cluster; empty when they may."""
    if release.openshift:
        return openshift_release.why_not(
            release.version, current=current, newest=newest, hosted_cluster=hosted_cluster
        )
    if newest and Version.parse(newest) < release.semantic:
        return (
            f'the latest version supported is: "{newest}". Attempting to use: "{release.version}"'
        )
    return why_unsupported(release.product, release.semantic)


def skew(release: Release, hosted_cluster: Manifest) -> Condition:
    """Whether kubelets of that release may join the control plane; it never stops anything."""
    if (hosted_cluster.get("status") or {}).get("version") is None:
        return _unknown_skew(
            "HostedCluster version is not available yet, waiting for version information"
        )
    version = control_plane_version(hosted_cluster)
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


def completed_version(hosted_cluster: Manifest) -> str:
    """The version that the cluster has been rolled out to: what a pool may not exceed."""
    history = ((hosted_cluster.get("status") or {}).get("version") or {}).get("history") or ()
    for entry in history:
        if entry.get("completionTime"):
            version: str = entry.get("version", "")
            return version
    return ""


def control_plane_version(hosted_cluster: Manifest) -> str:
    """The version of the control plane: the newest completed, else the newest, else the wish."""
    status = (hosted_cluster.get("status") or {}).get("version") or {}
    history = status.get("history") or []
    completed = [entry for entry in history if entry.get("state") == "Completed"]
    newest = (completed or history or [status.get("desired") or {}])[0]
    version: str = newest.get("version", "")
    return version
