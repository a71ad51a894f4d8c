"""What the simulated server does to objects: the rules of create, update, apply and delete."""

import random
import re
import uuid
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from hypershift.kit import Key, Manifest
from hypershift.kube import Resource, kinds
from hypershift.kube.shape import duplicate
from hypershift.testing.sim import status
from hypershift.testing.sim.defaults import with_defaults
from hypershift.testing.sim.fields import BUILT_IN, METADATA, Lists
from hypershift.testing.sim.ownership import FieldConflict, Owner, Owners, after_update, applied
from hypershift.testing.sim.routes import Catalog, has_generation, has_status, is_custom
from hypershift.testing.sim.store import Record, Store

_NAME = re.compile(r"^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$")
_SUFFIX = "bcdfghjklmnpqrstvwxz2456789"
FOREGROUND, ORPHAN = "foregroundDeletion", "orphan"
_KEPT = (
    "uid",
    "creationTimestamp",
    "deletionTimestamp",
    "deletionGracePeriodSeconds",
    "generation",
)


@dataclass(frozen=True, slots=True)
class Removal:
    """How a delete shall go."""

    propagation: str = "Background"
    uid: str = ""
    resource_version: str = ""


class Objects:
    """The rules, over a store."""

    def __init__(
        self, store: Store, catalog: Catalog, *, rng: random.Random, now: Callable[[], str]
    ) -> None:
        """`rng` gives uids and generated names, `now` the time as objects carry it."""
        self._store, self._catalog, self._rng, self._now = store, catalog, rng, now

    # Create

    def create(
        self,
        resource: Resource,
        namespace: str,
        manifest: Manifest,
        owner: Owner,
        *,
        dry: bool = False,
    ) -> Record:
        """A new object."""
        body = duplicate(manifest)
        metadata = body.setdefault("metadata", {})
        self._check_kind(resource, body)
        self._place(resource, namespace, metadata)
        if metadata.get("resourceVersion"):
            raise status.bad_request("resourceVersion should not be set on objects to be created")
        if self._store.get(resource, Key(metadata.get("namespace", ""), metadata["name"])):
            raise status.already_exists(resource, metadata["name"])
        for field in ("uid", "creationTimestamp", "deletionTimestamp", "managedFields"):
            metadata.pop(field, None)
        if has_status(resource):
            body.pop("status", None)
        body = with_defaults(resource, body)
        owned = after_update({}, {}, body, owner, self.lists(resource))
        return self._begin(resource, body, owned, dry=dry)

    def _begin(self, resource: Resource, body: Manifest, owners: Owners, *, dry: bool) -> Record:
        body = with_defaults(resource, body)
        metadata = body["metadata"]
        metadata["uid"] = str(uuid.UUID(int=self._rng.getrandbits(128), version=4))
        metadata["creationTimestamp"] = self._now()
        if has_generation(resource):
            metadata["generation"] = 1
        record = self._record(resource, body, owners)
        if dry:
            return record
        if resource == kinds.CUSTOM_RESOURCE_DEFINITION:
            self._catalog.install(body)
        self._store.commit(None, record)
        return record

    def _place(self, resource: Resource, namespace: str, metadata: Manifest) -> None:
        if resource.namespaced:
            if metadata.setdefault("namespace", namespace) != namespace:
                raise status.bad_request(
                    "the namespace of the provided object does not match the namespace "
                    "sent on the request"
                )
        else:
            metadata.pop("namespace", None)
        if not metadata.get("name") and metadata.get("generateName"):
            suffix = "".join(self._rng.choice(_SUFFIX) for _ in range(5))
            metadata["name"] = metadata["generateName"] + suffix
        name = metadata.get("name", "")
        if not name:
            raise status.invalid(
                resource, "", "metadata.name", "Required value: name or generateName is required"
            )
        if not _NAME.match(name) and resource.group != "rbac.authorization.k8s.io":
            raise status.invalid(resource, name, "metadata.name", f'Invalid value: "{name}"')
        if resource.namespaced:
            self._check_namespace(resource, namespace, name)

    def _check_namespace(self, resource: Resource, namespace: str, name: str) -> None:
        found = self._store.get(kinds.NAMESPACE, Key("", namespace))
        if found is None:
            raise status.not_found(kinds.NAMESPACE, namespace)
        if found.manifest["metadata"].get("deletionTimestamp"):
            why = f"unable to create new content in namespace {namespace}: it is being terminated"
            raise status.forbidden(resource, name, why)

    @staticmethod
    def _check_kind(resource: Resource, body: Manifest) -> None:
        if (body.get("apiVersion"), body.get("kind")) != (resource.api_version, resource.kind):
            raise status.bad_request(
                f"the API version in the data ({body.get('apiVersion')}) does not match "
                f"the expected API version ({resource.api_version})"
            )

    # Update

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
            raise status.conflict(resource, name, _unmet("UID", uid, before["uid"]))
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
        if subresource == "status":
            wanted = body.get("status")
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

    # Apply

    def apply(
        self,
        resource: Resource,
        key: Key,
        wish: Manifest,
        owner: Owner,
        *,
        force: bool,
        dry: bool = False,
    ) -> tuple[Record, bool]:
        """Server-side apply; the second value says whether the object is new."""
        self._check_kind(resource, wish)
        if (wish.get("metadata") or {}).get("managedFields"):
            raise status.bad_request("metadata.managedFields must be nil")
        old = self._store.get(resource, key)
        if old is None:
            if owner.subresource:
                raise status.not_found(resource, key.name)
            return self._apply_new(resource, key, wish, owner, dry=dry), True
        wish = self._visible(resource, wish, owner.subresource)
        try:
            body, owners = applied(
                old.owners, old.manifest, wish, owner, self.lists(resource), force=force
            )
        except FieldConflict as error:
            raise _field_conflict(resource, key, error) from None
        return self.update(old, body, owner, owners=owners, patch=True, dry=dry), False

    def _apply_new(
        self, resource: Resource, key: Key, wish: Manifest, owner: Owner, *, dry: bool
    ) -> Record:
        body = duplicate(self._visible(resource, wish, ""))
        metadata = body.setdefault("metadata", {})
        if metadata.get("resourceVersion") or metadata.get("uid"):
            raise status.conflict(resource, key.name, status.MODIFIED)
        metadata.setdefault("name", key.name)
        self._place(resource, key.namespace, metadata)
        _, owners = applied({}, {}, body, owner, self.lists(resource), force=True)
        return self._begin(resource, body, owners, dry=dry)

    @staticmethod
    def _visible(resource: Resource, wish: Manifest, subresource: str) -> Manifest:
        """The part of a wish that this endpoint looks at."""
        if subresource == "status":
            identity = {name: wish[name] for name in ("apiVersion", "kind", "metadata")}
            kept = ("name", "namespace", "resourceVersion", "uid")
            metadata = {name: v for name, v in identity["metadata"].items() if name in kept}
            return identity | {"metadata": metadata, "status": wish.get("status") or {}}
        if has_status(resource):
            return {name: value for name, value in wish.items() if name != "status"}
        return wish

    # Delete

    def delete(self, old: Record, removal: Removal, *, dry: bool = False) -> Record | None:
        """Delete an object; the result is its last state while finalizers keep it, else None."""
        metadata, name = old.manifest["metadata"], old.key.name
        if removal.uid not in {"", metadata["uid"]}:
            why = _unmet("UID", removal.uid, metadata["uid"])
            raise status.conflict(old.resource, name, why)
        if removal.resource_version not in {"", metadata["resourceVersion"]}:
            why = _unmet("ResourceVersion", removal.resource_version, metadata["resourceVersion"])
            raise status.conflict(old.resource, name, why)
        finalizers = _finalizers(metadata.get("finalizers") or [], removal.propagation)
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

    # Helpers

    def lists(self, resource: Resource) -> Lists:
        """How the lists of a kind merge."""
        return METADATA if is_custom(resource) else BUILT_IN

    def _record(self, resource: Resource, body: Manifest, owners: Owners) -> Record:
        revision = self._store.next_revision()
        body["metadata"]["resourceVersion"] = str(revision)
        return Record(resource, body, owners, revision)


def _unmet(what: str, asked: str, found: str) -> str:
    return f"Precondition failed: {what} in precondition: {asked}, {what} in object meta: {found}"


def _content(manifest: Manifest) -> dict[str, Any]:
    return {name: value for name, value in manifest.items() if name != "metadata"}


def _metadata(manifest: Manifest) -> dict[str, Any]:
    ignored = {"resourceVersion", "managedFields", "generation"}
    return {name: value for name, value in manifest["metadata"].items() if name not in ignored}


def _finalizers(known: list[str], propagation: str) -> list[str]:
    """The finalizers after a delete: its propagation policy is one of them."""
    kept = [name for name in known if name not in {FOREGROUND, ORPHAN}]
    if propagation == "Foreground":
        return [*kept, FOREGROUND]
    if propagation == "Orphan":
        return [*kept, ORPHAN]
    return kept


def _field_conflict(resource: Resource, key: Key, error: FieldConflict) -> status.Refused:
    causes = [
        {
            "reason": "FieldManagerConflict",
            "message": f'conflict with "{owner.manager}"',
            "field": "".join(
                f".{step[2:]}" if step[0] == "f" else f"[{step[2:]}]" for step in path
            ),
        }
        for owner, path in error.taken
    ]
    message = f"Apply failed with {len(causes)} conflict(s)"
    refusal = status.conflict(resource, key.name, message)
    refusal.message, refusal.details = message, {"causes": causes}
    return refusal
