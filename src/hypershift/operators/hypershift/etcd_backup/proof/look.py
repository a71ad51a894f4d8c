"""Find out whether a backup is to be proven, and of which control plane it is."""

from datetime import timedelta

from hypershift.api.conditions import EtcdBackupCondition, RestoreProofReason, unknown
from hypershift.kit import InvalidSpec
from hypershift.kube import kinds
from hypershift.operators.hypershift.etcd_backup.proof.rules.choice import (
    PROVEN,
    is_decided,
    is_wanted,
    prove_every,
)
from hypershift.operators.hypershift.etcd_backup.proof.scope import ProofScope
from hypershift.operators.hypershift.etcd_backup.proof.scratch import delete_scratch
from hypershift.runtime import Done, Outcome, Stop, condition_of, is_true

AGAIN = timedelta(seconds=15)


async def choose(scope: ProofScope) -> Outcome:
    """Go on with a stored backup that is to be proven; one that is decided leaves nothing."""
    if not is_wanted(scope.object):
        return await _forget(scope)
    if not is_true(scope.object, EtcdBackupCondition.COMPLETED):
        return Stop("NoProof")
    if is_decided(scope.object):
        await delete_scratch(scope)
        return Stop("Decided")
    try:
        prove_every(scope.object)
    except InvalidSpec as error:
        scope.conditions.set(unknown(PROVEN, RestoreProofReason.NOT_SUPPORTED, str(error)))
        return Stop(RestoreProofReason.NOT_SUPPORTED, str(error), error=error)
    return Done()


async def _forget(scope: ProofScope) -> Outcome:
    """Give up a proof that is no longer wanted; the result of one that ended stays."""
    if condition_of(scope.object, PROVEN) and not is_decided(scope.object):
        await delete_scratch(scope)
        scope.conditions.remove(PROVEN)
    return Stop("NoProof")


async def look(scope: ProofScope) -> Outcome:
    """Find the control plane that the backup is of: its release runs in the proof."""
    planes = await scope.kube.list(kinds.HOSTED_CONTROL_PLANE, scope.namespace)
    problem = "" if planes else f"HostedControlPlane not found in namespace {scope.namespace}"
    if planes:
        scope.plane = planes[0]
        problem = await scope.find_owner()
    if not problem:
        return Done()
    # Others shall not wait for a cluster that goes.
    await delete_scratch(scope)
    scope.conditions.set(unknown(PROVEN, RestoreProofReason.WAITING, problem))
    return Stop(RestoreProofReason.WAITING, problem, after=AGAIN)
