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
from hypershift.runtime.phases import Phase

Keys = Callable[[Manifest], Iterable[Key]]
Judge = Callable[[Change], bool]


#: The metadata by which people ask for something, and that by which others keep order.
ASKED = ("uid", "generation", "deletionTimestamp", "annotations")
KEPT = ("labels", "ownerReferences")


def asks(change: Change) -> bool:
    """Whether an object came, went, or asks for something else; somebody waits for that."""
    return _differs(change, ASKED)


def declared(change: Change) -> bool:
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
    """Another kind whose changes concern us, and whose keys each change wakes.

    `optional` says that the kind may be absent from the server (a CRD that is not installed).
    `only` names the fields that are kept of each object.
    `through` names an index of the controller's own kind: then whoever is listed there under one
    of the keys, as text, is woken. `wakes` tells changes that matter from those that nobody has to
    look at; `urgent` ones do not wait for the controller's pace, nor does the end of an object.
    """

    resource: Resource
    keys: Keys
    labels: str = ""
    fields: str = ""
    namespace: str = ""
    metadata_only: bool = False
    only: tuple[Path, ...] = ()
    optional: bool = False
    indexes: tuple[Index, ...] = ()
    through: str = ""
    wakes: Judge = lambda _: True
    urgent: Judge = lambda _: False

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
    """One kind and what brings its objects to what they say.

    `name` is the field manager of every write. Phases of `normal` run while the object lives,
    those of `paused` instead of them while `spec.pausedUntil` holds, those of `delete` once it is
    being deleted (the first error ends that pass); when all of them are done, `finalizer` goes.
    Without a finalizer they run as long as somebody else's keeps the object. `gives` names fields
    of the spec that an object did not choose and gets before anything is made of it.
    `stop_on_error` ends a normal pass at its first error too, for phases that build on each other.
    `condition` names a condition that tells whether the last pass had errors. `cluster` names the
    control plane namespace that an object is about: replicas share their work by it. `pace` goes
    between two passes over one object: a burst of changes is one, unless somebody waits for it,
    as with a change of what the object declares.
    """

    name: str
    resource: Resource
    scope: Callable[[Manifest, Context], S]
    normal: Sequence[Phase[S]]
    delete: Sequence[Phase[S]] = ()
    paused: Sequence[Phase[S]] = ()
    finalizer: str = ""
    gives: Callable[[Manifest, random.Random], Manifest] = lambda _object, _rng: {}
    watches: Sequence[Watch] = ()
    workers: int = 4
    namespace: str = ""
    labels: str = ""
    condition: ConditionType | None = None
    resync: timedelta | None = None
    group: Callable[[Key], str] = lambda key: key.namespace or key.name
    cluster: Callable[[Manifest], str] = cluster_of
    honour_pause: bool = True
    stop_on_error: bool = False
    manages_status: bool = True
    indexes: tuple[Index, ...] = ()
    timeout: timedelta = timedelta(minutes=10)
    pace: timedelta = timedelta()
