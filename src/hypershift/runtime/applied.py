"""What each controller applied last: an unchanged wish costs no request and a fight is seen.

An applied object carries `applied.hypershift.openshift.io/<manager>`: the digest of the wish.
A wish needs no request when its digest is that one and the live fields are what they were right
after it was applied; so a change by others is repaired, and a restart of ours sends nothing.
"""

import base64
from collections import deque
from dataclasses import dataclass, field

from hypershift.kit import Clock, Manifest, annotations_of
from hypershift.kube.compare import differences, digest, project
from hypershift.kube.shape import duplicate

STAMP = "applied.hypershift.openshift.io/"
FIGHT_WRITES = 10
FIGHT_SECONDS = 300.0
_LIMIT = 500_000


@dataclass(slots=True)
class _Entry:
    """One object as one manager applied it."""

    wish: str
    version: str = ""
    picture: str = ""
    writes: deque[float] = field(default_factory=lambda: deque(maxlen=FIGHT_WRITES))
    flips: dict[str, int] = field(default_factory=dict)


def stamped(manifest: Manifest, manager: str) -> tuple[Manifest, str]:
    """The manifest as it is sent, and the digest that it carries."""
    wish = duplicate(manifest)
    if wish.get("kind") == "Secret" and wish.get("stringData"):
        # stringData cannot be read back, so it could never be compared.
        texts = wish.pop("stringData")
        coded = {name: base64.b64encode(text.encode()).decode() for name, text in texts.items()}
        wish["data"] = {**(wish.get("data") or {}), **coded}
    if not wish["metadata"].get("labels", True):
        # An empty map has no effect, but it would look like a change once another writer adds a
        # label.
        del wish["metadata"]["labels"]
    mark = digest(wish)
    annotations = dict(annotations_of(wish))
    wish["metadata"]["annotations"] = annotations | {STAMP + manager: mark}
    return wish, mark


class Ledger:
    """Remembers applied objects by place and manager.

    Invariant: a request is left out only if the server's object has the wish's values already.
    Interleaving: another writer changes a field of ours and our stamp stays on the object. The
    stamp alone would hide that; so the fields of the wish are compared with `picture`, how they
    were right after our apply, whenever the version moved.
    Held by tests/unit/runtime/test_cached.py::
      test_what_others_changed_is_repaired_and_what_they_added_stays

    Invariant: a field that left the wish leaves the server, also when a restart lies in between.
    Interleaving: an old process applied the field, a new one knows nothing of it. The digest in the
    stamp differs from that of the new wish, so the new process applies, and the server drops it.
    Held by tests/unit/runtime/test_cached.py::test_a_new_process_drops_what_is_no_longer_wished
    """

    def __init__(self, clock: Clock) -> None:
        """Start with an empty memory; the stamps on the objects fill it."""
        self._clock = clock
        self._entries: dict[tuple[str, ...], _Entry] = {}

    def is_current(
        self, place: tuple[str, ...], wish: Manifest, mark: str, live: Manifest, manager: str
    ) -> bool:
        """Whether the live object already is what we wish, and nothing needs to be sent."""
        entry = self._entries.get(place)
        version = live["metadata"].get("resourceVersion", "")
        if entry is None:
            if annotations_of(live).get(STAMP + manager) != mark:
                return False
            if next(differences(wish, live), None) is not None:
                return False
            self._remember(place, _Entry(mark, version, digest(project(live, wish))))
            return True
        if entry.wish != mark:
            return False
        if entry.version != version:
            if entry.picture != digest(project(live, wish)):
                return False
            entry.version = version
        return True

    def record(
        self,
        place: tuple[str, ...],
        wish: Manifest,
        mark: str,
        answer: Manifest,
        before: Manifest | None,
    ) -> dict[str, int]:
        """Remember a write; the result names the fields that flip when it is one of too many."""
        entry = self._entries.get(place) or _Entry(mark)
        entry.wish = mark
        entry.version = answer["metadata"].get("resourceVersion", "")
        entry.picture = digest(project(answer, wish))
        self._remember(place, entry)
        if before is None or before["metadata"].get("resourceVersion") == entry.version:
            return {}
        return self._fight(entry, wish, before)

    def forget(self, place: tuple[str, ...]) -> None:
        """The object is gone."""
        self._entries.pop(place, None)

    def _remember(self, place: tuple[str, ...], entry: _Entry) -> None:
        self._entries.pop(place, None)
        self._entries[place] = entry
        while len(self._entries) > _LIMIT:
            self._entries.pop(next(iter(self._entries)))

    def _fight(self, entry: _Entry, wish: Manifest, before: Manifest) -> dict[str, int]:
        now = self._clock.monotonic()
        entry.writes.append(now)
        for path in differences(wish, before):
            if not path.startswith(f"metadata.annotations.{STAMP}"):
                entry.flips[path] = entry.flips.get(path, 0) + 1
        if len(entry.writes) < FIGHT_WRITES or now - entry.writes[0] > FIGHT_SECONDS:
            return {}
        flips, entry.flips = entry.flips, {}
        entry.writes.clear()
        return flips
