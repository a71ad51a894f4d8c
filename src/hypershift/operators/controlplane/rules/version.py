"""Which release the management side of a cluster runs, with its history."""

from datetime import datetime
from typing import Any

from hypershift.kit import Manifest, rfc3339
from hypershift.operators.controlplane.rules.history import Entry, pruned


def control_plane_version(
    found: Manifest | None,
    image: str,
    version: str,
    generation: int,
    now: datetime,
    *,
    complete: bool,
) -> Manifest:
    """The next `status.controlPlaneVersion`: a Partial entry until every component runs it.

    What was just wanted is never complete in the same look: components may not have seen it yet.
    """
    known = found or {}
    history: list[Entry] = [dict(entry) for entry in known.get("history") or ()]
    if not (known.get("desired") or {}).get("image"):
        history = [_entry(image, version, now)]
    elif history and not _same(history[0], image, version):
        if not history[0].get("completionTime"):
            history[0]["completionTime"] = rfc3339(now)
        history = [_entry(image, version, now), *history]
    elif history and complete and history[0]["state"] == "Partial":
        history[0] |= {"state": "Completed", "completionTime": rfc3339(now)}
    return {
        "desired": {"image": image, "version": version},
        "history": pruned(history),
        "observedGeneration": generation,
    }


def _same(entry: Entry, image: str, version: str) -> bool:
    """Whether an entry is about this release; what it does not know yet is filled in."""
    theirs = entry.get("image") or "", entry.get("version") or ""
    same_image = theirs[0] == image and (not theirs[1] or not version or theirs[1] == version)
    same_version = bool(version) and theirs == ("", version)
    if same_image or same_version:
        entry |= {"image": image, "version": version or theirs[1]}
    return same_image or same_version


def _entry(image: str, version: str, now: datetime) -> dict[str, Any]:
    started = rfc3339(now)
    return {"state": "Partial", "startedTime": started, "image": image, "version": version}
