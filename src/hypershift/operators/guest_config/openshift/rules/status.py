"""What the cluster's own version operator says, as the HostedControlPlane repeats it.

Whoever administers the cluster can write these words. What the management API would refuse is left
out, since it refuses a status as a whole, and what is large is not stored there with each change.
"""

import json
import re
from collections.abc import Iterator
from typing import Any, Final

from hypershift.api import read
from hypershift.api.conditions import (
    Condition,
    ControlPlaneCondition,
    ControlPlaneReason,
    OperatorCondition,
    Reason,
    copied,
    true,
    unknown,
)
from hypershift.api.release import VersionStatus
from hypershift.kit import InvalidSpec, Manifest, from_rfc3339
from hypershift.kit.budget import KIBIBYTE

#: Our conditions by the version operator's.
CONDITIONS = {
    OperatorCondition.FAILING: ControlPlaneCondition.CLUSTER_VERSION_FAILING,
    OperatorCondition.RELEASE_ACCEPTED: ControlPlaneCondition.CLUSTER_VERSION_RELEASE_ACCEPTED,
    OperatorCondition.PROGRESSING: ControlPlaneCondition.CLUSTER_VERSION_PROGRESSING,
    OperatorCondition.UPGRADEABLE: ControlPlaneCondition.CLUSTER_VERSION_UPGRADEABLE,
    OperatorCondition.AVAILABLE: ControlPlaneCondition.CLUSTER_VERSION_AVAILABLE,
}
#: Left out where the operator does not say it.
RETRIEVED = OperatorCondition.RETRIEVED_UPDATES
FIELDS = ("desired", "history", "observedGeneration", "availableUpdates", "conditionalUpdates")
#: Entries of a list that the API takes, bytes of all of them, and characters of a message.
MOST: Final = 100
LARGEST: Final = 128 * KIBIBYTE
LONGEST: Final = 4 * KIBIBYTE
_REASON: Final = re.compile(r"[A-Za-z](?:[A-Za-z0-9_,:]{0,254}[A-Za-z0-9_])?")
NOT_FOUND = "Condition not found in the CVO."


def version_status(live: Manifest) -> Manifest | None:
    """The versions that a ClusterVersion reports; None before it reports any.

    A null is kept: the field must be there, and an empty list says something else.
    """
    status = _map(live.get("status"))
    if not status.get("history"):
        return None
    whole = {name: _first(status[name]) for name in FIELDS if name in status}
    whole["availableUpdates"] = whole.get("availableUpdates")
    bare = {name: value for name, value in whole.items() if name != "conditionalUpdates"}
    bare["availableUpdates"] = None
    return next(filter(_is_sound, (whole, bare)), None)


def _first(value: Any) -> Any:
    return value[:MOST] if isinstance(value, list) else value


def _map(value: Any) -> Manifest:
    return value if isinstance(value, dict) else {}


def _is_sound(found: Manifest) -> bool:
    """Whether the management API takes it, and may hold it."""
    try:
        known = read(VersionStatus, found)
        for one in known.history:
            from_rfc3339(one.started_time)
            if one.completion_time is not None:
                from_rfc3339(one.completion_time)
    except (InvalidSpec, ValueError, TypeError):
        return False
    complete = all(
        {"completionTime", "image", "startedTime", "state", "verified"} <= one.keys()
        for one in found["history"]
    )
    named = bool(known.desired.version and known.desired.image)
    return complete and named and len(json.dumps(found)) <= LARGEST


def conditions(live: Manifest | None, problem: str = "") -> Iterator[Condition]:
    """Yield one condition for each that the version operator has or should have."""
    every = _map(_map(live).get("status")).get("conditions")
    listed = every[:MOST] if isinstance(every, list) else ()
    found = {str(_map(one).get("type")): _map(one) for one in listed}
    for name, kind in CONDITIONS.items():
        if name in found and not problem:
            yield _repeated(found[name], kind)
        elif kind is ControlPlaneCondition.CLUSTER_VERSION_UPGRADEABLE:
            yield true(kind, problem or NOT_FOUND, ControlPlaneReason.FROM_CLUSTER_VERSION)
        else:
            yield unknown(kind, Reason.STATUS_UNKNOWN, problem or NOT_FOUND)
    if RETRIEVED in found and not problem:
        yield _repeated(found[RETRIEVED], ControlPlaneCondition.CLUSTER_VERSION_RETRIEVED_UPDATES)


def _repeated(found: Manifest, kind: ControlPlaneCondition) -> Condition:
    """A condition of ours needs a reason, the version operator's does not."""
    told = str(found.get("reason") or "")
    reason = told if _REASON.fullmatch(told) else ControlPlaneReason.FROM_CLUSTER_VERSION
    message = str(found.get("message") or "")[:LONGEST]
    return copied({**found, "reason": str(reason), "message": message}, kind)
