"""Conditions in a status: set by type, with a transition time that moves only with the status."""

from dataclasses import dataclass
from typing import Any, Final

from hypershift.api.conditions import Condition, ConditionType, holds, why_not_owner
from hypershift.kit import Clock, Manifest, rfc3339

#: The API server refuses a status with a longer message, and every other condition with it.
LONGEST_MESSAGE: Final = 32768


class NotOwner(TypeError):
    """A controller set a condition that another one owns: an error in the controller's code."""


@dataclass(frozen=True, slots=True)
class Writer:
    """Who writes the conditions of a pass: a controller, on objects of one kind."""

    controller: str
    kind: str

    def check(self, kind: ConditionType, reason: str = "") -> None:
        """Refuse to change a condition that another controller owns."""
        if why := why_not_owner(self.controller, self.kind, kind, reason):
            raise NotOwner(why)


class Conditions:
    """The conditions of one status map, read and set by type."""

    def __init__(
        self,
        status: dict[str, Any],
        clock: Clock,
        generation: int | None = None,
        writer: Writer | None = None,
    ) -> None:
        """Work on `status["conditions"]`; `generation` is stamped as observedGeneration."""
        self._status = status
        self._clock = clock
        self._generation = generation
        self._writer = writer

    @property
    def _all(self) -> list[Manifest]:
        found: list[Manifest] = self._status.setdefault("conditions", [])
        return found

    def get(self, kind: str) -> Manifest | None:
        """The condition of that type."""
        return condition_of({"status": self._status}, kind)

    def is_true(self, kind: str) -> bool:
        """Whether the condition is there and True."""
        return holds(self.get(kind))

    def set(self, condition: Condition) -> None:
        """Set a condition; refuse one that another controller owns."""
        if self._writer is not None:
            self._writer.check(condition.type, condition.reason)
        wanted = condition.manifest() | {"message": _short(condition.message)}
        if self._generation is not None:
            wanted["observedGeneration"] = self._generation
        found = self.get(condition.type)
        if found is None:
            self._all.append(wanted | {"lastTransitionTime": self._now()})
            return
        if found.get("status") != wanted["status"] or not found.get("lastTransitionTime"):
            wanted["lastTransitionTime"] = self._now()
        found.update(wanted)

    def remove(self, kind: ConditionType) -> None:
        """Forget a condition that no longer means anything; refuse one of another controller."""
        if self._writer is not None:
            self._writer.check(kind)
        if self.get(kind) is not None:
            self._status["conditions"] = [one for one in self._all if one.get("type") != kind]

    def _now(self) -> str:
        return rfc3339(self._clock.now())


def condition_of(manifest: Manifest, kind: str) -> Manifest | None:
    """A condition of any object, as another controller wrote it."""
    known = (manifest.get("status") or {}).get("conditions") or ()
    return next((one for one in known if one.get("type") == kind), None)


def is_true(manifest: Manifest, kind: str) -> bool:
    """Whether another object's condition is True."""
    return holds(condition_of(manifest, kind))


def _short(message: str) -> str:
    return message if len(message) <= LONGEST_MESSAGE else f"{message[: LONGEST_MESSAGE - 3]}..."
