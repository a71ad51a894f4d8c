"""Conditions of a pool that follow from its spec alone: each function says status and why."""

from dataclasses import dataclass

from hypershift.kit import Manifest
from hypershift.release import Product, Release, Version, why_no_skew, why_unsupported

#: Which processors the machines of a platform may have.
ARCHITECTURES = {
    "AWS": ("amd64", "arm64"),
    "Azure": ("amd64", "arm64"),
    "None": ("amd64", "arm64"),
    "GCP": ("amd64", "arm64"),
    "Local": ("amd64", "arm64"),
    "KubeVirt": ("amd64", "s390x"),
    "OpenStack": ("amd64",),
    "Agent": ("amd64", "ppc64le", "arm64"),
    "PowerVS": ("ppc64le",),
}


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a condition says."""

    status: bool | str
    reason: str = "AsExpected"
    message: str = ""

    @classmethod
    def holds(cls, message: str = "", reason: str = "AsExpected") -> "Verdict":
        """It is so."""
        return cls(status=True, reason=reason, message=message)

    @classmethod
    def fails(cls, reason: str = "AsExpected", message: str = "") -> "Verdict":
        """It is not so."""
        return cls(status=False, reason=reason, message=message)


def autoscaling(pool: Manifest, from_zero: frozenset[str]) -> Verdict:
    """Whether the autoscaler decides about the number of machines."""
    scaling = pool["spec"].get("autoScaling")
    if not scaling:
        return Verdict.fails()
    low, high = scaling.get("min") or 0, scaling["max"]
    platform = pool["spec"]["platform"]["type"]
    if not low and platform not in from_zero:
        message = f"Autoscaling from zero (min=0) is not supported for {platform} platform"
        return Verdict.fails("ValidationFailed", message)
    return Verdict.holds(f"Maximum nodes: {high}, Minimum nodes: {low}")


def update_management(pool: Manifest) -> Verdict:
    """Whether the pool says how its machines are to be renewed."""
    management = pool["spec"].get("management") or {}
    if management.get("upgradeType") == "InPlace":
        return Verdict.holds()
    replace = management.get("replace")
    if not replace or replace.get("strategy") not in ("RollingUpdate", "OnDelete"):
        message = (
            'this is unsupported. "Replace" upgrade type and a strategy: "RollingUpdate" or '
            '"OnDelete" are required'
        )
        return Verdict.fails("ValidationFailed", message)
    if replace["strategy"] == "RollingUpdate" and not replace.get("rollingUpdate"):
        message = (
            'this is unsupported. "Replace" upgrade type with "RollingUpdate" strategy requires '
            "rollingUpdate params"
        )
        return Verdict.fails("ValidationFailed", message)
    return Verdict.holds()


def architecture(pool: Manifest) -> Verdict:
    """Whether machines with that processor exist on the platform."""
    platform, arch = pool["spec"]["platform"]["type"], pool["spec"].get("arch") or "amd64"
    if arch in ARCHITECTURES.get(platform, ()):
        return Verdict.holds()
    message = f"CPU arch {arch} is not supported for platform: {platform}, use 'amd64' instead"
    return Verdict.fails("InvalidArchPlatform", message)


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


def why_no_release(release: Release, cluster_version: str, platform: str) -> str:
    """Say why machines may not run a release in this cluster; empty when they may."""
    wanted = release.semantic
    if cluster_version and Version.parse(cluster_version) < wanted:
        return (
            f'the latest version supported is: "{cluster_version}". '
            f'Attempting to use: "{release.version}"'
        )
    why = why_unsupported(release.product, wanted)
    if why and release.product is Product.OPENSHIFT and "minimum" in why:
        return (
            f'the minimum version supported for platform {platform} is: "4.14". '
            f'Attempting to use: "{release.version}"'
        )
    return why


def version_skew(release: Release, cluster_version: str) -> Verdict:
    """Whether nodes of a release get along with the control plane."""
    if not cluster_version:
        message = "the version of the control plane is not known yet"
        return Verdict("Unknown", "HostedClusterVersionUnknown", message)
    plane, nodes = Version.parse(cluster_version), release.semantic
    if not why_no_skew(plane, nodes):
        return Verdict.holds("Release image version is valid")
    if nodes > plane:
        message = (
            f"NodePool version {release.version} cannot be higher than the HostedCluster version "
            f"{cluster_version}"
        )
    else:
        oldest = f"{plane.major}.{plane.minor - 3}"
        message = (
            f"NodePool minor version {nodes.line} is less than {oldest}, which is the minimum "
            f"NodePool version compatible with the {plane.line} HostedCluster"
        )
    return Verdict.fails("UnsupportedSkew", message)


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
