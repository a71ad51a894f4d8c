"""`spec.pausedUntil`: a pause for ever, until a moment, or not at all."""

from datetime import datetime, timedelta

from hypershift.kit import Manifest, from_rfc3339

FOREVER = timedelta.max


def pause_left(manifest: Manifest, now: datetime) -> timedelta | None:
    """How long the object stays paused; None when it is not, or says something unreadable."""
    value = str((manifest.get("spec") or {}).get("pausedUntil") or "").strip()
    if value.lower() == "true":
        return FOREVER
    try:
        until = from_rfc3339(value)
        left = until - now
    except (ValueError, TypeError):
        return None
    return left if left > timedelta(0) else None


def active_condition(manifest: Manifest, now: datetime) -> tuple[str, str, str]:
    """Status, reason and message of ReconciliationActive; a pause that cannot be read is none."""
    value = str((manifest.get("spec") or {}).get("pausedUntil") or "").strip()
    left = pause_left(manifest, now)
    if left == FOREVER:
        return "False", "ReconciliationPaused", "Reconciliation paused until field removed"
    if left is not None:
        return "False", "ReconciliationPaused", f"Reconciliation paused until: {value}"
    if value and not _readable(value):
        text = "Invalid value provided for PausedUntil field"
        return "True", "InvalidPausedUntilValue", text
    return "True", "AsExpected", "Reconciliation active on resource"


def _readable(value: str) -> bool:
    if value.lower() in {"true", "false"}:
        return True
    try:
        from_rfc3339(value)
    except ValueError:
        return False
    return True
