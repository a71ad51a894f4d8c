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
