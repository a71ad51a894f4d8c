"""What one pass may touch: the user's own namespace, and a control plane that is the cluster's.

Phases get a client that asks before each write, so that none can forget to. In a control plane
namespace that is not the cluster's own the client finds nothing and refuses every write. Whose the
namespace is gets read once in a pass, from the cache; only a refusal is confirmed by the server.
"""

import random
from collections.abc import Sequence
from typing import Any, Unpack

from hypershift.kit import Key, Manifest
from hypershift.kit.names import control_plane_namespace
from hypershift.kube import Client, NotFound, Resource, kinds
from hypershift.kube.base import namespace_of
from hypershift.kube.client import ApplyOptions, DeleteOptions, Listing, Manifests, PatchOptions
from hypershift.kube.shape import Path
from hypershift.operators.hypershift import ownership
from hypershift.operators.hypershift.ownership import NotOurs, Owner, Ownership


class Reach:
    """Where a pass about one hosted cluster may write."""

    def __init__(self, kube: Client, live: Client, key: Key, cluster: Manifest | None) -> None:
        """Know the cluster's key; without the HostedCluster itself its uid stays unknown."""
        self._kube, self._live = kube, live
        self.home, self.plane = key.namespace, control_plane_namespace(key)
        self.owner, self._born = Owner(key, ""), ""
        self.namespace: Manifest | None = None
        self._standing: Ownership | None = None
        self.belongs_to(cluster or {})

    def belongs_to(self, cluster: Manifest) -> None:
        """Take the identity of the HostedCluster that was found."""
        metadata = cluster.get("metadata") or {}
        self.owner = Owner(self.owner.key, str(metadata.get("uid") or ""))
        self._born = str(metadata.get("creationTimestamp") or "")
        self._standing = None

    async def look(self) -> Ownership:
        """The owner of the control plane namespace; a refusal is never based on an old cache."""
        if self._standing is None:
            self._standing = await self._judge(self._kube)
            if self._standing is Ownership.FOREIGN:
                self._standing = await self._judge(self._live)
        return self._standing

    async def look_again(self) -> Ownership:
        """The same, asked of the server."""
        self._standing = await self._judge(self._live)
        return self._standing

    async def owns_plane(self) -> bool:
        """Whether the control plane namespace is there and the cluster's own."""
        return await self.look() is Ownership.OURS

    def has_made(self, namespace: Manifest) -> None:
        """Note that this pass created the namespace."""
        self.namespace, self._standing = namespace, Ownership.OURS

    async def problem(self) -> str:
        """Why the cluster may not use its namespace; empty where it may, or may create it."""
        if await self.look() is Ownership.FOREIGN:
            return ownership.problem(self.plane, self.namespace, self.owner)
        return ""

    async def _judge(self, kube: Client) -> Ownership:
        found = self.namespace = await kube.find(kinds.NAMESPACE, self.plane)
        proven = False
        if found is not None and ownership.needs_proof(found, self.owner):
            name = self.owner.key.name
            plane = await kube.find(kinds.HOSTED_CONTROL_PLANE, name, self.plane)
            proven = ownership.is_proven(found, plane, self.owner, self._born)
        return ownership.ownership_of(found, self.owner, proven=proven)


class OwnClient(Client):
    """The verbs of a client within the reach of one pass."""

    def __init__(self, inner: Client, reach: Reach, rng: random.Random) -> None:
        """Send through `inner` what is within reach."""
        super().__init__(inner.transport, manager=inner.manager, rng=rng)
        self._inner, self._reach = inner, reach

    async def resource(self, api_version: str, kind: str) -> Resource:
        return await self._inner.resource(api_version, kind)

    # Reading

    async def get(
        self, resource: Resource, name: str, namespace: str = "", *, subresource: str = ""
    ) -> Manifest:
        if await self._is_hidden(namespace):
            raise NotFound(404, message=f'{resource.plural} "{name}" not found')
        return await self._inner.get(resource, name, namespace, subresource=subresource)

    async def list(
        self,
        resource: Resource,
        namespace: str = "",
        labels: str = "",
        fields: str = "",
        *,
        only: Sequence[Path] = (),
    ) -> Manifests:
        if await self._is_hidden(namespace):
            return []
        return await self._inner.list(resource, namespace, labels, fields, only=only)

    async def each(self, resource: Resource, namespace: str = "") -> Manifests:
        if await self._is_hidden(namespace):
            return []
        return list(await self._inner.each(resource, namespace))

    async def listing(
        self, resource: Resource, namespace: str = "", *args: Any, **options: Any
    ) -> Listing:
        if await self._is_hidden(namespace):
            return Listing([], "")
        return await self._inner.listing(resource, namespace, *args, **options)

    async def _is_hidden(self, namespace: str) -> bool:
        return namespace == self._reach.plane and not await self._reach.owns_plane()

    # Writing

    async def create(
        self, manifest: Manifest, *, manager: str = "", dry_run: bool = False
    ) -> Manifest:
        """Create an object; an existing control plane namespace is never adopted."""
        resource = await self.resource_of(manifest)
        name = str(manifest["metadata"].get("name") or "")  # empty: the server makes one up
        makes_plane = self._is_plane(resource, name)
        if not makes_plane:
            await self._check(resource, name, namespace_of(manifest))
        answer = await self._inner.create(manifest, manager=manager, dry_run=dry_run)
        if makes_plane and not dry_run:
            self._reach.has_made(answer)
        return answer

    async def submit(
        self, resource: Resource, name: str, namespace: str, subresource: str, manifest: Manifest
    ) -> Manifest:
        await self._check(resource, name, namespace)
        return await self._inner.submit(resource, name, namespace, subresource, manifest)

    async def replace(
        self, manifest: Manifest, *, manager: str = "", subresource: str = ""
    ) -> Manifest:
        await self._check_manifest(manifest)
        return await self._inner.replace(manifest, manager=manager, subresource=subresource)

    async def apply(self, manifest: Manifest, **options: Unpack[ApplyOptions]) -> Manifest:
        """Server-side apply within reach."""
        await self._check_manifest(manifest)
        return await self._inner.apply(manifest, **options)

    async def patch(
        self,
        resource: Resource,
        name: str,
        patch: Any,
        namespace: str = "",
        **options: Unpack[PatchOptions],
    ) -> Manifest:
        await self._check(resource, name, namespace)
        return await self._inner.patch(resource, name, patch, namespace, **options)

    async def delete(
        self,
        resource: Resource,
        name: str,
        namespace: str = "",
        **options: Unpack[DeleteOptions],
    ) -> Manifest | None:
        """Delete an object within reach, or nothing when it is not there."""
        await self._check(resource, name, namespace, deletes=True)
        return await self._inner.delete(resource, name, namespace, **options)

    async def delete_collection(
        self, resource: Resource, namespace: str = "", *args: Any, **options: Any
    ) -> None:
        if namespace != self._reach.home and not (
            namespace == self._reach.plane and await self._reach.owns_plane()
        ):
            raise NotOurs(f"refused to delete all {resource.plural} of namespace {namespace!r}")
        await self._inner.delete_collection(resource, namespace, *args, **options)

    # Asking

    async def _check_manifest(self, manifest: Manifest) -> None:
        resource = await self.resource_of(manifest)
        await self._check(resource, manifest["metadata"]["name"], namespace_of(manifest))

    async def _check(
        self, resource: Resource, name: str, namespace: str, *, deletes: bool = False
    ) -> None:
        reach = self._reach
        if resource.namespaced and namespace == reach.home:
            return
        if (resource.namespaced and namespace == reach.plane) or self._is_plane(resource, name):
            allowed = await reach.owns_plane()
        else:
            found = await self._inner.find(resource, name, namespace) if name else None
            # Nothing of a cluster begins in a namespace that is neither the user's nor its own.
            absent = found is None and resource.namespaced and not deletes
            allowed = not absent and ownership.may_change(found, reach.owner)
        if not allowed:
            what = f"{resource.kind} {Key(namespace, name)}"
            raise NotOurs(await reach.problem() or f"refused: {what} is not of {reach.owner.key}")

    def _is_plane(self, resource: Resource, name: str) -> bool:
        return resource == kinds.NAMESPACE and name == self._reach.plane
