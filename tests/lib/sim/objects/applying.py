"""The rules of server-side apply: who owns which field, and who must not take it."""

from tests.lib.sim import status
from tests.lib.sim.objects.creating import Creating
from tests.lib.sim.objects.updating import Updating
from tests.lib.sim.ownership import FieldConflict, Owner, applied
from tests.lib.sim.routes import has_status
from tests.lib.sim.store import Record

from hypershift.kit import Key, Manifest
from hypershift.kube import Resource
from hypershift.kube.shape import duplicate


class Applying(Creating, Updating):
    """How wishes become objects."""

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
