"""The verbs of the Kubernetes API over any transport, with manifests in and manifests out."""

import random
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Sequence
from contextlib import aclosing, asynccontextmanager
from pathlib import Path
from typing import Any, Literal, NamedTuple, Self

import msgspec

from hypershift.kit import Manifest
from hypershift.kube import config as kubeconfig
from hypershift.kube import kinds
from hypershift.kube.calls import Caller
from hypershift.kube.errors import NotFound, status_error
from hypershift.kube.execution import ExecResult, execute
from hypershift.kube.http import HttpTransport
from hypershift.kube.resource import Resource
from hypershift.kube.transport import Transport

Manifests = list[Manifest]
PatchKind = Literal["merge", "json", "strategic"]
PAGE = 500
DEFAULT_MANAGER = "hypershift"

_PATCHES = {
    "merge": "application/merge-patch+json",
    "json": "application/json-patch+json",
    "strategic": "application/strategic-merge-patch+json",
}
_APPLY = "application/apply-patch+yaml"
_METADATA_ONLY = "application/json;as=PartialObjectMetadata{0};g=meta.k8s.io;v=v1,application/json"


class Event(NamedTuple):
    """One change that a watch tells: ADDED, MODIFIED, DELETED or BOOKMARK, and the object."""

    type: str
    object: Manifest


class Listing(NamedTuple):
    """What a list saw, and at which resource version."""

    items: Manifests
    resource_version: str


class Client:
    """Talks to one API server as one identity."""

    def __init__(
        self,
        transport: Transport,
        *,
        manager: str = DEFAULT_MANAGER,
        namespace: str = "default",
        rng: random.Random | None = None,
    ) -> None:
        """Use a transport; `rng` feeds request ids, so that a simulation repeats itself."""
        self.transport = transport
        self.manager = manager
        self.namespace = namespace
        self._call = Caller(transport, manager, rng or random.Random())  # noqa: S311 (ids only)
        self._discovered: dict[tuple[str, str], Resource] = {}

    @classmethod
    @asynccontextmanager
    async def connect(
        cls,
        kubeconfig_file: Path | None = None,
        *,
        context: str = "",
        manager: str = DEFAULT_MANAGER,
    ) -> AsyncIterator[Self]:
        """Open a client by a kubeconfig; None means $KUBECONFIG, else the pod's own account."""
        client = cls.from_config(kubeconfig.load(kubeconfig_file, context=context), manager=manager)
        async with client:
            yield client

    @classmethod
    def from_kubeconfig_dict(
        cls, document: Manifest, *, context: str = "", manager: str = DEFAULT_MANAGER
    ) -> Self:
        """A client for a kubeconfig that is already parsed, as a Secret holds one."""
        return cls.from_config(kubeconfig.from_dict(document, context=context), manager=manager)

    @classmethod
    def from_config(cls, config: kubeconfig.Config, *, manager: str = DEFAULT_MANAGER) -> Self:
        """A client for a server and an identity."""
        return cls(HttpTransport(config), manager=manager, namespace=config.namespace)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Let go of every connection."""
        await self.transport.close()

    # Reading

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

    # Writing

    async def create(
        self, manifest: Manifest, *, manager: str = "", dry_run: bool = False
    ) -> Manifest:
        """Create an object; `AlreadyExists` when one of this name is there."""
        resource = await self.resource_of(manifest)
        path = resource.collection(_namespace(manifest))
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

    # Pods and the rest

    async def logs(
        self,
        name: str,
        namespace: str,
        *,
        container: str = "",
        previous: bool = False,
        tail: int | None = None,
    ) -> str:
        """What a container has printed so far."""
        query = {
            "container": container,
            "previous": "true" if previous else "",
            "tailLines": "" if tail is None else str(tail),
        }
        answer = await self._call.answer("GET", kinds.POD.item(name, namespace, "log"), query=query)
        return answer.body.decode(errors="replace")

    async def follow_logs(
        self, name: str, namespace: str, *, container: str = ""
    ) -> AsyncGenerator[str, None]:
        """The lines of a container as it prints them."""
        query = {"container": container, "follow": "true"}
        path = kinds.POD.item(name, namespace, "log")
        async with aclosing(self._call.lines("GET", path, query=query)) as lines:
            async for line in lines:
                yield line.decode(errors="replace")

    async def exec(
        self,
        name: str,
        namespace: str,
        command: Sequence[str],
        *,
        container: str = "",
        stdin: bytes = b"",
    ) -> ExecResult:
        """Run a command in a container and wait for its end."""
        path = kinds.POD.item(name, namespace, "exec")
        return await execute(self.transport, path, command, container=container, stdin=stdin)

    async def raw(
        self, method: str, path: str, *, body: Any = None, query: dict[str, str] | None = None
    ) -> bytes:
        """Any path of the server (`/readyz`, `/version`), as bytes."""
        return (await self._call.answer(method, path, body=body, query=query)).body

    # Kinds

    async def resource(self, api_version: str, kind: str) -> Resource:
        """The kind of that name: known, or learnt from the server and remembered."""
        if found := kinds.find(api_version, kind) or self._discovered.get((api_version, kind)):
            return found
        for resource in await self.discover(api_version):
            self._discovered[resource.api_version, resource.kind] = resource
        if found := self._discovered.get((api_version, kind)):
            return found
        raise NotFound(404, "NotFound", f"the server has no kind {kind} in {api_version}")

    async def resource_of(self, manifest: Manifest) -> Resource:
        """The kind of a manifest."""
        return await self.resource(manifest.get("apiVersion", ""), manifest.get("kind", ""))

    async def discover(self, api_version: str) -> Sequence[Resource]:
        """The kinds that the server serves in one group and version."""
        group, _, version = api_version.rpartition("/")
        path = f"/apis/{group}/{version}" if group else f"/api/{version}"
        answer = await self._call.object("GET", path)
        return [
            Resource(group, version, item["name"], item["kind"], item["namespaced"])
            for item in answer.get("resources") or ()
            if "/" not in item["name"]
        ]

    async def _path(self, manifest: Manifest, subresource: str) -> str:
        resource = await self.resource_of(manifest)
        return resource.item(manifest["metadata"]["name"], _namespace(manifest), subresource)


def _namespace(manifest: Manifest) -> str:
    return str(manifest.get("metadata", {}).get("namespace") or "")


def _named(item: Manifest, resource: Resource) -> Manifest:
    """The items of a list come without their kind; we keep each object whole."""
    return {"apiVersion": resource.api_version, "kind": resource.kind, **item}
