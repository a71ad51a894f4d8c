"""What a replacement of authorities waits for, and its condition: pure functions."""

from collections.abc import Iterable, Iterator
from datetime import datetime

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
from hypershift.component import authorities, edit, rolled_out
from hypershift.kit import Manifest, annotations_of, labels_of
from hypershift.pki import Stage, Succession

CONDITION = ControlPlaneCondition.AUTHORITIES_ROTATED
MOST_NAMED = 5
DURATIONS = (
    f"{annotations.ROTATE_AUTHORITIES_GRACE} or {annotations.ROTATE_AUTHORITIES_TOKEN_LIFETIME}"
)
REASONS = {
    Stage.TRUST: ControlPlaneReason.TRUSTING_NEW_AUTHORITIES,
    Stage.REISSUE: ControlPlaneReason.REISSUING_CERTIFICATES,
    Stage.RENEW: ControlPlaneReason.RENEWING_TOKENS,
    Stage.DROP: ControlPlaneReason.DROPPING_OLD_AUTHORITIES,
}


def late(workloads: Iterable[Manifest], found: Succession) -> Iterator[str]:
    """Workloads with pods from before the stage."""
    alone = found.is_of_token_keys_alone
    name = annotations.TOKEN_KEYS if alone else annotations.AUTHORITIES
    mark = found.token_mark if alone else found.mark
    for one in workloads:
        pod = edit.pod_of(one)
        if alone and not authorities.mounts_token_keys(pod):
            continue
        ends = (one.get("status") or {}).get("terminatingReplicas")
        if annotations_of(pod).get(name) != mark or ends or not rolled_out(one):
            yield f"{one['kind']} {one['metadata']['name']}"


def ending(pods: Iterable[Manifest], found: Succession) -> Iterator[str]:
    """Components with pods that are about to end, and answer until then."""
    for pod in pods:
        if found.is_of_token_keys_alone and not authorities.mounts_token_keys(pod):
            continue
        if pod["metadata"].get("deletionTimestamp"):
            yield f"ending pods of {labels_of(pod).get(labels.CONTROL_PLANE_COMPONENT, '?')}"


def waiting(found: Succession, behind: list[str]) -> Condition:
    """Who has not done their part of a stage yet."""
    named, more = behind[:MOST_NAMED], len(behind) - MOST_NAMED
    rest = f" and {more} more" if more > 0 else ""
    text = f"{_title(found)} is {found.stage.lower()}"
    if not named:
        return _state(found, f"{text}, an annotation {DURATIONS} is not a duration like 24h")
    return _state(found, f"{text}, waiting for {', '.join(named)}{rest}")


def refused(why: str) -> Condition:
    """Why a request is not followed."""
    return false(CONDITION, ControlPlaneReason.AUTHORITY_ROTATION_REFUSED, why)


def kept(found: Succession, end: datetime) -> Condition:
    """Old authorities are trusted for a while yet, and what users do meanwhile."""
    until = f"until {end:%Y-%m-%dT%H:%M:%SZ}"
    if found.is_of_token_keys_alone:
        text = f"A new key signs tokens of service accounts; those of the old one are good {until}"
    else:
        text = (
            f"Everything is signed by new authorities; the old ones are trusted {until}: fetch "
            "kubeconfigs again and restart programs that talk to the API server until then"
        )
    return false(CONDITION, ControlPlaneReason.KEEPING_OLD_AUTHORITIES, text)


def _state(found: Succession, text: str) -> Condition:
    reason: ConditionReason = REASONS[found.stage]
    return false(CONDITION, reason, text)


def completed(found: Succession) -> Condition:
    """The end of a replacement."""
    but = f"; the key that signs tokens stays: {found.stays}" if found.stays else ""
    return true(CONDITION, f"{_title(found)} is done{but}", Reason.AS_EXPECTED)


def _title(found: Succession) -> str:
    what = "the key of service accounts" if found.is_of_token_keys_alone else "all authorities"
    return f"Replacement {found.request} of {what}"
