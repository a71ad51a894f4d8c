"""Ways to get deletion wrong: namesakes, finalizers, collections."""

from typing import Any

from tests.lib.contract.mutations.registry import Change, mutation
from tests.lib.sim import server
from tests.lib.sim.objects import Objects, Removal, deleting
from tests.lib.sim.store import Record

from hypershift.kit import Manifest


@mutation
def uids_are_not_compared() -> list[Change]:
    """A delete meant for an earlier namesake takes the younger one."""
    delete = Objects.delete

    def lax(self: Objects, old: Record, removal: Removal, *, dry: bool = False) -> Record | None:
        return delete(self, old, Removal(removal.propagation), dry=dry)

    return [(Objects, "delete", lax)]


@mutation
def finalizers_keep_nothing() -> list[Change]:
    """A delete ends the object at once."""
    return [(deleting, "finalizers_after", lambda *_: [])]


@mutation
def released_objects_stay() -> list[Change]:
    """Dropping the last finalizer does not end the object."""

    def commit(self: Objects, old: Record, body: Manifest, owners: Any, *, dry: bool) -> Record:
        record = self._record(old.resource, body, owners)
        if not dry:
            self._store.commit(old, record)
        return record

    return [(Objects, "_commit", commit)]


@mutation
def collections_go_whole() -> list[Change]:
    """Deletecollection ignores its selector."""
    return [(server, "label_selector", lambda _: lambda __: True)]
