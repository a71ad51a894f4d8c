"""A HostedCluster's conditions, as its control plane and its own checks decide them."""

from collections.abc import Iterator
from dataclasses import replace

from hypershift.api.conditions import (
    COPIED,
    COPIED_OF_VERSION,
    COPIED_ON_PLATFORM,
    COPIED_WHERE_STATED,
    COPIED_WHILE_PRESENT,
    Condition,
    ConditionStatus,
    ConditionType,
    ControlPlaneCondition,
    ControlPlaneReason,
    HostedClusterCondition,
    HostedClusterReason,
    Reason,
    copied,
    fails,
    false,
    holds,
    true,
    unknown,
)
from hypershift.api.hosted_cluster import HostedClusterSpec
from hypershift.kit import Manifest
from hypershift.platforms import Platform
from hypershift.release import Release
from hypershift.runtime import Conditions, condition_of

NO_CONTROL_PLANE = "The hosted control plane is not found"
NOT_DEGRADED = "The hosted cluster is not degraded"
_INVERTED = {
    ConditionStatus.TRUE: ConditionStatus.FALSE,
    ConditionStatus.FALSE: ConditionStatus.TRUE,
    ConditionStatus.UNKNOWN: ConditionStatus.UNKNOWN,
}

#: While one of these is False a cluster waits for its user; the first one is the reason.
GATES = (
    HostedClusterCondition.VALID_CONFIGURATION,
    HostedClusterCondition.SUPPORTED,
    HostedClusterCondition.RECONCILIATION_ACTIVE,
    HostedClusterCondition.VALID_RELEASE_IMAGE,
)


def copied_conditions(control_plane: Manifest | None, platform: Platform) -> Iterator[Condition]:
    """The conditions of the control plane under the HostedCluster's names."""
    for kind in COPIED:
        found = condition_of(control_plane or {}, kind)
        yield copied(found, kind) if found else _unknown(kind, control_plane)
    for kind in COPIED_OF_VERSION:
        found = condition_of(control_plane or {}, kind)
        yield copied(found, kind) if found else _no_version(kind)
    for kind in (*COPIED_WHERE_STATED, *COPIED_ON_PLATFORM.get(platform.type, ())):
        if found := condition_of(control_plane or {}, kind):
            yield copied(found, kind)
    for kind in COPIED_WHILE_PRESENT:
        if known := _known(control_plane, kind):
            yield copied(known, kind)
    for kind in platform.rules.always_copied:
        yield repeated(control_plane, kind)
    yield _succeeding(control_plane)
    yield _degraded(control_plane)


def vanished(control_plane: Manifest | None) -> Iterator[ControlPlaneCondition]:
    """The conditions that the control plane no longer has an opinion on."""
    for kind in COPIED_WHILE_PRESENT:
        if _known(control_plane, kind) is None:
            yield kind


def _known(control_plane: Manifest | None, kind: ConditionType) -> Manifest | None:
    found = condition_of(control_plane or {}, kind)
    return found if found and found.get("reason") != Reason.STATUS_UNKNOWN else None


def carried_over(
    control_plane: Manifest, kind: ConditionType, known: Manifest | None
) -> Condition | None:
    """Copy clean-up conditions from a control plane that is being deleted; None if unchanged."""
    found = condition_of(control_plane, kind)
    fresh = copied(found, kind) if found else unknown(kind)
    return None if known and known.get("message", "") == fresh.message else fresh


def restored(control_plane: Manifest | None) -> Condition:
    """Whether a cluster that was restored from a backup runs again; its operator knows."""
    kind = ControlPlaneCondition.RESTORED_FROM_BACKUP
    found = condition_of(control_plane or {}, kind)
    return copied(found, kind) if found else unknown(kind, ControlPlaneReason.RECOVERY_FINISHED)


def repeated(control_plane: Manifest | None, kind: ControlPlaneCondition) -> Condition:
    """A condition of the control plane; Unknown while the control plane does not report it."""
    found = condition_of(control_plane or {}, kind)
    return copied(found, kind) if found else unknown(kind)


def available(control_plane: Manifest | None, progressing: Manifest | None) -> Condition:
    """Whether the hosted cluster can be used."""
    found = condition_of(control_plane or {}, ControlPlaneCondition.AVAILABLE)
    if holds(found):
        message = "The hosted control plane is available"
        return true(HostedClusterCondition.AVAILABLE, message)
    if found:
        return copied(found, HostedClusterCondition.AVAILABLE)
    message = "Waiting for hosted control plane to be healthy"
    if progressing and progressing.get("reason") == HostedClusterReason.BLOCKED:
        message = progressing.get("message") or message
    return false(HostedClusterCondition.AVAILABLE, Reason.WAITING_FOR_AVAILABLE, message)


def progressing(
    conditions: Conditions, *, no_release: str = "", refused: str, rolling_out: bool
) -> Condition:
    """Whether the cluster moves to another release, or what keeps it from moving."""
    # A platform that this build lacks stays unsupported with every release.
    unbuilt = _closed(conditions, HostedClusterCondition.SUPPORTED)
    if why := unbuilt or no_release or _blocker(conditions, refused):
        return false(HostedClusterCondition.PROGRESSING, HostedClusterReason.BLOCKED, why)
    if rolling_out:
        message = "HostedCluster is deploying, upgrading, or reconfiguring"
        return true(HostedClusterCondition.PROGRESSING, message, HostedClusterReason.PROGRESSING)
    return false(
        HostedClusterCondition.PROGRESSING,
        Reason.AS_EXPECTED,
        "HostedCluster is at expected version",
    )


def moving(status: Manifest, spec: HostedClusterSpec, release: Release | None) -> bool:
    """Whether another release is wanted; a version operator names one by its digest."""
    desired = ((status.get("version") or {}).get("desired") or {}).get("image")
    resolved = release.resolved if release else ""
    return not desired or desired not in (spec.release.image, resolved)


def _blocker(conditions: Conditions, refused: str) -> str:
    if refused:
        return f"ClusterVersionUpgradeable condition is false: {refused}"
    return next((why for kind in GATES if (why := _closed(conditions, kind))), "")


def _closed(conditions: Conditions, gate: HostedClusterCondition) -> str:
    """Return why a gate is closed; empty when it is open."""
    found = conditions.get(gate)
    if found and fails(found):
        return f"{gate} condition is false: {found.get('message', '')}"
    return ""


def _unknown(kind: ConditionType, control_plane: Manifest | None) -> Condition:
    message = "Condition not found in the HCP" if control_plane else NO_CONTROL_PLANE
    return unknown(kind, Reason.STATUS_UNKNOWN, message)


def _no_version(kind: ConditionType) -> Condition:
    return unknown(kind, Reason.STATUS_UNKNOWN, "Condition not found in the CVO.")


def _succeeding(control_plane: Manifest | None) -> Condition:
    found = condition_of(control_plane or {}, ControlPlaneCondition.CLUSTER_VERSION_FAILING)
    if found is None:
        return _no_version(HostedClusterCondition.CLUSTER_VERSION_SUCCEEDING)
    told = copied(found, HostedClusterCondition.CLUSTER_VERSION_SUCCEEDING)
    reason = told.reason if "reason" in found else Reason.STATUS_UNKNOWN
    return replace(told, status=_INVERTED[told.status], reason=reason)


def _degraded(control_plane: Manifest | None) -> Condition:
    found = condition_of(control_plane or {}, ControlPlaneCondition.DEGRADED)
    if found is None:
        return unknown(HostedClusterCondition.DEGRADED, Reason.STATUS_UNKNOWN, NO_CONTROL_PLANE)
    told = copied(found, HostedClusterCondition.DEGRADED)
    return replace(told, message=NOT_DEGRADED) if fails(found) else told


def unmanaged_etcd(spec: HostedClusterSpec, secret: Manifest | None) -> Condition:
    """Whether the spec says how to reach an etcd that the user runs."""
    section = spec.etcd.unmanaged
    name = section.tls.client_secret.name if section else ""
    data = (secret or {}).get("data") or {}
    wanted = {"cert": "etcd-client.crt", "key": "etcd-client.key", "ca": "etcd-client-ca.crt"}
    lacks = next((what for what, key in wanted.items() if key not in data), "")
    problem = ""
    if secret is None:
        problem = f"missing TLS client secret {name}"
    elif section is None or not name or not section.endpoint:
        problem = "etcd metadata not specified for unmanaged deployment"
    elif lacks:
        problem = f"etcd secret {name} does not have client {lacks}"
    if problem:
        return false(
            HostedClusterCondition.UNMANAGED_ETCD_AVAILABLE,
            HostedClusterReason.UNMANAGED_ETCD_MISCONFIGURED,
            problem,
        )
    return true(
        HostedClusterCondition.UNMANAGED_ETCD_AVAILABLE,
        reason=HostedClusterReason.UNMANAGED_ETCD_AS_EXPECTED,
    )
