"""The rules of update: what may change, what is kept, and what counts as a change."""

from typing import Any

from tests.lib.sim import status
from tests.lib.sim.addresses import addressed
from tests.lib.sim.defaults import with_defaults
from tests.lib.sim.objects.rules import Rules, unmet
from tests.lib.sim.ownership import Owner, Owners, after_update
from tests.lib.sim.routes import has_generation, has_status, is_custom
from tests.lib.sim.store import Record

from hypershift.kit import Manifest
from hypershift.kube import Resource, kinds
from hypershift.kube.shape import duplicate

_KEPT = (
    "uid",
    "creationTimestamp",
    "deletionTimestamp",
    "deletionGracePeriodSeconds",
    "generation",
)


class Updating(Rules):
    """How objects change."""

    def update(
        self,
        old: Record,
        manifest: Manifest,
        owner: Owner,
        *,
        owners: Owners | None = None,
        patch: bool = False,
        dry: bool = False,
    ) -> Record:
        """The next state of an object; `owners` when the caller worked out ownership itself."""
        resource, before = old.resource, old.manifest
        body = duplicate(manifest)
        self._check_update(old, body, patch=patch)
        self._keep(resource, before, body, owner.subresource)
        body = with_defaults(resource, body)
        body = addressed(resource, before, body, self._store.next_revision())
        changed = _content(before) != _content(body)
        if owners is None:
            lists = self.lists(resource)
            owners = after_update(old.owners, before, body, owner, lists) if changed else old.owners
        if _content(before) != _content(body) or _metadata(before) != _metadata(body):
            self._count(resource, before, body)
        elif owners == old.owners:
            return old
        return self._commit(old, body, owners, dry=dry)

    def _commit(self, old: Record, body: Manifest, owners: Owners, *, dry: bool) -> Record:
        metadata = body["metadata"]
        released = metadata.get("deletionTimestamp") and not metadata.get("finalizers")
        if released and not dry and old.resource != kinds.NAMESPACE:
            return self._remove(old, body, owners)
        record = self._record(old.resource, body, owners)
        if not dry:
            self._store.commit(old, record)
        return record

    def _remove(self, old: Record, body: Manifest, owners: Owners) -> Record:
        last = Record(old.resource, body, owners, old.revision)
        body["metadata"]["resourceVersion"] = old.manifest["metadata"]["resourceVersion"]
        self._store.commit(old, None)
        return last

    def _check_update(self, old: Record, body: Manifest, *, patch: bool) -> None:
        resource, before, metadata = (
            old.resource,
            old.manifest["metadata"],
            body.setdefault("metadata", {}),
        )
        name = before["name"]
        version = metadata.get("resourceVersion")
        if not version and not patch and is_custom(resource):
            why = "Invalid value: 0: must be specified for an update"
            raise status.invalid(resource, name, "metadata.resourceVersion", why)
        if version and version != before["resourceVersion"]:
            raise status.conflict(resource, name, status.MODIFIED)
        uid = metadata.get("uid")
        if uid and uid != before["uid"]:
            if patch:
                why = f'Invalid value: "{uid}": field is immutable'
                raise status.invalid(resource, name, "metadata.uid", why)
            raise status.conflict(resource, name, unmet("UID", uid, before["uid"]))
        if metadata.get("name", name) != name:
            raise status.bad_request("the name of the object does not match the name on the URL")
        if metadata.get("deletionTimestamp") not in {None, before.get("deletionTimestamp")}:
            why = "Invalid value: field is immutable"
            raise status.invalid(resource, name, "metadata.deletionTimestamp", why)
        if before.get("deletionTimestamp"):
            added = set(metadata.get("finalizers") or ()) - set(before.get("finalizers") or ())
            if added:
                why = "Forbidden: no new finalizers can be added if the object is being deleted"
                raise status.invalid(resource, name, "metadata.finalizers", why)

    @staticmethod
    def _keep(resource: Resource, before: Manifest, body: Manifest, subresource: str) -> None:
        """Put back what this write cannot change."""
        metadata, old = body["metadata"], before["metadata"]
        if subresource in {"status", "approval"}:
            wanted = _written(before, body.get("status"), subresource)
            body.clear()
            body.update(duplicate(before))
            body["status"] = wanted
            if wanted is None:
                del body["status"]
            return
        for field in _KEPT:
            metadata.pop(field, None)
            if field in old:
                metadata[field] = old[field]
        metadata["name"] = old["name"]
        if "namespace" in old:
            metadata["namespace"] = old["namespace"]
        metadata.pop("managedFields", None)
        body["apiVersion"], body["kind"] = before["apiVersion"], before["kind"]
        for field in ("labels", "annotations", "finalizers", "ownerReferences"):
            if not metadata.get(field):
                metadata.pop(field, None)
        if has_status(resource):
            body.pop("status", None)
            if "status" in before:
                body["status"] = before["status"]

    @staticmethod
    def _count(resource: Resource, before: Manifest, body: Manifest) -> None:
        if not has_generation(resource):
            return
        ignored = ("metadata", "status") if has_status(resource) else ("metadata",)
        old = {name: value for name, value in before.items() if name not in ignored}
        new = {name: value for name, value in body.items() if name not in ignored}
        if old != new:
            body["metadata"]["generation"] = before["metadata"].get("generation", 0) + 1


def _content(manifest: Manifest) -> dict[str, Any]:
    return {name: value for name, value in manifest.items() if name != "metadata"}


def _metadata(manifest: Manifest) -> dict[str, Any]:
    ignored = {"resourceVersion", "managedFields", "generation"}
    return {name: value for name, value in manifest["metadata"].items() if name not in ignored}


def _written(before: Manifest, wanted: Manifest | None, subresource: str) -> Manifest | None:
    """The status after a write; an approval changes conditions alone."""
    if subresource != "approval":
        return wanted
    conditions = (wanted or {}).get("conditions")
    status: Manifest = (before.get("status") or {}) | {"conditions": conditions}
    return status
