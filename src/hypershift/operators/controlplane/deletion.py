"""Let go of a control plane once nothing in a cloud depends on it."""

from datetime import timedelta

from hypershift.api import annotations
from hypershift.api.conditions import ControlPlaneCondition, ControlPlaneReason, false, holds
from hypershift.api.values import PlatformType
from hypershift.kit import InvalidSpec, from_rfc3339
from hypershift.kit.duration import short_duration
from hypershift.operators.controlplane.scope import PlaneScope
from hypershift.runtime import Done, Outcome, Stop

CLEANUP = annotations.CLEANUP_CLOUD_RESOURCES
CONDITION = ControlPlaneCondition.CLOUD_RESOURCES_DESTROYED
FINAL_REASONS = frozenset(
    {ControlPlaneReason.CLEANUP_SKIPPED, ControlPlaneReason.CLEANUP_TIMED_OUT}
)
PATIENCE = timedelta(minutes=10)
AGAIN = timedelta(seconds=15)
#: Platforms whose guests make nothing in a cloud.
WITHOUT_CLOUD = frozenset({PlatformType.NONE, PlatformType.AGENT})


async def forget(scope: PlaneScope) -> Outcome:
    """What was remembered about the control plane between two looks goes with it."""
    environment, namespace = scope.environment, scope.namespace
    for memory in (environment.rest, environment.disks, environment.defragmenter):
        memory.forget(namespace)
    return Done()


async def await_cloud_cleanup(scope: PlaneScope) -> Outcome:
    """Wait until the guest's load balancers and volumes are gone, though not for ever."""
    if scope.annotations.get(CLEANUP) != "true":
        return Done()
    platform = _platform(scope)
    if platform in WITHOUT_CLOUD:
        return Done()
    found = scope.conditions.get(CONDITION)
    if found and (holds(found) or found.get("reason") in FINAL_REASONS):
        return Done()
    provider = scope.conditions.get(ControlPlaneCondition.VALID_AWS_IDENTITY_PROVIDER)
    if platform == PlatformType.AWS and provider and not holds(provider):
        return Done()  # nobody could delete anything
    since = (found or {}).get("lastTransitionTime") or scope.object["metadata"]["deletionTimestamp"]
    passed = scope.clock.now() - from_rfc3339(since)
    if passed > PATIENCE:
        text = f"Giving up on cloud resource deletion after {short_duration(passed)}"
        if last := (found or {}).get("message"):
            text = f"{text} (last status: {last})"
        scope.conditions.set(false(CONDITION, ControlPlaneReason.CLEANUP_TIMED_OUT, text))
        return Done()
    return Stop("DestroyingCloudResources", "waiting for the guest's cloud resources", AGAIN)


def _platform(scope: PlaneScope) -> str:
    """The platform; empty for a control plane that cannot be decoded, which still has to go."""
    try:
        return scope.wanted.platform.type
    except InvalidSpec:
        return ""
