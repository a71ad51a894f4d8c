"""A HostedCluster's conditions, as its control plane and its own checks decide them."""

from collections.abc import Iterator
from dataclasses import dataclass

from hypershift.kit import Manifest
from hypershift.release import Release
from hypershift.runtime import Conditions, condition_of

AS_EXPECTED = "AsExpected"
STATUS_UNKNOWN = "StatusUnknown"
BLOCKED = "Blocked"
NO_CONTROL_PLANE = "The hosted control plane is not found"

#: Copied from the control plane; Unknown while it does not say.
BUBBLED = (
    "EtcdAvailable",
    "KubeAPIServerAvailable",
    "InfrastructureReady",
    "ExternalDNSReachable",
    "ValidHostedControlPlaneConfiguration",
    "ValidReleaseInfo",
    "ValidIDPConfiguration",
    "HostedClusterRestoredFromBackup",
    "DataPlaneConnectionAvailable",
    "ControlPlaneConnectionAvailable",
    "EtcdBackupSucceeded",
    "ConfigOperatorReconciliationSucceeded",
)
#: The same, of the guest's version.
BUBBLED_VERSION = (
    "ClusterVersionProgressing",
    "ClusterVersionReleaseAccepted",
    "ClusterVersionUpgradeable",
    "ClusterVersionAvailable",
)
#: Copied where the control plane has them, on every platform and on one alone.
BUBBLED_IF_PRESENT = ("EtcdDataEncryptionUpToDate",)
BUBBLED_BY_PLATFORM = {
    "AWS": ("AWSDefaultSecurityGroupCreated", "ValidAWSKMSConfig"),
    "Azure": ("ValidAzureKMSConfig",),
    "KubeVirt": ("ValidKubeVirtInfraNetworkMTU",),
}
#: Copied too, and gone while the control plane says nothing.
BUBBLED_WHILE_PRESENT = (
    "ClusterVersionRetrievedUpdates",
    "EtcdDisksFast",
    "EtcdSnapshotRestored",
)
SUPPORTED = "SupportedHostedCluster"
#: A cluster waits until somebody changes something while one of these is False; the first tells.
GATES = (
    "ValidConfiguration",
    SUPPORTED,
    "ReconciliationActive",
    "ValidReleaseImage",
)
_INVERTED = {"True": "False", "False": "True"}


@dataclass(frozen=True)
class Verdict:
    """One condition, decided."""

    type: str
    status: str
    reason: str
    message: str = ""

    def set_in(self, conditions: Conditions) -> None:
        """Write it into a status."""
        conditions.set(self.type, self.status, self.reason, self.message)


def bubbled(control_plane: Manifest | None, platform: str = "") -> Iterator[Verdict]:
    """What the control plane says of itself, under the names of the HostedCluster."""
    for kind in BUBBLED:
        found = condition_of(control_plane or {}, kind)
        yield _copy(found, kind) if found else _unknown(kind, control_plane)
    for kind in BUBBLED_VERSION:
        found = condition_of(control_plane or {}, kind)
        yield _copy(found, kind) if found else _no_version(kind)
    for kind in (*BUBBLED_IF_PRESENT, *BUBBLED_BY_PLATFORM.get(platform, ())):
        if found := condition_of(control_plane or {}, kind):
            yield _copy(found, kind)
    for kind in BUBBLED_WHILE_PRESENT:
        if known := _known(control_plane, kind):
            yield _copy(known, kind)
    if platform == "AWS":
        yield identity_provider(control_plane)
    yield _succeeding(control_plane)
    yield _degraded(control_plane)


def vanished(control_plane: Manifest | None) -> Iterator[str]:
    """The conditions that the control plane no longer has an opinion on."""
    for kind in BUBBLED_WHILE_PRESENT:
        if _known(control_plane, kind) is None:
            yield kind


def _known(control_plane: Manifest | None, kind: str) -> Manifest | None:
    found = condition_of(control_plane or {}, kind)
    return found if found and found.get("reason") != STATUS_UNKNOWN else None


def carried_over(control_plane: Manifest, kind: str, known: Manifest | None) -> Verdict | None:
    """What a control plane that goes tells of a cloud; nothing while it says the same again."""
    found = condition_of(control_plane, kind)
    fresh = _copy(found, kind) if found else Verdict(kind, "Unknown", STATUS_UNKNOWN)
    return None if known and known.get("message", "") == fresh.message else fresh


def restored(control_plane: Manifest | None) -> Verdict:
    """Whether a cluster that was restored from a backup runs again; its operator knows."""
    kind = "HostedClusterRestoredFromBackup"
    found = condition_of(control_plane or {}, kind)
    return _copy(found, kind) if found else Verdict(kind, "Unknown", "RecoveryFinished")


def identity_provider(control_plane: Manifest | None) -> Verdict:
    """Whether AWS takes the cluster's accounts for who they say they are."""
    kind = "ValidAWSIdentityProvider"
    found = condition_of(control_plane or {}, kind)
    return _copy(found, kind) if found else Verdict(kind, "Unknown", STATUS_UNKNOWN)


def available(control_plane: Manifest | None, progressing: Manifest | None) -> Verdict:
    """Whether the hosted cluster can be used."""
    found = condition_of(control_plane or {}, "Available")
    if found and found["status"] == "True":
        message = "The hosted control plane is available"
        return Verdict("Available", "True", AS_EXPECTED, message)
    if found:
        return _copy(found, "Available")
    message = "Waiting for hosted control plane to be healthy"
    if progressing and progressing.get("reason") == BLOCKED:
        message = progressing.get("message") or message
    return Verdict("Available", "False", "WaitingForAvailable", message)


def progressing(
    conditions: Conditions, *, no_release: str = "", refused: str, rolling_out: bool
) -> Verdict:
    """Whether the cluster moves to another release, or what keeps it from moving."""
    # A platform that is not built stays so, whatever becomes of the release.
    unbuilt = _closed(conditions, SUPPORTED)
    if why := unbuilt or no_release or _blocker(conditions, refused):
        return Verdict("Progressing", "False", BLOCKED, why)
    if rolling_out:
        message = "HostedCluster is deploying, upgrading, or reconfiguring"
        return Verdict("Progressing", "True", "Progressing", message)
    return Verdict("Progressing", "False", AS_EXPECTED, "HostedCluster is at expected version")


def moving(status: Manifest, spec: Manifest, release: Release | None) -> bool:
    """Whether another release is wanted; a version operator names one by its digest."""
    desired = ((status.get("version") or {}).get("desired") or {}).get("image")
    resolved = release.resolved if release else ""
    return not desired or desired not in (spec["release"]["image"], resolved)


def _blocker(conditions: Conditions, refused: str) -> str:
    if refused:
        return f"ClusterVersionUpgradeable condition is false: {refused}"
    return next((why for kind in GATES if (why := _closed(conditions, kind))), "")


def _closed(conditions: Conditions, gate: str) -> str:
    found = conditions.get(gate)
    if found and found["status"] == "False":
        return f"{gate} condition is false: {found.get('message', '')}"
    return ""


def _copy(found: Manifest, kind: str) -> Verdict:
    return Verdict(kind, found["status"], found.get("reason", ""), found.get("message", ""))


def _unknown(kind: str, control_plane: Manifest | None) -> Verdict:
    message = "Condition not found in the HCP" if control_plane else NO_CONTROL_PLANE
    return Verdict(kind, "Unknown", STATUS_UNKNOWN, message)


def _no_version(kind: str) -> Verdict:
    return Verdict(kind, "Unknown", STATUS_UNKNOWN, "Condition not found in the CVO.")


def _succeeding(control_plane: Manifest | None) -> Verdict:
    found = condition_of(control_plane or {}, "ClusterVersionFailing")
    if found is None:
        return _no_version("ClusterVersionSucceeding")
    status = _INVERTED.get(found["status"], "Unknown")
    reason, message = found.get("reason", STATUS_UNKNOWN), found.get("message", "")
    return Verdict("ClusterVersionSucceeding", status, reason, message)


def _degraded(control_plane: Manifest | None) -> Verdict:
    found = condition_of(control_plane or {}, "Degraded")
    if found is None:
        return Verdict("Degraded", "Unknown", STATUS_UNKNOWN, NO_CONTROL_PLANE)
    if found["status"] == "False":
        text = "The hosted cluster is not degraded"
        return Verdict("Degraded", "False", found.get("reason", ""), text)
    return _copy(found, "Degraded")


def unmanaged_etcd(spec: Manifest, secret: Manifest | None) -> Verdict:
    """Whether we were told how to reach an etcd that the user runs."""
    section = (spec.get("etcd") or {}).get("unmanaged") or {}
    name = ((section.get("tls") or {}).get("clientSecret") or {}).get("name") or ""
    data = (secret or {}).get("data") or {}
    wanted = {"cert": "etcd-client.crt", "key": "etcd-client.key", "ca": "etcd-client-ca.crt"}
    lacks = next((what for what, key in wanted.items() if key not in data), "")
    problem = ""
    if secret is None:
        problem = f"missing TLS client secret {name}"
    elif not name or not section.get("endpoint"):
        problem = "etcd metadata not specified for unmanaged deployment"
    elif lacks:
        problem = f"etcd secret {name} does not have client {lacks}"
    if problem:
        return Verdict("UnmanagedEtcdAvailable", "False", "UnmanagedEtcdMisconfigured", problem)
    return Verdict("UnmanagedEtcdAvailable", "True", "UnmanagedEtcdAsExpected")
