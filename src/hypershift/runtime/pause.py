"""`spec.pausedUntil`: a pause for ever, until a moment, or not at all."""

import re
from datetime import datetime, timedelta

from hypershift.api.conditions import Condition, ConditionType, Reason, false, true
from hypershift.kit import Manifest, from_rfc3339

FOREVER = timedelta.max
#: What Go reads as a truth value, and nothing else.
_TRUE = frozenset({"1", "t", "T", "true", "True", "TRUE"})
_FALSE = frozenset({"0", "f", "F", "false", "False", "FALSE"})
_MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d([.,]\d+)?(Z|[-+]\d\d:\d\d)")


def pause_left(manifest: Manifest, now: datetime) -> timedelta | None:
    """How long the object stays paused; None when it is not paused or the value cannot be read."""
    value = _value(manifest) or ""
    if value in _TRUE:
        return FOREVER
    until = _moment(value)
    left = timedelta(0) if until is None else until - now
    return left if left > timedelta(0) else None


def is_unreadable(manifest: Manifest) -> bool:
    """True if `spec.pausedUntil` is neither a boolean nor a time."""
    value = _value(manifest)
    return value is not None and value not in _TRUE | _FALSE and _moment(value) is None


def _value(manifest: Manifest) -> str | None:
    value = (manifest.get("spec") or {}).get("pausedUntil")
    return None if value is None else str(value)


def _moment(value: str) -> datetime | None:
    try:
        return from_rfc3339(value.replace(",", ".")) if _MOMENT.fullmatch(value) else None
    except ValueError:
        return None


def active_condition(kind: ConditionType, manifest: Manifest, now: datetime) -> Condition:
    """ReconciliationActive of an object; a `pausedUntil` that cannot be read pauses nothing."""
    left = pause_left(manifest, now)
    if left == FOREVER:
        text = "Reconciliation paused until field removed"
        return false(kind, Reason.RECONCILIATION_PAUSED, text)
    if left is not None:
        text = f"Reconciliation paused until: {_value(manifest)}"
        return false(kind, Reason.RECONCILIATION_PAUSED, text)
    if is_unreadable(manifest):
        text = "Invalid value provided for PausedUntil field"
        return true(kind, text, Reason.INVALID_PAUSED_UNTIL)
    return true(kind, "Reconciliation active on resource")
