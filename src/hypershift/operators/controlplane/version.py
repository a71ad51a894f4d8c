"""Which release the management side of a cluster runs, with its history."""

from datetime import datetime
from typing import Any

from hypershift.kit import Manifest, rfc3339

LONGEST = 100
NEWEST_KEPT = 5


def control_plane_version(
    found: Manifest | None,
    image: str,
    version: str,
    generation: int,
    now: datetime,
    *,
    complete: bool,
) -> Manifest:
    """The next `status.controlPlaneVersion`: a Partial entry until every component runs it."""
    history: list[dict[str, Any]] = [dict(entry) for entry in (found or {}).get("history") or ()]
    if not history or (history[0]["image"], history[0]["version"]) != (image, version):
        history = [_entry(image, version, now), *history]
        if len(history) > 1:
            history[1].setdefault("completionTime", rfc3339(now))
    if complete and history[0]["state"] == "Partial":
        history[0] |= {"state": "Completed", "completionTime": rfc3339(now)}
    return {
        "desired": {"image": image, "version": version},
        "history": pruned(history),
        "observedGeneration": generation,
    }


def pruned(history: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """At most a hundred entries; the newest, the oldest and the last completed one stay."""
    while len(history) > LONGEST:
        completed = next((e for e in history if e["state"] == "Completed"), None)
        droppable = [e for e in history[NEWEST_KEPT:-1] if e is not completed]
        # What never finished tells least.
        victim = next((e for e in reversed(droppable) if e["state"] == "Partial"), droppable[-1])
        history = [entry for entry in history if entry is not victim]
    return history


def _entry(image: str, version: str, now: datetime) -> dict[str, Any]:
    started = rfc3339(now)
    return {"state": "Partial", "startedTime": started, "image": image, "version": version}
