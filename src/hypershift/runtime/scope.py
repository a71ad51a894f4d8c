"""What one pass over an object knows; a controller's own scope adds its fields to it."""

from dataclasses import dataclass, field
from typing import Any

from hypershift.kit import Clock, Key, Manifest, key_of
from hypershift.kube import Client
from hypershift.kube.shape import duplicate
from hypershift.runtime.conditions import Conditions
from hypershift.runtime.context import Context
from hypershift.runtime.events import Events
from hypershift.runtime.logs import Log


@dataclass(slots=True)
class Scope:
    """The object as it is, the status as it shall be, and the ways to act.

    Phases fill `status` and `conditions`; the runtime patches what changed when the pass ends.
    """

    object: Manifest
    context: Context
    status: dict[str, Any] = field(init=False)
    conditions: Conditions = field(init=False)

    def __post_init__(self) -> None:
        self.status = duplicate(self.object.get("status") or {})
        generation = self.object.get("metadata", {}).get("generation")
        self.conditions = Conditions(
            self.status, self.context.clock, generation, self.context.writer
        )

    @property
    def key(self) -> Key:
        """Namespace and name of the object."""
        return key_of(self.object)

    @property
    def spec(self) -> dict[str, Any]:
        """What the user asked for; read it only."""
        spec: dict[str, Any] = self.object.get("spec") or {}
        return spec

    @property
    def kube(self) -> Client:
        """The API: reads come from the cache where one runs, writes carry our field manager."""
        return self.context.kube

    @property
    def clock(self) -> Clock:
        """Time."""
        return self.context.clock

    @property
    def events(self) -> Events:
        """Kubernetes Events about this object."""
        return self.context.events

    @property
    def log(self) -> Log:
        """The logger, bound to this object."""
        return self.context.log
