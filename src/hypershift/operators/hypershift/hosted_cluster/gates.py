"""Stop a pass whose cluster must not be touched, and say at the end how it went."""

from datetime import timedelta

from hypershift.operators.hypershift.hosted_cluster.scope import ClusterScope
from hypershift.runtime import Done, Outcome, Stop

SUCCEEDED = "ReconciliationSucceeded"
LOOK_AGAIN = timedelta(minutes=1)


async def stop_if_invalid(scope: ClusterScope) -> Outcome:
    """End the pass for a cluster that waits for somebody; what runs already goes on running."""
    for kind, again in (
        ("ValidConfiguration", LOOK_AGAIN),  # a Secret that it names may still be on its way
        ("SupportedHostedCluster", None),
        ("ValidReleaseImage", LOOK_AGAIN),  # a registry may be down
    ):
        found = scope.conditions.get(kind)
        if not found or found["status"] != "False" or found["reason"] == "SecretNotFound":
            continue
        message = f"{kind} is false: {found['message']}"
        scope.conditions.set(SUCCEEDED, "False", "ReconciliationError", message)
        return Stop(found["reason"], message, again)
    return Done()


async def stop_if_refused(scope: ClusterScope) -> Outcome:
    """End the pass for an upgrade that is not allowed now."""
    return Stop("UpgradeRefused", scope.refused) if scope.refused else Done()


async def conclude(scope: ClusterScope) -> Outcome:
    """Say whether everything worked; raise what did not, so that it is tried again."""
    if error := scope.report.error():
        scope.conditions.set(SUCCEEDED, "False", "ReconciliationError", scope.report.message)
        raise error
    # The original's spelling, which tools have learnt.
    message = "Reconciliation completed successfully"
    scope.conditions.set(SUCCEEDED, "True", "ReconciliatonSucceeded", message)
    return Done()
