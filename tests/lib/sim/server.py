"""The simulated API server: requests in, answers out, each one atomic.

It keeps the promises of a real server that controllers lean on, no more: the contract suite asks
the same questions of both. It is a test tool and never part of the product.
"""

import base64
import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import msgspec
from tests.lib.sim import patches, status
from tests.lib.sim.asking import body_of, flag, is_dry, owner_of, removal_of
from tests.lib.sim.objects import Objects
from tests.lib.sim.ownership import Owner, managed_fields
from tests.lib.sim.routes import Catalog, Target, has_status, is_custom
from tests.lib.sim.store import Record, Store
from tests.lib.sim.watching import Asked, Watch

from hypershift.kit import Key, Manifest
from hypershift.kube import Request, Resource, Response, kinds
from hypershift.kube.selectors import field_selector, label_selector

NAMESPACES = ("default", "kube-system", "kube-public", "kube-node-lease")


@dataclass(slots=True)
class Watched(Response):
    """The answer to a watch; `end` lets the network break it, `leave` that the client is gone."""

    end: Callable[[], None] = lambda: None
    leave: Callable[[], None] = lambda: None


class SimServer:
    """An API server in memory."""

    def __init__(
        self,
        *,
        rng: random.Random | None = None,
        now: Callable[[], str] = lambda: "2030-01-01T00:00:00Z",
        show_managed_fields: bool = True,
    ) -> None:
        """Start with the namespaces that every cluster has."""
        self.store = Store()
        self.catalog = Catalog()
        self.rng = rng or random.Random(0)  # noqa: S311 (a simulation repeats itself)
        self.objects = Objects(self.store, self.catalog, rng=self.rng, now=now)
        self.watches: dict[int, Watch] = {}
        self._now, self._show_managed_fields = now, show_managed_fields
        self._pages: dict[str, list[Record]] = {}
        self._tickets = 0
        for name in NAMESPACES:
            namespace = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}}
            self.objects.create(kinds.NAMESPACE, "", namespace, Owner("sim", "Update"))

    # Requests

    def handle(self, request: Request) -> Response:
        """Answer one request; watches answer with a stream."""
        try:
            return self._route(request)
        except status.Refused as refusal:
            return Response(refusal.code, refusal.headers, refusal.body())
        except patches.BadPatch as error:
            unfit = status.Refused(422, "Invalid", f"the server rejected our request: {error}")
            return Response(422, {}, unfit.body())

    def _route(self, request: Request) -> Response:
        if request.path in {"/readyz", "/healthz", "/livez"}:
            return Response(200, {}, b"ok")
        if request.path == "/version":
            return _json(200, {"platform": "linux/amd64"})
        target = self.catalog.target(request.path)
        if target is None:
            return self._discovery(request.path)
        if target.name and target.resource.namespaced and not target.namespace:
            return Response(404, {}, b"404 page not found")
        if target.subresource and not _serves(target):
            raise status.Refused(
                404, "NotFound", "the server could not find the requested resource"
            )
        verb = self._verbs.get((request.method, bool(target.name)))
        if verb is None:
            raise status.Refused(405, "MethodNotAllowed", "the server does not allow this method")
        return verb(request, target)

    @property
    def _verbs(self) -> dict[tuple[str, bool], Callable[[Request, Target], Response]]:
        """What to do for a method, on an object (True) or on a collection."""
        return {
            ("GET", True): self._get,
            ("GET", False): self._list_or_watch,
            ("POST", False): self._create,
            ("PUT", True): self._replace,
            ("PATCH", True): self._patch,
            ("DELETE", True): self._delete,
            ("DELETE", False): self._delete_all,
        }

    def _discovery(self, path: str) -> Response:
        parts = path.strip("/").split("/")
        group, version = ("", parts[-1]) if parts[0] == "api" else (parts[-2], parts[-1])
        served = self.catalog.served(group, version)
        if not served:
            return Response(404, {}, b"404 page not found")
        resources = [
            {"name": one.plural, "kind": one.kind, "namespaced": one.namespaced} for one in served
        ]
        return _json(200, {"kind": "APIResourceList", "resources": resources})

    # Reading

    def _get(self, _: Request, target: Target) -> Response:
        return self._answer(self._existing(target))

    def _list_or_watch(self, request: Request, target: Target) -> Response:
        return (self._watch if flag(request, "watch") else self._list)(request, target)

    def _list(self, request: Request, target: Target) -> Response:
        limit = int(request.parameter("limit") or 0)
        if token := request.parameter("continue"):
            return self._page(token, target, limit)
        chosen = label_selector(request.parameter("labelSelector"))
        matching = field_selector(request.parameter("fieldSelector"))
        records = [
            record
            for record in self.store.records(target.resource, target.namespace)
            if chosen(record.manifest) and matching(record.manifest)
        ]
        return self._items(target, records, limit, self.store.revision)

    def _items(self, target: Target, records: list[Record], limit: int, revision: int) -> Response:
        metadata: Manifest = {"resourceVersion": str(revision)}
        if limit and len(records) > limit:
            self._tickets += 1
            token = base64.b64encode(f"{revision}/{self._tickets}".encode()).decode()
            self._pages[token] = records[limit:]
            metadata |= {"continue": token, "remainingItemCount": len(records) - limit}
            records = records[:limit]
        items = []
        for record in records:
            shown = self.show(record)
            items.append({k: v for k, v in shown.items() if k not in {"apiVersion", "kind"}})
        resource = target.resource
        return _json(
            200,
            {
                "kind": f"{resource.kind}List",
                "apiVersion": resource.api_version,
                "metadata": metadata,
                "items": items,
            },
        )

    def _page(self, token: str, target: Target, limit: int) -> Response:
        records = self._pages.pop(token, None)
        revision = int(base64.b64decode(token).decode().partition("/")[0])
        if records is None or revision < self.store.compacted:
            raise status.expired("The provided continue parameter is too old")
        return self._items(target, records, limit, revision)

    def _watch(self, request: Request, target: Target) -> Response:
        seconds = request.parameter("timeoutSeconds")
        asked = Asked(
            target.resource,
            target.namespace,
            request.parameter("labelSelector"),
            request.parameter("fieldSelector"),
            request.parameter("resourceVersion"),
            bookmarks=flag(request, "allowWatchBookmarks"),
            initial_events=flag(request, "sendInitialEvents"),
            version_match=request.parameter("resourceVersionMatch"),
            seconds=float(seconds) if seconds else None,
        )
        watch = Watch(self.store, asked, self.show)
        self._tickets += 1
        ticket = self._tickets
        self.watches[ticket] = watch

        def leave() -> None:
            watch.close()
            self.watches.pop(ticket, None)

        async def close() -> None:
            leave()

        return Watched(200, {}, lines=watch.lines(), close=close, end=watch.end, leave=leave)

    # Writing

    def _create(self, request: Request, target: Target) -> Response:
        if target.resource.namespaced and not target.namespace:
            raise status.Refused(405, "MethodNotAllowed", "the server does not allow this method")
        record = self.objects.create(
            target.resource,
            target.namespace,
            body_of(request),
            owner_of(request, "Update", target),
            dry=is_dry(request),
        )
        return self._answer(record, 201)

    def _replace(self, request: Request, target: Target) -> Response:
        old, body = self._existing(target), body_of(request)
        if body.get("metadata", {}).get("name") != target.name:
            raise status.bad_request("the name of the object does not match the name on the URL")
        owner = owner_of(request, "Update", target)
        return self._answer(self.objects.update(old, body, owner, dry=is_dry(request)))

    def _patch(self, request: Request, target: Target) -> Response:
        content = request.headers.get("Content-Type", "")
        if content == "application/apply-patch+yaml":
            return self._apply(request, target)
        old = self._existing(target)
        if content == "application/merge-patch+json":
            body = patches.merge_patched(old.manifest, body_of(request))
        elif content == "application/json-patch+json":
            body = patches.json_patched(old.manifest, msgspec.json.decode(request.body))
        elif content == "application/strategic-merge-patch+json" and not is_custom(target.resource):
            raise NotImplementedError("the simulator has no strategic merge patch")
        else:
            raise status.Refused(415, "UnsupportedMediaType", f"cannot patch by {content}")
        owner = owner_of(request, "Update", target)
        return self._answer(self.objects.update(old, body, owner, patch=True, dry=is_dry(request)))

    def _apply(self, request: Request, target: Target) -> Response:
        if not request.parameter("fieldManager"):
            raise status.bad_request("fieldManager is required for apply patch")
        record, created = self.objects.apply(
            target.resource,
            target.key,
            body_of(request),
            owner_of(request, "Apply", target),
            force=flag(request, "force"),
            dry=is_dry(request),
        )
        return self._answer(record, 201 if created else 200)

    def _delete(self, request: Request, target: Target) -> Response:
        old = self._existing(target)
        kept = self.objects.delete(old, removal_of(request), dry=is_dry(request))
        return _json(200, _deleted(old)) if kept is None else self._answer(kept)

    def _delete_all(self, request: Request, target: Target) -> Response:
        chosen = label_selector(request.parameter("labelSelector"))
        matching = field_selector(request.parameter("fieldSelector"))
        for record in self.store.records(target.resource, target.namespace):
            if chosen(record.manifest) and matching(record.manifest):
                self.objects.delete(record, removal_of(request))
        return _json(200, {"kind": f"{target.resource.kind}List", "metadata": {}, "items": []})

    # Helpers

    def show(self, record: Record) -> Manifest:
        """An object as the server answers it."""
        if not self._show_managed_fields:
            return record.manifest
        time = record.manifest["metadata"]["creationTimestamp"]
        entries = managed_fields(record.owners, record.resource.api_version, time)
        metadata = record.manifest["metadata"] | {"managedFields": entries}
        return record.manifest | {"metadata": metadata}

    def find(self, resource: Resource, name: str, namespace: str = "") -> Manifest | None:
        """An object as it is now, for assertions; read it only."""
        record = self.store.get(resource, Key(namespace, name))
        return record.manifest if record else None

    def all(self, resource: Resource, namespace: str = "") -> list[Manifest]:
        """The objects of a kind as they are now, for assertions; read them only."""
        return [record.manifest for record in self.store.records(resource, namespace)]

    def _existing(self, target: Target) -> Record:
        found = self.store.get(target.resource, target.key)
        if found is None:
            raise status.not_found(target.resource, target.name)
        return found

    def _answer(self, record: Record, code: int = 200) -> Response:
        return _json(code, self.show(record))


def _serves(target: Target) -> bool:
    if target.subresource == "approval":
        return target.resource.plural == "certificatesigningrequests"
    return target.subresource == "status" and has_status(target.resource)


def _json(code: int, body: Any) -> Response:
    return Response(code, {"Content-Type": "application/json"}, msgspec.json.encode(body))


def _deleted(old: Record) -> Manifest:
    group = {"group": old.resource.group} if old.resource.group else {}
    details = {"name": old.key.name, **group, "kind": old.resource.plural}
    details["uid"] = old.manifest["metadata"]["uid"]
    return {
        "kind": "Status",
        "apiVersion": "v1",
        "metadata": {},
        "status": "Success",
        "details": details,
    }
