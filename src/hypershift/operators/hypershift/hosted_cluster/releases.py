"""Which release a cluster may run next, and which it may not."""

from datetime import timedelta

from hypershift.api.conditions import (
    ConditionReason,
    ControlPlaneCondition,
    HostedClusterCondition,
    HostedClusterReason,
    fails,
    false,
    holds,
    true,
)
from hypershift.api.secret_keys import DOCKER_CONFIG
from hypershift.kit import HypershiftError, InvalidSpec
from hypershift.operators.hypershift.hosted_cluster import names
from hypershift.operators.hypershift.hosted_cluster.rules.validation import not_found
from hypershift.operators.hypershift.hosted_cluster.scope import ClusterScope
from hypershift.release import Version, why_invalid
from hypershift.runtime import Done, Outcome, Wait, condition_of

#: A registry may be down, or get the image later.
LOOK_AGAIN = timedelta(minutes=1)
UPGRADEABLE = ControlPlaneCondition.CLUSTER_VERSION_UPGRADEABLE


async def check_release(scope: ClusterScope) -> Outcome:
    """ValidReleaseImage: the release can be read, and this operator may roll it out."""
    if trouble := pull_secret_trouble(scope):
        scope.no_release = trouble
        _conclude(scope, HostedClusterReason.SECRET_NOT_FOUND, trouble)
        return Done()
    try:
        await _look_up(scope)
    except HypershiftError as error:
        scope.no_release = str(error)
        _conclude(
            scope, HostedClusterReason.INVALID_IMAGE, f"failed to lookup release image: {error}"
        )
        return Wait("AwaitingRelease", after=LOOK_AGAIN, error=error)
    why = problem(scope)
    _conclude(scope, HostedClusterReason.INVALID_IMAGE if why else None, why)
    scope.refused = refusal(scope)
    return Done()


def pull_secret_trouble(scope: ClusterScope) -> str:
    """Return why nothing can be pulled; empty when there are credentials."""
    name = scope.wanted.pull_secret.name
    why = ""
    if scope.pull_secret is None:
        why = not_found("secrets", name)
    elif DOCKER_CONFIG not in (scope.pull_secret.get("data") or {}):
        why = f'expected {DOCKER_CONFIG} key in secret "{name}"'
    return f"pull secret unavailable: {why}" if why else ""


async def _look_up(scope: ClusterScope) -> None:
    find = scope.environment.releases.lookup
    credentials = scope.docker_config()
    image = scope.wanted.release.image
    scope.data_plane_release = await find(image, credentials)
    chosen = scope.control_plane_image
    scope.release = scope.data_plane_release if chosen == image else await find(chosen, credentials)


def _conclude(scope: ClusterScope, reason: ConditionReason | None, message: str) -> None:
    if reason:
        scope.conditions.set(false(HostedClusterCondition.VALID_RELEASE_IMAGE, reason, message))
    else:
        scope.conditions.set(
            true(HostedClusterCondition.VALID_RELEASE_IMAGE, "Release image is valid")
        )


def problem(scope: ClusterScope) -> str:
    """Return why the wanted release cannot be rolled out; empty when it can."""
    release = scope.release
    if release is None or names.SKIP_RELEASE_VALIDATION in scope.annotations:
        return ""
    return why_invalid(
        release.product,
        release.version,
        current_version(scope),
        network=scope.wanted.networking.network_type,
        platform=scope.wanted.platform.type,
    )


def current_version(scope: ClusterScope) -> str:
    """The version that runs, when another one is wanted; empty when it is not known either."""
    desired = (scope.status.get("version") or {}).get("desired") or {}
    if desired.get("image") == scope.control_plane_image:
        return ""
    return str(desired.get("version") or "")


def refusal(scope: ClusterScope) -> str:
    """Return why an upgrade has to wait although its release is fine; empty when it need not."""
    desired = (scope.status.get("version") or {}).get("desired") or {}
    wanted = scope.control_plane_image
    found = condition_of({"status": scope.status}, UPGRADEABLE)
    runs = desired.get("version") and desired.get("image") != wanted
    if scope.release is None or not runs or found is None:
        return ""
    # No program inside a hosted Kubernetes reports whether it can be upgraded.
    if holds(found) or (not fails(found) and not scope.release.openshift):
        return ""
    if names.FORCE_UPGRADE_TO in scope.annotations:
        if scope.annotations[names.FORCE_UPGRADE_TO] == wanted:
            return ""
        return "force upgrade annotation is present but does not match desired release image"
    if scope.wanted.control_plane_release:
        return ""
    return _no_patch(scope, desired.get("version") or "", found)


def _no_patch(scope: ClusterScope, current: str, upgradeable: dict[str, str]) -> str:
    """A newer patch of the same minor is rolled out even with Upgradeable=False."""
    if scope.release is None:
        return ""
    try:
        line = Version.parse(current).line
    except InvalidSpec as error:
        said = f"{upgradeable.get('reason', '')}: {upgradeable.get('message', '')}"
        return (
            f"cluster is {UPGRADEABLE}={upgradeable['status']} ({said}), and failed to parse the "
            f"current target {current} as a Semantic Version: {error}"
        )
    return "" if scope.release.semantic.line == line else "cluster version is not upgradeable"
