"""What a replacement of authorities waits for, and its condition: pure functions."""

from collections.abc import Iterable, Iterator
from datetime import timedelta

from hypershift.api import annotations, labels
from hypershift.api.conditions import (
    Condition,
    ConditionReason,
    ControlPlaneCondition,
    ControlPlaneReason,
    Reason,
    false,
    true,
)
from hypershift.component import edit, rolled_out
from hypershift.kit import Manifest, annotations_of, labels_of
from hypershift.pki import Stage, Succession

CONDITION = ControlPlaneCondition.AUTHORITIES_ROTATED
MOST_NAMED = 5
REASONS = {
    Stage.TRUST: ControlPlaneReason.TRUSTING_NEW_AUTHORITIES,
    Stage.REISSUE: ControlPlaneReason.REISSUING_CERTIFICATES,
    Stage.DROP: ControlPlaneReason.DROPPING_OLD_AUTHORITIES,
}


def late(workloads: Iterable[Manifest], mark: str) -> Iterator[str]:
    """Workloads with pods from before the stage."""
    for one in workloads:
        marked = annotations_of(edit.pod_of(one)).get(annotations.AUTHORITIES) == mark
        ends = (one.get("status") or {}).get("terminatingReplicas")
        if not marked or ends or not rolled_out(one):
            yield f"{one['kind']} {one['metadata']['name']}"


def ending(pods: Iterable[Manifest]) -> Iterator[str]:
    """Components with pods that are about to end, and answer until then."""
    for pod in pods:
        if pod["metadata"].get("deletionTimestamp"):
            yield f"ending pods of {labels_of(pod).get(labels.CONTROL_PLANE_COMPONENT, '?')}"


def waiting(found: Succession, behind: list[str]) -> Condition:
    """Who has not done their part of a stage yet."""
    named, more = behind[:MOST_NAMED], len(behind) - MOST_NAMED
    rest = f" and {more} more" if more > 0 else ""
    text = f"Replacement {found.request} of all authorities is {found.stage.lower()}"
    if not named:
        grace_name = annotations.ROTATE_AUTHORITIES_GRACE
        return _state(found, f"{text}, annotation {grace_name} is not a duration like 24h")
    return _state(found, f"{text}, waiting for {', '.join(named)}{rest}")


def refused(why: str) -> Condition:
    """Why a request is not followed."""
    return false(CONDITION, ControlPlaneReason.AUTHORITY_ROTATION_REFUSED, why)


def kept(found: Succession, grace: timedelta) -> Condition:
    """Old authorities are trusted for a while yet, and what users do meanwhile."""
    text = (
        f"Everything is signed by new authorities; the old ones are trusted for {grace} "
        f"from {found.since:%Y-%m-%dT%H:%M:%SZ}: fetch kubeconfigs again and restart programs that "
        "talk to the API server until then"
    )
    return false(CONDITION, ControlPlaneReason.KEEPING_OLD_AUTHORITIES, text)


def _state(found: Succession, text: str) -> Condition:
    reason: ConditionReason = REASONS[found.stage]
    return false(CONDITION, reason, text)


def completed(found: Succession) -> Condition:
    """The end of a replacement."""
    text = f"Replacement {found.request} of all authorities is done"
    return true(CONDITION, text, Reason.AS_EXPECTED)
