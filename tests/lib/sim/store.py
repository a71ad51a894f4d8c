"""The simulated etcd: objects by kind and key, one revision for every change, and its history."""

import bisect
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from tests.lib.sim.ownership import Owners

from hypershift.kit import Key, Manifest, key_of
from hypershift.kube import Resource


@dataclass(frozen=True, slots=True)
class Record:
    """One state of one object; nobody changes it, a newer one replaces it."""

    resource: Resource
    manifest: Manifest
    owners: Owners
    revision: int

    @property
    def key(self) -> Key:
        """Where it lives."""
        return key_of(self.manifest)


@dataclass(frozen=True, slots=True)
class Commit:
    """One change: from nothing, to nothing, or from one state to the next."""

    revision: int
    old: Record | None
    new: Record | None

    @property
    def resource(self) -> Resource:
        """The kind that changed."""
        record = self.new or self.old
        assert record is not None
        return record.resource


@dataclass(slots=True)
class _Kind:
    records: dict[Key, Record] = field(default_factory=dict)
    history: list[Commit] = field(default_factory=list)


class Store:
    """Everything the server knows."""

    def __init__(self) -> None:
        """Start empty, at revision 1."""
        self.revision = 1
        self.compacted = 0
        self._kinds: dict[Resource, _Kind] = {}
        self._listeners: dict[int, Callable[[Commit], None]] = {}
        self._tickets = 0

    def get(self, resource: Resource, key: Key) -> Record | None:
        """The current state of an object."""
        return self._kind(resource).records.get(key)

    def records(self, resource: Resource, namespace: str = "") -> list[Record]:
        """The current states of a kind, in order of namespace and name."""
        records = self._kind(resource).records
        return [
            records[key] for key in sorted(records) if not namespace or key.namespace == namespace
        ]

    def everything(self) -> Iterator[Record]:
        """The current state of every object of every kind."""
        for kind in tuple(self._kinds.values()):
            yield from tuple(kind.records.values())

    def next_revision(self) -> int:
        """The number that the next commit gets."""
        return self.revision + 1

    def commit(self, old: Record | None, new: Record | None) -> Commit:
        """Make a change and tell whoever watches."""
        self.revision += 1
        change = Commit(self.revision, old, new)
        kind = self._kind(change.resource)
        if new is not None:
            kind.records[new.key] = new
        elif old is not None:
            kind.records.pop(old.key, None)
        kind.history.append(change)
        for listener in tuple(self._listeners.values()):
            listener(change)
        return change

    def since(self, resource: Resource, revision: int) -> list[Commit]:
        """The changes of a kind after a revision."""
        history = self._kind(resource).history
        start = bisect.bisect_right(history, revision, key=lambda change: change.revision)
        return history[start:]

    def compact(self) -> None:
        """Forget the history: whoever asks for it is told that it is gone."""
        self.compacted = self.revision
        for kind in self._kinds.values():
            kind.history.clear()

    def listen(self, listener: Callable[[Commit], None]) -> Callable[[], None]:
        """Hear every commit as it is made; the result ends it."""
        self._tickets += 1
        ticket = self._tickets
        self._listeners[ticket] = listener
        return lambda: self._listeners.pop(ticket, None) and None

    def _kind(self, resource: Resource) -> _Kind:
        return self._kinds.setdefault(resource, _Kind())
