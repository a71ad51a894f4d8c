"""Keeps a version history short and the important steps in it.

The rules are those of OpenShift's version operator: the newest entries, the oldest and the last
completed one stay; of the others, those between two patches go first, then the oldest.
"""

from collections.abc import Iterator
from typing import Any

Entry = dict[str, Any]

LONGEST = 100
NEWEST_KEPT = 5
#: The weights of entries; older entries weigh a little less.
ESSENTIAL, LANDMARK, BETWEEN_MINORS, BETWEEN_PATCHES, AGE = 1000.0, 30.0, 20.0, -20.0, -1.01


def pruned(history: list[Entry], longest: int = LONGEST) -> list[Entry]:
    """The history without the entries of the least weight."""
    while len(history) > longest:
        worths = [worth + AGE * index for index, worth in enumerate(_worths(history, longest))]
        least = worths.index(min(worths))
        history = [entry for index, entry in enumerate(history) if index != least]
    return history


def _worths(history: list[Entry], oldest: int) -> Iterator[float]:
    completed = [i for i, entry in enumerate(history) if entry["state"] == "Completed"]
    for index in range(len(history)):
        newer = next((i for i in reversed(completed) if i < index), None)
        older = next((i for i in completed if i > index), None)
        if index in (oldest, *range(NEWEST_KEPT), *completed[:1]):
            yield ESSENTIAL
        elif index in completed:
            yield LANDMARK if _is_landmark(history, index, newer, older) else 0.0
        elif newer is None or older is None:
            yield 0.0
        else:
            yield _between(history[newer], history[older])


def _is_landmark(history: list[Entry], index: int, newer: int | None, older: int | None) -> bool:
    """Whether it is the first or the last completed entry of its minor."""
    return any(
        near is None or _minor(history[near]) != _minor(history[index]) for near in (newer, older)
    )


def _between(newer: Entry, older: Entry) -> float:
    if _minor(newer) != _minor(older):
        return BETWEEN_MINORS
    return BETWEEN_PATCHES if _part(newer, 2) != _part(older, 2) else 0.0


def _minor(entry: Entry) -> str:
    return _part(entry, 1)


def _part(entry: Entry, index: int) -> str:
    parts = str(entry.get("version") or "").split(".")
    return parts[index] if len(parts) > index else ""
