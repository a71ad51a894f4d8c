"""The version status of a cluster that has no version operator of its own."""

from datetime import datetime
from typing import Any

from hypershift.api import HostedControlPlane
from hypershift.api.hosted_control_plane import HostedControlPlaneSpec
from hypershift.kit import Manifest, rfc3339
from hypershift.release import Release

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


def plane_image(spec: HostedControlPlaneSpec) -> str:
    """The release that the management side shall run: one of its own, if it has one."""
    return spec.control_plane_release_image or spec.release_image


def plane_runs(wanted: Release, hosted: HostedControlPlane) -> bool:
    """Whether the management side says, by tag or by digest, that it runs the wanted release."""
    version = hosted.status.control_plane_version if hosted.status else None
    if version is None or not version.history:
        return False
    newest = version.history[0]
    return newest.image in (wanted.image, wanted.resolved) and newest.state == "Completed"


def software_image(hosted: HostedControlPlane, plane: Release) -> str:
    """The release of the software inside, which follows the API servers and is never newer."""
    wanted = hosted.spec.release_image
    if plane_runs(plane, hosted):
        return wanted
    version = hosted.status.version_status if hosted.status else None
    history = version.history if version else ()
    return next((one.image for one in history if one.state == "Completed"), wanted)


def _entry(image: str, version: str, now: datetime) -> dict[str, Any]:
    return {
        "state": "Partial",
        "startedTime": rfc3339(now),
        "completionTime": None,
        "image": image,
        "version": version,
        "verified": False,
    }
