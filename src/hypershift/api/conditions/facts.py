"""Sets, finds and removes conditions, with times and generations that tell the truth."""

from collections.abc import Iterable, Sequence
from datetime import datetime

from hypershift.api.values import ConditionStatus
from hypershift.kit import Manifest, rfc3339


def condition(
    type_: str,
    status: ConditionStatus,
    reason: str,
    message: str = "",
    *,
    now: datetime,
    generation: int = 0,
) -> Manifest:
    """A condition as it is written; `generation` 0 says nothing about what was observed."""
    made: Manifest = {
        "type": str(type_),
        "status": str(status),
        "reason": str(reason),
        "message": message,
        "lastTransitionTime": rfc3339(now),
    }
    return made | ({"observedGeneration": generation} if generation else {})


def set_condition(known: Sequence[Manifest], wanted: Manifest) -> list[Manifest]:
    """The conditions with one set.

    Its transition time moves only when its status does, and it never goes back to an older
    generation: an observation that comes late loses against what is known already.
    """
    found = find_condition(known, wanted["type"])
    if found is None:
        return [*known, wanted]
    if wanted.get("observedGeneration", 0) < found.get("observedGeneration", 0):
        return list(known)
    kept = dict(wanted)
    if found.get("status") == wanted["status"] and found.get("lastTransitionTime"):
        kept["lastTransitionTime"] = found["lastTransitionTime"]
    return [kept if each is found else each for each in known]


def find_condition(known: Iterable[Manifest] | None, type_: str) -> Manifest | None:
    """The condition of a type, if it was ever set."""
    return next((each for each in known or () if each.get("type") == type_), None)


def remove_condition(known: Iterable[Manifest] | None, type_: str) -> list[Manifest]:
    """The conditions without one that no longer means anything."""
    return [each for each in known or () if each.get("type") != type_]


def is_true(known: Iterable[Manifest] | None, type_: str) -> bool:
    """Whether a condition was set and is True."""
    found = find_condition(known, type_)
    return found is not None and found.get("status") == ConditionStatus.TRUE


def is_current(known: Iterable[Manifest] | None, type_: str, generation: int) -> bool:
    """Whether a condition speaks about this generation of its object, or a later one."""
    found = find_condition(known, type_)
    return found is not None and found.get("observedGeneration", 0) >= generation


def copied(source: Manifest, *, type_: str = "", generation: int = 0) -> Manifest:
    """A condition of one object as another repeats it, under the other's generation."""
    repeated = dict(source)
    repeated.pop("observedGeneration", None)
    if type_:
        repeated["type"] = str(type_)
    return repeated | ({"observedGeneration": generation} if generation else {})
