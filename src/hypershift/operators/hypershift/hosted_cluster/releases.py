"""Which release a cluster may run next, and which it may not."""

from hypershift.kit import InvalidSpec
from hypershift.operators.hypershift.hosted_cluster import names
from hypershift.operators.hypershift.hosted_cluster.scope import ClusterScope
from hypershift.release import Version, why_no_upgrade, why_unsupported
from hypershift.runtime import condition_of


def problem(scope: ClusterScope) -> str:
    """Say why the wanted release cannot be rolled out; empty when it can."""
    release = scope.release
    if release is None or names.SKIP_RELEASE_VALIDATION in scope.annotations:
        return ""
    if why := why_unsupported(release.product, release.semantic):
        return why
    current = current_version(scope)
    if current is None:
        return ""
    return why_no_upgrade(release.product, current, release.semantic)


def current_version(scope: ClusterScope) -> Version | None:
    """The version that runs, when another one is wanted."""
    desired = (scope.status.get("version") or {}).get("desired") or {}
    if not desired.get("version") or desired.get("image") == scope.control_plane_image:
        return None
    try:
        return Version.parse(desired["version"])
    except InvalidSpec:
        return None


def refusal(scope: ClusterScope) -> str:
    """Say why an upgrade has to wait although its release is fine; empty when it need not."""
    current = current_version(scope)
    if current is None or scope.release is None:
        return ""
    found = condition_of({"status": scope.status}, "ClusterVersionUpgradeable")
    if found is None or found["status"] != "False":
        return ""
    forced = scope.annotations.get(names.FORCE_UPGRADE_TO, "")
    wanted = scope.control_plane_image
    if forced:
        return "" if forced == wanted else f"force annotation names {forced}, not {wanted}"
    if scope.spec.get("controlPlaneRelease") or scope.release.semantic.line == current.line:
        return ""
    return f"cluster version is not upgradeable: {found.get('message', '')}"
