"""The result of a proof, from its finished Pod."""

from hypershift.api.conditions import Condition, RestoreProofReason, false, true, unknown
from hypershift.controlplane.etcd.proof import Verdict, read_verdict
from hypershift.kit import Manifest
from hypershift.operators.hypershift.etcd_backup.proof.rules.choice import PROVEN
from hypershift.operators.hypershift.etcd_backup.proof.rules.manifests import (
    COMPARE,
    FETCH,
    UNPACK,
)

LONGEST = 1000


def verdict_of(pods: list[Manifest], why: str) -> Verdict:
    """The verdict of a Job's Pod; `why` is the Job's own word where no program left one."""
    ended = {name: one for pod in pods for name, one in _ended(pod).items()}
    for name in (FETCH, COMPARE):
        if (found := read_verdict(str(ended.get(name, {}).get("message") or ""))) is not None:
            return found
    for name in (UNPACK, *ended):
        if (one := ended.get(name, {})).get("exitCode"):
            lines = str(one.get("message") or "").strip().splitlines()
            text = f"{name}: {lines[-1] if lines else one.get('reason') or 'failed'}"[:LONGEST]
            bad = name == UNPACK
            reason = RestoreProofReason.NOT_STARTED if bad else RestoreProofReason.FAILED
            return Verdict(reason, text)
    return Verdict(RestoreProofReason.FAILED, why[:LONGEST] or "its Pod left no result")


def _ended(pod: Manifest) -> dict[str, Manifest]:
    """How containers ended, by their names."""
    status = pod.get("status") or {}
    every = (
        *(status.get("initContainerStatuses") or ()),
        *(status.get("containerStatuses") or ()),
    )
    return {
        one["name"]: one["state"]["terminated"]
        for one in every
        if (one.get("state") or {}).get("terminated")
    }


def condition(verdict: Verdict) -> Condition:
    """`RestoreProven` for a verdict."""
    match verdict.reason:
        case RestoreProofReason.RESTORED:
            return true(PROVEN, verdict.message, verdict.reason)
        case RestoreProofReason.NOT_SUPPORTED | RestoreProofReason.FAILED:
            return unknown(PROVEN, verdict.reason, verdict.message)
        case _:
            return false(PROVEN, verdict.reason, verdict.message)
