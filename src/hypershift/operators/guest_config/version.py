"""The version status of a cluster that has no version operator of its own."""

from datetime import datetime
from typing import Any

from hypershift.kit import Manifest, rfc3339

LONGEST = 100


def version_status(
    found: Manifest | None,
    image: str,
    version: str,
    generation: int,
    now: datetime,
    *,
    complete: bool,
) -> Manifest:
    """The next status: another release opens a Partial entry, which closes once all runs it."""
    history: list[dict[str, Any]] = [dict(entry) for entry in (found or {}).get("history") or ()]
    if not history or history[0]["image"] != image:
        for entry in history:
            entry["completionTime"] = entry.get("completionTime") or rfc3339(now)
        history = [_entry(image, version, now), *history]
    if complete and history[0]["state"] == "Partial":
        history[0] |= {"state": "Completed", "completionTime": rfc3339(now)}
    return {
        "desired": {"image": image, "version": version},
        "history": history[:LONGEST],
        "observedGeneration": generation,
        "availableUpdates": None,
    }


def _entry(image: str, version: str, now: datetime) -> dict[str, Any]:
    return {
        "state": "Partial",
        "startedTime": rfc3339(now),
        "completionTime": None,
        "image": image,
        "version": version,
        "verified": False,
    }
