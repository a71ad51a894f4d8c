"""What every verb stands on: one transport, one identity, and the kinds that the server serves."""

import random
from collections.abc import Sequence
from typing import Any

from hypershift.kit import Manifest
from hypershift.kube import kinds
from hypershift.kube.calls import Caller
from hypershift.kube.errors import NotFound
from hypershift.kube.limits import TRUSTED, Limits
from hypershift.kube.resource import Resource
from hypershift.kube.transport import Transport

Manifests = list[Manifest]
DEFAULT_MANAGER = "hypershift"


class Base:
    """A server, an identity and a field manager."""

    def __init__(
        self,
        transport: Transport,
        *,
        manager: str = DEFAULT_MANAGER,
        namespace: str = "default",
        rng: random.Random | None = None,
        limits: Limits = TRUSTED,
    ) -> None:
        """Use a transport; `rng` feeds request ids, so that a simulation repeats itself."""
        self.transport = transport
        self.limits = limits
        self.manager = manager
        self.namespace = namespace
        ids = rng or random.Random()  # noqa: S311 (ids only)
        self._call = Caller(transport, manager, ids, limits)
        self._discovered: dict[tuple[str, str], Resource] = {}

    async def raw(
        self, method: str, path: str, *, body: Any = None, query: dict[str, str] | None = None
    ) -> bytes:
        """Any path of the server (`/readyz`, `/version`), as bytes."""
        return (await self._call.answer(method, path, body=body, query=query)).body

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
        return resource.item(manifest["metadata"]["name"], namespace_of(manifest), subresource)


def namespace_of(manifest: Manifest) -> str:
    """The namespace of an object, empty when it has none."""
    return str(manifest.get("metadata", {}).get("namespace") or "")
