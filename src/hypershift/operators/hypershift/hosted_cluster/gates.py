"""Stop a pass whose cluster must not be touched, and report at the end how it went."""

from datetime import timedelta

from hypershift.api.conditions import (
    HostedClusterCondition,
    HostedClusterReason,
    fails,
    false,
    true,
)
from hypershift.kit import TransientError
from hypershift.operators.hypershift.hosted_cluster.scope import ClusterScope
from hypershift.runtime import Done, Outcome, Report, Stop

SUCCEEDED = HostedClusterCondition.RECONCILIATION_SUCCEEDED
NO_SECRET = HostedClusterReason.SECRET_NOT_FOUND
LOOK_AGAIN = timedelta(minutes=1)


async def stop_if_invalid(scope: ClusterScope) -> Outcome:
    """End the pass for a cluster that waits for its user; running components are left alone."""
    for kind, again in (
        # A Secret that it names may still be on its way.
        (HostedClusterCondition.VALID_CONFIGURATION, LOOK_AGAIN),
        (HostedClusterCondition.SUPPORTED, None),
        # A registry may be down.
        (HostedClusterCondition.VALID_RELEASE_IMAGE, LOOK_AGAIN),
    ):
        found = scope.conditions.get(kind)
        if found is None or not fails(found) or found["reason"] == NO_SECRET:
            continue
        if kind == HostedClusterCondition.VALID_CONFIGURATION:
            message = f"configuration is invalid: {found['message']}"
            scope.conditions.set(
                false(SUCCEEDED, HostedClusterReason.RECONCILIATION_ERROR, message)
            )
        else:
            _succeed(scope)  # no error: another condition reports what the cluster waits for
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


def conclude(scope: ClusterScope, report: Report) -> None:
    """Report whether everything worked, unless a gate that ended the pass has reported already."""
    if report.stop is not None:
        return
    if report.errors:
        scope.conditions.set(
            false(SUCCEEDED, HostedClusterReason.RECONCILIATION_ERROR, report.message)
        )
    else:
        _succeed(scope)


def _succeed(scope: ClusterScope) -> None:
    # The original's spelling, which tools have learnt.
    message = "Reconciliation completed successfully"
    scope.conditions.set(true(SUCCEEDED, message, HostedClusterReason.RECONCILIATION_SUCCEEDED))
