"""Stop a pass whose cluster must not be touched, and say at the end how it went."""

from datetime import timedelta

from hypershift.kit import TransientError
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
        if kind == "ValidConfiguration":
            message = f"configuration is invalid: {found['message']}"
            scope.conditions.set(SUCCEEDED, "False", "ReconciliationError", message)
        else:
            _succeed(scope)  # nothing went wrong: the other condition says what is waited for
        return Stop(found["reason"], f"{kind} is false: {found['message']}", again)
    return Done()


async def stop_if_refused(scope: ClusterScope) -> Outcome:
    """End the pass for an upgrade that is not allowed now."""
    if not scope.refused:
        return Done()
    _succeed(scope)
    return Stop("UpgradeRefused", scope.refused)


async def need_release(scope: ClusterScope) -> None:
    """What is deployed follows the release: without one, nothing is."""
    if scope.release is None:
        raise TransientError("release image is not available")


async def conclude(scope: ClusterScope) -> Outcome:
    """Say whether everything worked; raise what did not, so that it is tried again."""
    if error := scope.report.error():
        scope.conditions.set(SUCCEEDED, "False", "ReconciliationError", scope.report.message)
        raise error
    _succeed(scope)
    return Done()


def _succeed(scope: ClusterScope) -> None:
    # The original's spelling, which tools have learnt.
    message = "Reconciliation completed successfully"
    scope.conditions.set(SUCCEEDED, "True", "ReconciliatonSucceeded", message)
