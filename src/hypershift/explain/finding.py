"""What an explanation consists of: the broken object, what was seen, and what to do next."""

from dataclasses import dataclass
from typing import Any

from hypershift.kit import Manifest


@dataclass(frozen=True, slots=True)
class Ref:
    """One object by its kind and name, for a reader."""

    kind: str
    name: str
    namespace: str = ""

    def __str__(self) -> str:
        return f"{self.kind} {self.namespace}/{self.name}" if self.namespace else self._plain

    @property
    def _plain(self) -> str:
        return f"{self.kind} {self.name}"

    @property
    def words(self) -> str:
        """The object as kubectl takes it: `pod etcd-0 -n clusters-demo`."""
        place = f" -n {self.namespace}" if self.namespace else ""
        return f"{self.kind.lower()} {self.name}{place}"


def ref(manifest: Manifest) -> Ref:
    """The reference to an object that we have."""
    metadata = manifest["metadata"]
    return Ref(manifest.get("kind", "object"), metadata["name"], metadata.get("namespace", ""))


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is wrong: the object, the evidence, and the next step."""

    object: Ref
    cause: str
    step: str
    seen: tuple[str, ...] = ()

    def as_data(self) -> dict[str, Any]:
        """The form that programs read."""
        return {
            "object": {
                "kind": self.object.kind,
                "name": self.object.name,
                "namespace": self.object.namespace,
            },
            "cause": self.cause,
            "seen": list(self.seen),
            "next": self.step,
        }


@dataclass(frozen=True, slots=True)
class Station:
    """One object on the way from the cluster to its pods, and the state that it reports."""

    object: Ref
    well: bool
    says: str

    def as_data(self) -> dict[str, Any]:
        """The form that programs read."""
        return {"object": str(self.object), "well": self.well, "says": self.says}


@dataclass(frozen=True, slots=True)
class Report:
    """The whole answer; the first of `causes` is the one to begin with."""

    subject: Ref
    causes: tuple[Finding, ...]
    way: tuple[Station, ...]
    unread: tuple[str, ...] = ()

    @property
    def well(self) -> bool:
        """Whether there is nothing to complain about."""
        return not self.causes

    def as_data(self) -> dict[str, Any]:
        """The form that programs read."""
        return {
            "subject": str(self.subject),
            "well": self.well,
            "causes": [cause.as_data() for cause in self.causes],
            "way": [station.as_data() for station in self.way],
            "unread": list(self.unread),
        }
