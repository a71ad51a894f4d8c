"""A client whose objects live in memory: enough for unit tests of phases, no watch, no defaults."""

import copy
import itertools
from collections.abc import Sequence
from typing import Any, Unpack

from hypershift.kit import Key, Manifest, deep_merge, labels_of
from hypershift.kube import AlreadyExists, Client, Conflict, NotFound, Request, Resource, Response
from hypershift.kube.client import ApplyOptions, DeleteOptions, PatchOptions
from hypershift.kube.shape import Path


class _NoTransport:
    """Nothing goes over the wire."""

    async def request(self, request: Request) -> Response:
        raise NotImplementedError(f"the memory client cannot {request}")

    async def close(self) -> None:
        return None


class MemoryClient(Client):
    """The verbs that phases use, on a dictionary; `writes` tells what changed, in order."""

    def __init__(self, *objects: Manifest) -> None:
        """Start with these objects."""
        super().__init__(_NoTransport(), manager="test")
        self._versions = itertools.count(1)
        self._objects: dict[tuple[str, Key], Manifest] = {}
        self.writes: list[tuple[str, str, Key]] = []
        for item in objects:
            self.put(item)

    def put(self, manifest: Manifest) -> Manifest:
        """Store an object as it is, without counting it as a write."""
        stored = copy.deepcopy(manifest)
        metadata = stored.setdefault("metadata", {})
        metadata.setdefault("uid", f"uid-{next(self._versions)}")
        metadata["resourceVersion"] = str(next(self._versions))
        self._objects[self._place(stored)] = stored
        return copy.deepcopy(stored)

    def _place(self, manifest: Manifest) -> tuple[str, Key]:
        metadata = manifest["metadata"]
        return manifest["kind"], Key(metadata.get("namespace", ""), metadata["name"])

    async def get(
        self, resource: Resource, name: str, namespace: str = "", *, subresource: str = ""
    ) -> Manifest:
        del subresource
        found = self._objects.get((resource.kind, Key(namespace, name)))
        if found is None:
            raise NotFound(404, "NotFound", f'{resource.plural} "{name}" not found')
        return copy.deepcopy(found)

    async def list(
        self,
        resource: Resource,
        namespace: str = "",
        labels: str = "",
        fields: str = "",
        *,
        only: Sequence[Path] = (),
    ) -> list[Manifest]:
        del fields, only
        wanted = dict(part.split("=", 1) for part in labels.split(",") if "=" in part)
        return [
            copy.deepcopy(item)
            for (kind, key), item in self._objects.items()
            if kind == resource.kind
            and namespace in ("", key.namespace)
            and wanted.items() <= labels_of(item).items()
        ]

    async def create(
        self, manifest: Manifest, *, manager: str = "", dry_run: bool = False
    ) -> Manifest:
        del manager, dry_run
        if self._place(manifest) in self._objects:
            raise AlreadyExists(409, "AlreadyExists", f"{self._place(manifest)} exists")
        return self._write("create", manifest)

    async def replace(
        self, manifest: Manifest, *, manager: str = "", subresource: str = ""
    ) -> Manifest:
        del manager, subresource
        return self._write("replace", manifest)

    async def apply(self, manifest: Manifest, **options: Unpack[ApplyOptions]) -> Manifest:
        """Lay the manifest over what is there; nothing is written when that changes nothing."""
        del options
        known = self._objects.get(self._place(manifest))
        merged = deep_merge(known or {}, manifest)
        if known is not None and merged == known:
            return copy.deepcopy(known)
        return self._write("apply", merged)

    async def patch(
        self,
        resource: Resource,
        name: str,
        patch: Any,
        namespace: str = "",
        **options: Unpack[PatchOptions],
    ) -> Manifest:
        if (kind := options.get("kind", "merge")) != "merge":
            raise NotImplementedError(f"the memory client knows no {kind} patch")
        found = await self.get(resource, name, namespace)
        version = (patch.get("metadata") or {}).get("resourceVersion")
        if version and version != found["metadata"]["resourceVersion"]:
            raise Conflict(409, "Conflict", f"{name} has changed")
        return self._write("patch", _merge_patch(found, patch))

    async def delete(
        self,
        resource: Resource,
        name: str,
        namespace: str = "",
        **options: Unpack[DeleteOptions],
    ) -> Manifest | None:
        del options
        gone = self._objects.pop((resource.kind, Key(namespace, name)), None)
        if gone is not None:
            self.writes.append(("delete", resource.kind, Key(namespace, name)))
        return gone

    def _write(self, verb: str, manifest: Manifest) -> Manifest:
        kind, key = self._place(manifest)
        self.writes.append((verb, kind, key))
        return self.put(manifest)


def _merge_patch(value: Any, patch: Any) -> Any:
    """JSON merge patch: null removes."""
    if not isinstance(patch, dict):
        return patch
    merged = dict(value) if isinstance(value, dict) else {}
    for name, item in patch.items():
        if item is None:
            merged.pop(name, None)
        else:
            merged[name] = _merge_patch(merged.get(name), item)
    return merged
