"""The verbs that write: create, replace, patch, server-side apply, delete."""

from collections.abc import Iterable
from typing import Any, Literal, TypedDict

from hypershift.kit import Manifest, side_by_side
from hypershift.kube.base import Base, namespace_of
from hypershift.kube.errors import NotFound
from hypershift.kube.resource import Resource

PatchKind = Literal["merge", "json", "strategic"]
_PATCHES = {
    "merge": "application/merge-patch+json",
    "json": "application/json-patch+json",
    "strategic": "application/strategic-merge-patch+json",
}
_APPLY = "application/apply-patch+yaml"


class ApplyOptions(TypedDict, total=False):
    """What an apply may be told beside the object; clients that dress another one hand it on."""

    manager: str
    force: bool
    subresource: str
    dry_run: bool


class PatchOptions(TypedDict, total=False):
    """What a patch may be told beside object and change."""

    kind: PatchKind
    subresource: str
    manager: str


class DeleteOptions(TypedDict, total=False):
    """What a deletion may be told beside the object."""

    propagation: str
    uid: str
    resource_version: str
    grace_period: int | None


class Writing(Base):
    """create, replace, apply, patch and delete."""

    async def create(
        self, manifest: Manifest, *, manager: str = "", dry_run: bool = False
    ) -> Manifest:
        """Create an object; `AlreadyExists` when one of this name is there."""
        resource = await self.resource_of(manifest)
        path = resource.collection(namespace_of(manifest))
        query = {"fieldManager": manager or self.manager, "dryRun": "All" if dry_run else ""}
        return await self._call.object("POST", path, query=query, body=manifest)

    async def submit(
        self, resource: Resource, name: str, namespace: str, subresource: str, manifest: Manifest
    ) -> Manifest:
        """Post to a subresource: `token`, `eviction`, `binding`."""
        path = resource.item(name, namespace, subresource)
        return await self._call.object("POST", path, body=manifest)

    async def replace(
        self, manifest: Manifest, *, manager: str = "", subresource: str = ""
    ) -> Manifest:
        """Replace an object; `Conflict` when its resourceVersion is not the current one."""
        path = await self._path(manifest, subresource)
        query = {"fieldManager": manager or self.manager}
        return await self._call.object("PUT", path, query=query, body=manifest)

    async def replace_status(self, manifest: Manifest, *, manager: str = "") -> Manifest:
        """Replace an object's status and nothing else."""
        return await self.replace(manifest, manager=manager, subresource="status")

    async def apply(
        self,
        manifest: Manifest,
        *,
        manager: str = "",
        force: bool = True,
        subresource: str = "",
        dry_run: bool = False,
    ) -> Manifest:
        """Server-side apply: these fields are ours and have these values."""
        query = {
            "fieldManager": manager or self.manager,
            "force": "true" if force else "false",
            "dryRun": "All" if dry_run else "",
        }
        path = await self._path(manifest, subresource)
        return await self._call.object("PATCH", path, query=query, body=manifest, content=_APPLY)

    async def apply_all(self, manifests: Iterable[Manifest]) -> list[Manifest]:
        """Apply objects that do not need each other, side by side; answers in their order."""
        return await side_by_side(self.apply, manifests)

    async def patch(
        self,
        resource: Resource,
        name: str,
        patch: Any,
        namespace: str = "",
        *,
        kind: PatchKind = "merge",
        subresource: str = "",
        manager: str = "",
    ) -> Manifest:
        """Change some fields of an object, by merge patch (a map) or JSON patch (a list)."""
        path = resource.item(name, namespace, subresource)
        query = {"fieldManager": manager or self.manager}
        return await self._call.object(
            "PATCH", path, query=query, body=patch, content=_PATCHES[kind], escape=kind == "json"
        )

    async def delete(
        self,
        resource: Resource,
        name: str,
        namespace: str = "",
        *,
        propagation: str = "Background",
        uid: str = "",
        resource_version: str = "",
        grace_period: int | None = None,
    ) -> Manifest | None:
        """Delete an object, or nothing when it is not there; `uid` protects a newer namesake."""
        conditions = {"uid": uid, "resourceVersion": resource_version}
        options: Manifest = {"propagationPolicy": propagation}
        if chosen := {field: value for field, value in conditions.items() if value}:
            options["preconditions"] = chosen
        if grace_period is not None:
            options["gracePeriodSeconds"] = grace_period
        try:
            return await self._call.object("DELETE", resource.item(name, namespace), body=options)
        except NotFound:
            return None

    async def delete_collection(
        self,
        resource: Resource,
        namespace: str = "",
        labels: str = "",
        fields: str = "",
        *,
        propagation: str = "Background",
    ) -> None:
        """Delete every object that the selectors choose."""
        query = {"labelSelector": labels, "fieldSelector": fields}
        options = {"propagationPolicy": propagation}
        path = resource.collection(namespace)
        await self._call.object("DELETE", path, query=query, body=options)
