"""Let go of a control plane once nothing in a cloud depends on it."""

from datetime import timedelta

from hypershift.api import annotations
from hypershift.kit import from_rfc3339
from hypershift.operators.controlplane.scope import PlaneScope
from hypershift.runtime import Done, Outcome, Stop

CLEANUP = annotations.CLEANUP_CLOUD_RESOURCES
CONDITION = "CloudResourcesDestroyed"
FINAL_REASONS = frozenset({"CloudResourcesCleanupSkipped", "CloudResourcesDeletionTimedOut"})
PATIENCE = timedelta(minutes=10)
AGAIN = timedelta(seconds=15)
#: Platforms whose guests make nothing in a cloud.
WITHOUT_CLOUD = frozenset({"None", "Agent"})


async def await_cloud_cleanup(scope: PlaneScope) -> Outcome:
    """Wait until the guest's load balancers and volumes are gone, though not for ever."""
    if scope.annotations.get(CLEANUP) != "true":
        return Done()
    if scope.spec["platform"]["type"] in WITHOUT_CLOUD:
        return Done()
    found = scope.conditions.get(CONDITION)
    if found and (found["status"] == "True" or found.get("reason") in FINAL_REASONS):
        return Done()
    since = (found or {}).get("lastTransitionTime") or scope.object["metadata"]["deletionTimestamp"]
    if scope.clock.now() - from_rfc3339(since) > PATIENCE:
        text = f"Cloud resources were not gone after {PATIENCE}"
        scope.conditions.set(CONDITION, "False", "CloudResourcesDeletionTimedOut", text)
        return Done()
    return Stop("DestroyingCloudResources", "waiting for the guest's cloud resources", AGAIN)
