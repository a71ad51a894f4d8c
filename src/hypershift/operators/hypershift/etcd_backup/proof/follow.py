"""Follow the Job of a proof, and report what it found."""

from datetime import timedelta

from hypershift.api import annotations
from hypershift.api.conditions import JobCondition, RestoreProofReason, unknown
from hypershift.controlplane.etcd.proof import Verdict
from hypershift.kit import annotations_of
from hypershift.kube import kinds
from hypershift.operators.hypershift.etcd_backup.proof.rules import outcome
from hypershift.operators.hypershift.etcd_backup.proof.rules.choice import PROVEN
from hypershift.operators.hypershift.etcd_backup.proof.rules.manifests import JOB
from hypershift.operators.hypershift.etcd_backup.proof.scope import ProofScope
from hypershift.runtime import Done, Outcome, Stop, condition_of, is_true

AGAIN = timedelta(seconds=5)
#: The namespace goes when the condition is written.
SOON = timedelta(seconds=1)


async def follow_job(scope: ProofScope) -> Outcome:
    """Report what became of the Job; without one, it has to be started."""
    found = await scope.context.live.find(kinds.JOB, JOB, scope.scratch)
    if found is None:
        return Done()
    if not is_true(found, JobCondition.COMPLETE) and not is_true(found, JobCondition.FAILED):
        text = "the backup is being restored in a scratch control plane"
        scope.conditions.set(unknown(PROVEN, RestoreProofReason.IN_PROGRESS, text))
        return Stop("JobRuns", after=AGAIN)
    selector = f"batch.kubernetes.io/job-name={JOB}"
    pods = await scope.context.live.list(kinds.POD, scope.scratch, selector)
    why = (condition_of(found, JobCondition.FAILED) or {}).get("message") or ""
    verdict = outcome.verdict_of(list(pods), f"the Job of the proof failed: {why}")
    await _keep(scope, verdict)
    scope.conditions.set(outcome.condition(verdict))
    tell = scope.events.normal if verdict.is_good else scope.events.warning
    await tell(verdict.reason, verdict.message[:1000])
    return Stop(verdict.reason, after=SOON)


async def _keep(scope: ProofScope, verdict: Verdict) -> None:
    """Write the figures onto the backup, before the condition ends the proof."""
    text = verdict.figures()
    if annotations_of(scope.object).get(annotations.RESTORE_PROOF) != text:
        patch = {"metadata": {"annotations": {annotations.RESTORE_PROOF: text}}}
        key = scope.key
        await scope.within(scope.kube).patch(kinds.HCP_ETCD_BACKUP, key.name, patch, key.namespace)
