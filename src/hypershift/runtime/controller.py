"""A controller as a value: one kind, its phases, and which other objects wake it."""

import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Generic, Protocol, TypeVar

from hypershift.api.conditions import ConditionType
from hypershift.kit import Key, Manifest
from hypershift.kube import Resource
from hypershift.kube.cache import Change, Index
from hypershift.kube.reflector import Selection
from hypershift.kube.shape import Path
from hypershift.runtime.context import Context
from hypershift.runtime.phases import Phase, Report

Keys = Callable[[Manifest], Iterable[Key]]
Predicate = Callable[[Change], bool]


#: The metadata by which people ask for something, and that by which others keep order.
ASKED = ("uid", "generation", "deletionTimestamp", "annotations")
KEPT = ("labels", "ownerReferences")


def changes_wish(change: Change) -> bool:
    """True if an object came or went, or its spec changed: a user waits for the result."""
    return _differs(change, ASKED)


def changes_metadata(change: Change) -> bool:
    """Whether more than a status changed."""
    return _differs(change, ASKED + KEPT)


def _differs(change: Change, fields: tuple[str, ...]) -> bool:
    old, new = change.old, change.new
    if old is None or new is None:
        return True
    return any(old["metadata"].get(field) != new["metadata"].get(field) for field in fields)


class HasStatus(Protocol):
    """What the runtime asks of a scope; `runtime.Scope` has it."""

    object: Manifest
    status: dict[str, Any]


S = TypeVar("S", bound=HasStatus)


@dataclass(frozen=True, slots=True)
class Watch:
    """Another kind whose changes wake objects of the controller."""

    resource: Resource
    #: The keys that a change wakes; with `through`, the values to look up in that index.
    keys: Keys
    labels: str = ""
    fields: str = ""
    namespace: str = ""
    metadata_only: bool = False
    #: The fields that the cache keeps of each object; all without any.
    only: tuple[Path, ...] = ()
    #: The kind may be absent from the server: a CRD that is not installed.
    optional: bool = False
    indexes: tuple[Index, ...] = ()
    #: An index of the controller's own kind: the objects listed there under a key are woken.
    through: str = ""
    #: Whether a change matters at all.
    wakes: Predicate = lambda _: True
    #: Whether a change overtakes the controller's pace; the end of an object always does.
    urgent: Predicate = lambda _: False

    @property
    def selection(self) -> Selection:
        """What has to be followed for it."""
        return Selection(
            self.resource,
            self.namespace,
            self.labels,
            self.fields,
            self.metadata_only,
            self.only,
        )


def cluster_of(manifest: Manifest) -> str:
    """The cluster that an object is about, unless its controller knows better: its namespace."""
    metadata = manifest["metadata"]
    return str(metadata.get("namespace") or metadata["name"])


@dataclass(frozen=True, slots=True)
class Controller(Generic[S]):
    """One kind, and the phases that reconcile its objects.

    `normal` runs while the object exists, `paused` instead while `spec.pausedUntil` holds, `delete`
    once the object is being deleted. The first error ends a pass of `delete`. When all phases of
    `delete` are done, the runtime removes `finalizer`; without a finalizer they run as long as
    another controller's finalizer keeps the object.
    """

    #: The field manager of every write.
    name: str
    resource: Resource
    scope: Callable[[Manifest, Context], S]
    normal: Sequence[Phase[S]]
    delete: Sequence[Phase[S]] = ()
    paused: Sequence[Phase[S]] = ()
    finalizer: str = ""
    #: Fields of the spec that the user left out and that are written before the first phase runs.
    spec_defaults: Callable[[Manifest, random.Random], Manifest] = lambda _object, _rng: {}
    watches: Sequence[Watch] = ()
    #: Passes that run at the same time.
    workers: int = 4
    #: The only namespace whose objects are reconciled; empty for all.
    namespace: str = ""
    #: A label selector for the objects that are reconciled.
    labels: str = ""
    #: The condition that reports whether the last pass had errors.
    condition: ConditionType | None = None
    #: Turns the errors of a pass into the controller's conditions, unless the object is being
    #: deleted.
    conclude: Callable[[S, Report], None] = lambda _scope, _report: None
    #: How often every object is reconciled without a change.
    resync: timedelta | None = None
    #: Objects of one group take turns, so that a large group does not delay the others.
    group: Callable[[Key], str] = lambda key: key.namespace or key.name
    #: The control plane namespace that an object is about; replicas share their work by it.
    cluster: Callable[[Manifest], str] = cluster_of
    honour_pause: bool = True
    #: Ends a normal pass at its first error, for phases that build on each other.
    stop_on_error: bool = False
    manages_status: bool = True
    #: Indexes of the cache of this kind, for watches `through` them.
    indexes: tuple[Index, ...] = ()
    #: The longest that one pass may take.
    timeout: timedelta = timedelta(minutes=10)
    #: The shortest time between two passes over one object; urgent changes do not wait for it.
    pace: timedelta = timedelta()
