"""The last known state of one kind: indexed, never going back in time, with listeners."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

import msgspec

from hypershift.kit import Key, Manifest, key_of
from hypershift.kube.limits import Budget, cost
from hypershift.kube.selectors import field_selector, label_selector
from hypershift.kube.shape import duplicate, uid_of, version_of


@dataclass(frozen=True, slots=True)
class Change:
    """What became of one object; `initial` when it was there as we first looked."""

    old: Manifest | None
    new: Manifest | None
    initial: bool = False

    @property
    def objects(self) -> Iterator[Manifest]:
        """The states involved: a change may concern whom the old state named."""
        return (state for state in (self.new, self.old) if state is not None)


Listener = Callable[[Change], None]


@dataclass(frozen=True, slots=True)
class Index:
    """A question that the cache answers without looking at every object."""

    name: str
    values: Callable[[Manifest], Iterable[str]]


#: Which objects a namespace has; every cache answers it.
BY_NAMESPACE = Index("namespace", lambda manifest: (manifest["metadata"].get("namespace", ""),))


class Cache:
    """Objects by key and by index; what it hands out is a copy, `peek` and `each` excepted.

    Invariant: a cached object never goes back in time.
    Interleaving: the answer to a write of ours arrives after the watch has reported a later version
    or the deletion. `_told` is the newest version that the watch confirmed: an unconfirmed answer
    at or below it is dropped.
    Held by tests/unit/kube/test_cache.py::
      test_a_late_answer_to_our_write_does_not_bring_back_what_is_gone

    Invariant: a write of ours is visible to our next read, and stays so.
    Interleaving: the server made a list before our write, and the list arrives after it. An
    unconfirmed object newer than the list stays; one that we deleted (`_gone`) does not return.
    Held by tests/unit/kube/test_cache.py::test_a_list_made_before_our_write_does_not_undo_it
    Held by tests/unit/kube/test_cache.py::test_a_list_made_before_our_delete_does_not_undo_it
    """

    def __init__(
        self,
        indexes: Iterable[Index] = (),
        *,
        budget: Budget | None = None,
        tells_versions: bool = True,
    ) -> None:
        """Start empty, with these indexes beside the one by namespace.

        Objects are charged to `budget`: `LimitExceeded` when it is used up. Without
        `tells_versions` a listener hears nothing of an object whose version alone has changed.
        """
        self._objects: dict[Key, Manifest] = {}
        self._budget = budget if budget is not None and budget.limited else None
        self._costs: dict[Key, int] = {}
        self._tells_versions = tells_versions
        self._indexes: dict[str, tuple[Index, dict[str, dict[Key, None]]]] = {}
        self._gone: dict[str, None] = {}
        self._unconfirmed: dict[Key, None] = {}
        #: The version up to which the watch has reported everything.
        self._told = 0
        self._listeners: dict[int, Listener] = {}
        self._tickets = 0
        self._filled = False
        for index in (BY_NAMESPACE, *indexes):
            self.add_index(index)

    def __len__(self) -> int:
        return len(self._objects)

    # Reading

    def peek(self, key: Key) -> Manifest | None:
        """One object, shared with the cache: callers must not change it."""
        return self._objects.get(key)

    def get(self, key: Key) -> Manifest | None:
        """A copy of one object."""
        return duplicate(self._objects.get(key))

    def each(self, namespace: str = "", labels: str = "", fields: str = "") -> Iterator[Manifest]:
        """The objects that the selectors choose, shared."""
        chosen, matching = label_selector(labels), field_selector(fields)
        for manifest in self.by_index(BY_NAMESPACE.name, namespace) if namespace else self.values():
            if chosen(manifest) and matching(manifest):
                yield manifest

    def list(self, namespace: str = "", labels: str = "", fields: str = "") -> "list[Manifest]":
        """Copies of the objects that the selectors choose, in order of namespace and name."""
        found = sorted(self.each(namespace, labels, fields), key=key_of)
        return [duplicate(manifest) for manifest in found]

    def by_index(self, name: str, value: str) -> Iterator[Manifest]:
        """The objects for which the index gave this value, shared."""
        return (self._objects[key] for key in tuple(self._indexes[name][1].get(value, ())))

    def values(self) -> Iterator[Manifest]:
        """Every object, shared."""
        return iter(tuple(self._objects.values()))

    # Following

    def add_index(self, index: Index) -> None:
        """Answer one more question, from now on and for what is already here."""
        if index.name in self._indexes:
            return
        entries: dict[str, dict[Key, None]] = {}
        self._indexes[index.name] = (index, entries)
        for key, manifest in self._objects.items():
            for value in index.values(manifest):
                entries.setdefault(value, {})[key] = None

    def subscribe(self, listener: Listener) -> Callable[[], None]:
        """Report the objects and then each change to a listener; call the result to stop."""
        self._tickets += 1
        ticket = self._tickets
        self._listeners[ticket] = listener
        for manifest in self.values():
            listener(Change(None, manifest, initial=True))
        return lambda: self._listeners.pop(ticket, None) and None

    # Changing

    def upsert(self, manifest: Manifest, *, initial: bool = False, confirmed: bool = True) -> None:
        """Take a state of an object, unless a newer one or its end is known.

        A write's own answer comes with `confirmed=False`. If the watch has reported the object's
        version or a later one meanwhile, the answer is dropped: it could only bring back a deleted
        object.
        """
        key = key_of(manifest)
        if confirmed:
            self._told = max(self._told, version_of(manifest))
        elif version_of(manifest) <= self._told:
            return
        if uid_of(manifest) in self._gone:
            return
        old = self._objects.get(key)
        if old is not None and _is_older(manifest, old):
            return
        if confirmed:
            self._unconfirmed.pop(key, None)
        else:
            self._unconfirmed[key] = None
        if old is not None and version_of(old) == version_of(manifest):
            return
        self._store(key, manifest)
        if self._tells_versions or old is None or _differs(old, manifest):
            self._tell(Change(old, manifest, initial))

    def clear(self) -> None:
        """Forget every object without reporting deletions: their state is unknown."""
        for key in tuple(self._objects):
            self._drop(key)

    def remove(self, manifest: Manifest, *, confirmed: bool = True) -> None:
        """Take an object's end; a younger namesake stays."""
        key, uid = key_of(manifest), uid_of(manifest)
        if confirmed:
            self._told = max(self._told, version_of(manifest))
            self._gone.pop(uid, None)
        elif uid:
            self._gone[uid] = None
        old = self._objects.get(key)
        if old is not None and uid_of(old) == uid:
            self._drop(key)
            self._tell(Change(old, None))

    def replace(self, manifests: Iterable[Manifest], version: int, *, rewound: bool) -> None:
        """Take a complete list seen at `version`; listeners hear of differences alone.

        An object that we wrote after the list was made stays, and one that we deleted meanwhile
        does not come back. `rewound` means that the server went back in time (a restored etcd):
        then the list replaces everything.
        """
        seen: dict[Key, None] = {}
        if rewound:
            self._gone.clear()
        self._told = version if rewound else max(self._told, version)
        for manifest in manifests:
            key = key_of(manifest)
            seen[key] = None
            if rewound:
                self._overwrite(key, manifest)
            else:
                self.upsert(manifest, initial=not self._filled)
        for key, manifest in tuple(self._objects.items()):
            ours = key in self._unconfirmed and version_of(manifest) > version and not rewound
            if key not in seen and not ours:
                self._drop(key)
                self._tell(Change(manifest, None))
        self._filled = True

    def _overwrite(self, key: Key, manifest: Manifest) -> None:
        old = self._objects.get(key)
        if old != manifest:
            self._store(key, manifest)
            self._tell(Change(old, manifest))

    def _store(self, key: Key, manifest: Manifest) -> None:
        old = self._objects.get(key)
        self._charge(key, manifest)
        self._objects[key] = manifest
        for index, entries in self._indexes.values():
            before = dict.fromkeys(index.values(old)) if old is not None else {}
            after = dict.fromkeys(index.values(manifest))
            for value in before:
                if value not in after:
                    _discard(entries, value, key)
            for value in after:
                entries.setdefault(value, {})[key] = None

    def _drop(self, key: Key) -> None:
        old = self._objects.pop(key)
        self._unconfirmed.pop(key, None)
        if self._budget is not None:
            self._budget.take(-self._costs.pop(key, 0), "")
        for index, entries in self._indexes.values():
            for value in dict.fromkeys(index.values(old)):
                _discard(entries, value, key)

    def _charge(self, key: Key, manifest: Manifest) -> None:
        if self._budget is None:
            return
        size = cost(msgspec.json.encode(manifest))
        self._budget.take(size - self._costs.get(key, 0), str(manifest.get("kind", "objects")))
        self._costs[key] = size

    def _tell(self, change: Change) -> None:
        for listener in tuple(self._listeners.values()):
            listener(change)


def _is_older(manifest: Manifest, known: Manifest) -> bool:
    return version_of(manifest) < version_of(known)


def _differs(old: Manifest, new: Manifest) -> bool:
    """True if more than the version of an object changed."""
    return _without_version(old) != _without_version(new)


def _without_version(manifest: Manifest) -> Manifest:
    metadata = {
        name: one for name, one in manifest["metadata"].items() if name != "resourceVersion"
    }
    return manifest | {"metadata": metadata}


def _discard(entries: dict[str, dict[Key, None]], value: str, key: Key) -> None:
    keys = entries.get(value)
    if keys is not None:
        keys.pop(key, None)
        if not keys:
            del entries[value]
