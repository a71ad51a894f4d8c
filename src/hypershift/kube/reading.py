"""The verbs that read: get, list in pages, watch."""

from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import aclosing
from functools import partial
from typing import NamedTuple

import msgspec

from hypershift.kit import Manifest
from hypershift.kube.base import Base, Manifests
from hypershift.kube.errors import LimitExceeded, NotFound, status_error
from hypershift.kube.limits import cost, exceeded, shown
from hypershift.kube.resource import NotAName, Resource
from hypershift.kube.shape import Path, projected

#: A page that exceeds a limit is asked for again with fewer objects, down to one.
SMALLER = 5
_METADATA_ONLY = "application/json;as=PartialObjectMetadata{0};g=meta.k8s.io;v=v1,application/json"


class Event(NamedTuple):
    """One change that a watch reports: ADDED, MODIFIED, DELETED or BOOKMARK, and the object."""

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
        """One object, or None; no object has a name that cannot be one."""
        try:
            return await self.get(resource, name, namespace)
        except (NotFound, NotAName):
            return None

    async def list(
        self,
        resource: Resource,
        namespace: str = "",
        labels: str = "",
        fields: str = "",
        *,
        only: Sequence[Path] = (),
    ) -> Manifests:
        """All objects that the selectors choose; `only` names the fields that the caller reads.

        Of a server that we do not trust, no more than those are kept (a cache keeps its own).
        """
        keep = partial(projected, paths=only) if only and self.limits.cache is not None else None
        return (await self.listing(resource, namespace, labels, fields, keep=keep)).items

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
        keep: Callable[[Manifest], Manifest] | None = None,
        page: int = 0,
    ) -> Listing:
        """All objects and the list's version; `keep` shapes each item as its page arrives.

        `LimitExceeded` if the server does not come to an end within the limits of this client.
        """
        items: Manifests = []
        query = {"labelSelector": labels, "fieldSelector": fields}
        headers = {"Accept": _METADATA_ONLY.format("List")} if metadata_only else {}
        path, taken = resource.collection(namespace), 0
        page = page or self.limits.page
        for _ in range(self.limits.pages):
            query["limit"] = str(page)
            try:
                answer = await self._call.answer("GET", path, query=query, headers=headers)
                listed = self._call.decoded(answer.body, f"GET {path}")
            except LimitExceeded:
                if page == 1:
                    raise
                page = max(1, page // SMALLER)
                continue
            found = [_named(item, resource) for item in listed.get("items") or ()]
            items += map(keep, found) if keep else found
            if self.limits.cache is not None:  # a trusted server's lists are not measured
                taken += _kept(items, len(found)) if keep else cost(answer.body)
            metadata = listed.get("metadata") or {}
            if not metadata.get("continue"):
                return Listing(items, metadata.get("resourceVersion", ""))
            if taken > self.limits.listing:
                text = f"the list takes more than {shown(self.limits.listing)}"
                raise exceeded(text, f"GET {path}")
            query["continue"] = str(metadata["continue"])
        raise exceeded(f"the list has more than {self.limits.pages} pages", f"GET {path}")

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
                event = self._call.decoded(line, f"watch {path}")
                if event["type"] == "ERROR":
                    raise status_error(event["object"], attempt=f"watch {path}")
                yield Event(event["type"], event["object"])


def _kept(items: Manifests, newest: int) -> int:
    """Roughly the memory that the newest items take in the shape in which they are kept."""
    return sum(cost(msgspec.json.encode(item)) for item in items[len(items) - newest :])


def _named(item: Manifest, resource: Resource) -> Manifest:
    """The items of a list come without their kind; we keep each object whole."""
    return {"apiVersion": resource.api_version, "kind": resource.kind, **item}
