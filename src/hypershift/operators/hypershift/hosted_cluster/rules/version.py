"""A cluster's version history, where no version operator reports one."""

from datetime import datetime
from typing import Any

from hypershift.kit import Manifest, rfc3339

LONGEST_HISTORY = 100


def version_status(
    found: Manifest | None,
    image: str,
    version: str,
    generation: int,
    now: datetime,
    *,
    rolled_out: str = "",
    allowed: bool = True,
) -> Manifest:
    """The next version status: `rolled_out` is the image that the control plane runs completely.

    A new image adds a Partial entry; the entry is Completed once the control plane runs it. One
    that is not `allowed` to be rolled out is listed, without a version, while nothing runs yet.
    """
    history: list[dict[str, Any]] = [dict(entry) for entry in (found or {}).get("history") or ()]
    if not allowed:
        if found and any(entry.get("version") for entry in history):
            return found
        version = ""
    if not history or history[0]["image"] != image:
        history = [_entry(image, version, now), *_closed(history, now)]
    newest = history[0]
    if version:
        newest["version"] = version
    if rolled_out == image and newest["state"] == "Partial":
        newest |= {"state": "Completed", "completionTime": rfc3339(now)}
    return {
        "desired": {"image": image, "version": newest["version"]},
        "history": history[:LONGEST_HISTORY],
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


def _closed(history: list[dict[str, Any]], now: datetime) -> list[dict[str, Any]]:
    # An entry ends when its successor starts, rolled out or not.
    for entry in history:
        if not entry.get("completionTime"):
            entry["completionTime"] = rfc3339(now)
    return history
