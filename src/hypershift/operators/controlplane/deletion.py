"""Let go of a control plane once nothing in a cloud depends on it."""

from datetime import timedelta

from hypershift.api import annotations
from hypershift.api.conditions import ControlPlaneCondition, ControlPlaneReason, false, holds
from hypershift.kit import InvalidSpec, from_rfc3339
from hypershift.kit.duration import short_duration
from hypershift.operators.controlplane.scope import PlaneScope
from hypershift.platforms import Platform, platform_named
from hypershift.runtime import Done, Outcome, Stop

CLEANUP = annotations.CLEANUP_CLOUD_RESOURCES
CONDITION = ControlPlaneCondition.CLOUD_RESOURCES_DESTROYED
FINAL_REASONS = frozenset(
    {ControlPlaneReason.CLEANUP_SKIPPED, ControlPlaneReason.CLEANUP_TIMED_OUT}
)
PATIENCE = timedelta(minutes=10)
AGAIN = timedelta(seconds=15)


async def forget(scope: PlaneScope) -> Outcome:
    """Forget what was remembered about the control plane between two passes."""
    environment, namespace = scope.environment, scope.namespace
    memories = (
        environment.rest,
        environment.disks,
        environment.defragmenter,
        environment.accounts,
    )
    for memory in memories:
        memory.forget(namespace)
    return Done()


async def await_cloud_cleanup(scope: PlaneScope) -> Outcome:
    """Wait until the guest's load balancers and volumes are gone, though not for ever."""
    if scope.annotations.get(CLEANUP) != "true":
        return Done()
    rules = _platform(scope).rules
    if not rules.uses_cloud_resources:
        return Done()
    found = scope.conditions.get(CONDITION)
    if found and (holds(found) or found.get("reason") in FINAL_REASONS):
        return Done()
    needed = scope.conditions.get(rules.cleanup_needs) if rules.cleanup_needs else None
    if needed and not holds(needed):
        return Done()  # without credentials nothing can be deleted
    since = (found or {}).get("lastTransitionTime") or scope.object["metadata"]["deletionTimestamp"]
    passed = scope.clock.now() - from_rfc3339(since)
    if passed > PATIENCE:
        text = f"Giving up on cloud resource deletion after {short_duration(passed)}"
        if last := (found or {}).get("message"):
            text = f"{text} (last status: {last})"
        scope.conditions.set(false(CONDITION, ControlPlaneReason.CLEANUP_TIMED_OUT, text))
        return Done()
    return Stop("DestroyingCloudResources", "waiting for the guest's cloud resources", AGAIN)


def _platform(scope: PlaneScope) -> Platform:
    """The platform; no special one for a plane that cannot be decoded, which still has to go."""
    try:
        return platform_named(scope.wanted.platform.type)
    except InvalidSpec:
        return platform_named("")
