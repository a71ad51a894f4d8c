"""The verbs that read: get, list in pages, watch."""

from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import aclosing
from typing import NamedTuple

import msgspec

from hypershift.kit import Manifest
from hypershift.kube.base import Base, Manifests
from hypershift.kube.errors import NotFound, status_error
from hypershift.kube.resource import Resource

PAGE = 500
_METADATA_ONLY = "application/json;as=PartialObjectMetadata{0};g=meta.k8s.io;v=v1,application/json"


class Event(NamedTuple):
    """One change that a watch tells: ADDED, MODIFIED, DELETED or BOOKMARK, and the object."""

    type: str
    object: Manifest


class Listing(NamedTuple):
    """What a list saw, and at which resource version."""

    items: Manifests
    resource_version: str


class Reading(Base):
    """get, find, list and watch."""

    async def get(
        self, resource: Resource, name: str, namespace: str = "", *, subresource: str = ""
    ) -> Manifest:
        """One object; `NotFound` when it is not there."""
        return await self._call.object("GET", resource.item(name, namespace, subresource))

    async def find(self, resource: Resource, name: str, namespace: str = "") -> Manifest | None:
        """One object, or None."""
        try:
            return await self.get(resource, name, namespace)
        except NotFound:
            return None

    async def list(
        self, resource: Resource, namespace: str = "", labels: str = "", fields: str = ""
    ) -> Manifests:
        """All objects that the selectors choose."""
        return (await self.listing(resource, namespace, labels, fields)).items

    async def each(self, resource: Resource, namespace: str = "") -> Sequence[Manifest]:
        """The objects of a namespace, to be read and not changed: a cache gives its own."""
        return await self.list(resource, namespace)

    async def versions(self, resource: Resource, namespace: str = "") -> dict[str, str]:
        """The versions of all objects of a namespace, by name."""
        found = await self.each(resource, namespace)
        return {one["metadata"]["name"]: one["metadata"]["resourceVersion"] for one in found}

    async def listing(
        self,
        resource: Resource,
        namespace: str = "",
        labels: str = "",
        fields: str = "",
        *,
        metadata_only: bool = False,
        keep: Callable[[Manifest], Manifest] = lambda item: item,
        page: int = PAGE,
    ) -> Listing:
        """All objects and the list's version; `keep` shapes each item as its page arrives."""
        items: Manifests = []
        query = {"labelSelector": labels, "fieldSelector": fields, "limit": str(page or "")}
        headers = {"Accept": _METADATA_ONLY.format("List")} if metadata_only else {}
        while True:
            answer = await self._call.object(
                "GET", resource.collection(namespace), query=query, headers=headers
            )
            items += [keep(_named(item, resource)) for item in answer.get("items") or ()]
            metadata = answer.get("metadata") or {}
            if not metadata.get("continue"):
                return Listing(items, metadata.get("resourceVersion", ""))
            query["continue"] = metadata["continue"]

    async def watch(
        self,
        resource: Resource,
        namespace: str = "",
        labels: str = "",
        fields: str = "",
        resource_version: str = "",
        *,
        bookmarks: bool = False,
        initial_events: bool = False,
        metadata_only: bool = False,
        timeout: float | None = None,  # noqa: ASYNC109 (the server's own timeout of a watch)
    ) -> AsyncGenerator[Event, None]:
        """Changes as they happen; `Gone` when the version is too old; ends when the server does."""
        query = {
            "watch": "true",
            "labelSelector": labels,
            "fieldSelector": fields,
            "resourceVersion": resource_version,
            "allowWatchBookmarks": "true" if bookmarks or initial_events else "",
            "sendInitialEvents": "true" if initial_events else "",
            "resourceVersionMatch": "NotOlderThan" if initial_events else "",
            "timeoutSeconds": str(int(timeout)) if timeout else "",
        }
        headers = {"Accept": _METADATA_ONLY.format("")} if metadata_only else {}
        path = resource.collection(namespace)
        async with aclosing(self._call.lines("GET", path, query=query, headers=headers)) as lines:
            async for line in lines:
                event = msgspec.json.decode(line)
                if event["type"] == "ERROR":
                    raise status_error(event["object"], attempt=f"watch {path}")
                yield Event(event["type"], event["object"])


def _named(item: Manifest, resource: Resource) -> Manifest:
    """The items of a list come without their kind; we keep each object whole."""
    return {"apiVersion": resource.api_version, "kind": resource.kind, **item}
