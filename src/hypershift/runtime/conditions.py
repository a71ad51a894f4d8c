"""Conditions in a status: set by name, with a transition time that moves only with the status."""

from typing import Any

from hypershift.kit import Clock, Manifest, rfc3339


class Conditions:
    """The conditions of one status map, read and set by type."""

    def __init__(self, status: dict[str, Any], clock: Clock, generation: int | None = None) -> None:
        """Work on `status["conditions"]`; `generation` is stamped as observedGeneration."""
        self._status = status
        self._clock = clock
        self._generation = generation

    @property
    def _all(self) -> list[Manifest]:
        found: list[Manifest] = self._status.setdefault("conditions", [])
        return found

    def get(self, kind: str) -> Manifest | None:
        """The condition of that type."""
        known = self._status.get("conditions") or ()
        return next((one for one in known if one.get("type") == kind), None)

    def is_true(self, kind: str) -> bool:
        """Whether the condition is there and True."""
        found = self.get(kind)
        return found is not None and found.get("status") == "True"

    def set(self, kind: str, status: bool | str, reason: str, message: str = "") -> None:  # noqa: FBT001 (a condition reads `set("Available", True, ...)`)
        """Set a condition; True, False or "Unknown"."""
        wanted: Manifest = {
            "type": kind,
            "status": str(status),
            "reason": reason,
            "message": message,
        }
        if self._generation is not None:
            wanted["observedGeneration"] = self._generation
        found = self.get(kind)
        if found is None:
            self._all.append(wanted | {"lastTransitionTime": self._now()})
            return
        if found.get("status") != wanted["status"] or not found.get("lastTransitionTime"):
            wanted["lastTransitionTime"] = self._now()
        found.update(wanted)

    def true(self, kind: str, reason: str, message: str = "") -> None:
        """Set a condition to True."""
        self.set(kind, "True", reason, message)

    def false(self, kind: str, reason: str, message: str = "") -> None:
        """Set a condition to False."""
        self.set(kind, "False", reason, message)

    def remove(self, kind: str) -> None:
        """Forget a condition that no longer means anything."""
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
    found = condition_of(manifest, kind)
    return found is not None and found.get("status") == "True"
