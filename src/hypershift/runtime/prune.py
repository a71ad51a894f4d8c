"""Sets of applied objects: what an earlier pass applied and this one does not want goes away."""

from collections.abc import Sequence

from hypershift.kit import Key, Manifest, key_of, labels_of
from hypershift.kube import Client, Resource

LABEL = "hypershift.openshift.io/applied-set"


class AppliedSet:
    """Applies the objects of one owner and prunes those that it no longer names.

    `name` is a label value that only this owner uses; `kinds` are the kinds it ever applies. Call
    `prune` only after everything wanted was applied: what was not named in this pass is deleted.
    """

    def __init__(
        self, kube: Client, name: str, kinds: Sequence[Resource], namespace: str = ""
    ) -> None:
        """Begin a pass of the set."""
        self._kube, self._name, self._kinds, self._namespace = kube, name, tuple(kinds), namespace
        self._wanted: dict[tuple[Resource, Key], None] = {}

    async def apply(self, manifest: Manifest) -> Manifest:
        """Apply one object as a member of the set."""
        resource = await self._kube.resource_of(manifest)
        if resource not in self._kinds:
            raise ValueError(f"{resource} is not among the kinds of the set {self._name}")
        labels = labels_of(manifest) | {LABEL: self._name}
        member = manifest | {"metadata": manifest["metadata"] | {"labels": labels}}
        self._wanted[resource, key_of(member)] = None
        return await self._kube.apply(member)

    async def prune(self) -> tuple[Key, ...]:
        """Delete the members that were not applied in this pass; the result names them."""
        pruned = []
        for resource in self._kinds:
            namespace = self._namespace if resource.namespaced else ""
            for member in await self._kube.list(
                resource, namespace, labels=f"{LABEL}={self._name}"
            ):
                key, metadata = key_of(member), member["metadata"]
                if (resource, key) in self._wanted or metadata.get("deletionTimestamp"):
                    continue
                await self._kube.delete(resource, key.name, key.namespace, uid=metadata["uid"])
                pruned.append(key)
        return tuple(pruned)
