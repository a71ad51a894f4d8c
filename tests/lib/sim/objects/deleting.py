"""The rules of delete: preconditions, finalizers and namespaces."""

from dataclasses import dataclass

from tests.lib.sim import status
from tests.lib.sim.objects.rules import Rules, unmet
from tests.lib.sim.routes import has_generation
from tests.lib.sim.store import Record

from hypershift.kube import kinds
from hypershift.kube.shape import duplicate

FOREGROUND, ORPHAN = "foregroundDeletion", "orphan"


@dataclass(frozen=True, slots=True)
class Removal:
    """How a delete shall go."""

    propagation: str = "Background"
    uid: str = ""
    resource_version: str = ""


class Deleting(Rules):
    """How objects end."""

    def delete(self, old: Record, removal: Removal, *, dry: bool = False) -> Record | None:
        """Delete an object; the result is its last state while finalizers keep it, else None."""
        metadata, name = old.manifest["metadata"], old.key.name
        if removal.uid not in {"", metadata["uid"]}:
            why = unmet("UID", removal.uid, metadata["uid"])
            raise status.conflict(old.resource, name, why)
        if removal.resource_version not in {"", metadata["resourceVersion"]}:
            why = unmet("ResourceVersion", removal.resource_version, metadata["resourceVersion"])
            raise status.conflict(old.resource, name, why)
        finalizers = finalizers_after(metadata.get("finalizers") or [], removal.propagation)
        if not finalizers and old.resource != kinds.NAMESPACE:
            if not dry:
                self._store.commit(old, None)
            return None
        if metadata.get("deletionTimestamp") and finalizers == metadata.get("finalizers"):
            return old
        return self._mark(old, finalizers, dry=dry)

    def _mark(self, old: Record, finalizers: list[str], *, dry: bool) -> Record:
        body = duplicate(old.manifest)
        metadata = body["metadata"]
        metadata.setdefault("deletionTimestamp", self._now())
        if old.resource == kinds.NAMESPACE:
            body["status"] = {"phase": "Terminating"}
        else:
            metadata["deletionGracePeriodSeconds"] = 0
        if finalizers:
            metadata["finalizers"] = finalizers
        if (
            has_generation(old.resource)
            and "generation" in metadata
            and not old.manifest["metadata"].get("deletionTimestamp")
        ):
            metadata["generation"] += 1
        record = self._record(old.resource, body, old.owners)
        if not dry:
            self._store.commit(old, record)
        return record

    def finish_namespace(self, old: Record) -> None:
        """Take an emptied namespace away, as its controller does."""
        self._store.commit(old, None)


def finalizers_after(known: list[str], propagation: str) -> list[str]:
    """The finalizers after a delete: its propagation policy is one of them."""
    kept = [name for name in known if name not in {FOREGROUND, ORPHAN}]
    if propagation == "Foreground":
        return [*kept, FOREGROUND]
    if propagation == "Orphan":
        return [*kept, ORPHAN]
    return kept
