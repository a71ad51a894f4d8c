"""What the controller manager does beside an API server: orphans go, emptied namespaces go."""

import asyncio
import random
from collections.abc import Iterator

from tests.lib.sim.objects import FOREGROUND, ORPHAN, Removal
from tests.lib.sim.ownership import Owner
from tests.lib.sim.server import SimServer
from tests.lib.sim.store import Commit, Record

from hypershift.kit import Manifest
from hypershift.kube import kinds
from hypershift.kube.shape import duplicate

_WHO = Owner("garbage-collector", "Update")


def _matters(change: Commit) -> bool:
    """Whether somebody lost an owner, may never have had one, or is being deleted."""
    if change.new is None:
        return True
    metadata = change.new.manifest["metadata"]
    born = change.old is None and bool(metadata.get("ownerReferences"))
    return born or bool(metadata.get("deletionTimestamp"))


class Garbage:
    """Looks from time to time for objects whose owners are gone, as the real collector does."""

    def __init__(self, server: SimServer, *, rng: random.Random, every: float = 2.0) -> None:
        """Look about every `every` seconds."""
        self._server, self._rng, self._every = server, rng, every

    async def run(self) -> None:
        """Collect for ever."""
        changed = asyncio.Event()
        self._server.store.listen(lambda change: changed.set() if _matters(change) else None)
        while True:
            await changed.wait()
            changed.clear()
            await asyncio.sleep(self._every * self._rng.uniform(0.5, 1.5))
            self.collect()

    def collect(self) -> None:
        """One look at everything."""
        alive = {record.manifest["metadata"]["uid"] for record in self._server.store.everything()}
        for record in tuple(self._server.store.everything()):
            metadata = record.manifest["metadata"]
            owners = [one["uid"] for one in metadata.get("ownerReferences") or ()]
            if owners and not any(uid in alive for uid in owners):
                self._delete(record)
            if metadata.get("deletionTimestamp"):
                self._advance(record)

    def _advance(self, record: Record) -> None:
        finalizers = record.manifest["metadata"].get("finalizers") or []
        if record.resource == kinds.NAMESPACE:
            self._empty(record)
        elif FOREGROUND in finalizers:
            dependents = tuple(self._dependents(record))
            for dependent in dependents:
                self._delete(dependent)
            if not dependents:
                self._release(record, FOREGROUND)
        elif ORPHAN in finalizers:
            for dependent in tuple(self._dependents(record)):
                self._disown(dependent, record)
            self._release(record, ORPHAN)

    def _empty(self, namespace: Record) -> None:
        inside = [
            record
            for record in self._server.store.everything()
            if record.key.namespace == namespace.key.name
        ]
        for record in inside:
            self._delete(record)
        if not inside:
            self._server.objects.finish_namespace(namespace)

    def _dependents(self, owner: Record) -> Iterator[Record]:
        uid = owner.manifest["metadata"]["uid"]
        for record in self._server.store.everything():
            references = record.manifest["metadata"].get("ownerReferences") or ()
            if any(one["uid"] == uid for one in references):
                yield record

    def _delete(self, record: Record) -> None:
        current = self._server.store.get(record.resource, record.key)
        if current is not None and not current.manifest["metadata"].get("deletionTimestamp"):
            self._server.objects.delete(current, Removal())

    def _release(self, record: Record, finalizer: str) -> None:
        body = duplicate(record.manifest)
        kept = [name for name in body["metadata"]["finalizers"] if name != finalizer]
        body["metadata"]["finalizers"] = kept
        self._server.objects.update(record, body, _WHO, patch=True)

    def _disown(self, record: Record, owner: Record) -> None:
        body: Manifest = duplicate(record.manifest)
        uid = owner.manifest["metadata"]["uid"]
        references = body["metadata"]["ownerReferences"]
        body["metadata"]["ownerReferences"] = [one for one in references if one["uid"] != uid]
        self._server.objects.update(record, body, _WHO, patch=True)
