"""A client that reads from caches, sees its own writes, and sends nothing twice."""

from collections.abc import Sequence
from typing import Any, Unpack

from hypershift.kit import Clock, Key, Manifest, key_of
from hypershift.kube import Client, NotFound, Resource, Transport, kinds
from hypershift.kube.client import DeleteOptions, Manifests, PatchOptions
from hypershift.kube.compare import digest
from hypershift.kube.informers import Informers
from hypershift.kube.shape import Path, duplicate, slim
from hypershift.runtime.applied import Ledger, stamped
from hypershift.runtime.logs import Log
from hypershift.runtime.metrics import Metrics


class CachedClient(Client):
    """The verbs of `Client` for one controller.

    `get`, `find` and `list` answer from the shared cache where a reflector runs for the kind, else
    from the server. `apply` sends nothing when the cache shows that nothing would change: watch
    the kinds that you apply.
    """

    def __init__(
        self,
        transport: Transport,
        informers: Informers,
        *,
        manager: str,
        ledger: Ledger,
        clock: Clock,
        metrics: Metrics,
        log: Log,
    ) -> None:
        """Write as `manager` over `transport`, read from `informers`."""
        limits = informers.client.limits
        super().__init__(transport, manager=manager, rng=informers.rng, limits=limits)
        self.informers = informers
        self._ledger, self._clock, self._metrics, self._log = ledger, clock, metrics, log

    # Reading

    async def get(
        self, resource: Resource, name: str, namespace: str = "", *, subresource: str = ""
    ) -> Manifest:
        informer = None if subresource else self.informers.find(resource, namespace)
        if informer is None:
            return await super().get(resource, name, namespace, subresource=subresource)
        found = informer.cache.get(_key(resource, name, namespace))
        if found is None:
            where = f"{resource} {namespace}/{name}" if namespace else f"{resource} {name}"
            raise NotFound(404, "NotFound", f"{where} is not there")
        return found

    async def list(
        self,
        resource: Resource,
        namespace: str = "",
        labels: str = "",
        fields: str = "",
        *,
        only: Sequence[Path] = (),
    ) -> Manifests:
        informer = self.informers.find(resource, namespace, labels, tuple(only))
        if informer is None or fields:
            return await super().list(resource, namespace, labels, fields, only=only)
        return informer.cache.list(namespace, labels)

    async def each(self, resource: Resource, namespace: str = "") -> Sequence[Manifest]:
        informer = self.informers.find(resource, namespace)
        if informer is None:
            return await super().each(resource, namespace)
        return sorted(informer.cache.each(namespace), key=key_of)

    # Writing

    async def create(
        self, manifest: Manifest, *, manager: str = "", dry_run: bool = False
    ) -> Manifest:
        answer = await super().create(manifest, manager=manager, dry_run=dry_run)
        return (
            answer if dry_run else self._wrote(await self.resource_of(manifest), "create", answer)
        )

    async def replace(
        self, manifest: Manifest, *, manager: str = "", subresource: str = ""
    ) -> Manifest:
        answer = await super().replace(manifest, manager=manager, subresource=subresource)
        return self._wrote(await self.resource_of(manifest), "replace", answer)

    async def patch(
        self,
        resource: Resource,
        name: str,
        patch: Any,
        namespace: str = "",
        **options: Unpack[PatchOptions],
    ) -> Manifest:
        answer = await super().patch(resource, name, patch, namespace, **options)
        return self._wrote(resource, "patch", answer)

    async def apply(
        self,
        manifest: Manifest,
        *,
        manager: str = "",
        force: bool = True,
        subresource: str = "",
        dry_run: bool = False,
    ) -> Manifest:
        """Server-side apply; answers from the cache when the object already is as wished."""
        name = manager or self.manager
        resource = await self.resource_of(manifest)
        wish, mark = stamped(manifest, name) if not subresource else (manifest, digest(manifest))
        key = _key(resource, wish["metadata"]["name"], wish["metadata"].get("namespace", ""))
        live = self._peek(resource, key)
        place = (str(resource), *key, name, subresource)
        if live is None:
            self._ledger.forget(place)
        elif not dry_run and self._ledger.is_current(place, wish, mark, live, name):
            return duplicate(live)
        answer = await super().apply(
            wish, manager=name, force=force, subresource=subresource, dry_run=dry_run
        )
        if dry_run:
            return answer
        self._wrote(resource, "apply", answer)
        if flips := self._ledger.record(place, wish, mark, answer, live):
            self._metrics.fights.labels(resource=str(resource)).inc()
            self._log.warning(
                "object is written again and again",
                resource=str(resource),
                key=str(key),
                fields=flips,
            )
        return answer

    async def delete(
        self,
        resource: Resource,
        name: str,
        namespace: str = "",
        **options: Unpack[DeleteOptions],
    ) -> Manifest | None:
        answer = await super().delete(resource, name, namespace, **options)
        if answer is not None:
            self._deleted(resource, _key(resource, name, namespace), answer)
        return answer

    def _deleted(self, resource: Resource, key: Key, answer: Manifest) -> None:
        if answer.get("kind") == "Status":
            self._metrics.writes.labels(resource=str(resource), verb="delete").inc()
            uid = (answer.get("details") or {}).get("uid")
            if uid:
                gone = {"metadata": {"namespace": key.namespace, "name": key.name, "uid": uid}}
                self.informers.observe(resource, gone, gone=True)
        elif answer["metadata"].get("deletionTimestamp"):
            self._metrics.writes.labels(resource=str(resource), verb="delete").inc()
            self._observe(resource, answer)

    def _wrote(self, resource: Resource, verb: str, answer: Manifest) -> Manifest:
        self._metrics.writes.labels(resource=str(resource), verb=verb).inc()
        if answer.get("kind") == resource.kind:
            self._observe(resource, answer, gone=_is_gone(resource, answer))
        return answer

    def _observe(self, resource: Resource, answer: Manifest, *, gone: bool = False) -> None:
        if self.informers.follows(resource):
            self.informers.observe(resource, slim(duplicate(answer)), gone=gone)

    def _peek(self, resource: Resource, key: Key) -> Manifest | None:
        return self.informers.peek(resource, key)


def _is_gone(resource: Resource, answer: Manifest) -> bool:
    """Whether this write dropped a dying object's last finalizer: the answer is its last state.

    A Namespace has finalizers of another kind, and a Pod its grace period.
    """
    metadata = answer["metadata"]
    return (
        bool(metadata.get("deletionTimestamp"))
        and not metadata.get("finalizers")
        and metadata.get("deletionGracePeriodSeconds") == 0
        and resource not in {kinds.NAMESPACE, kinds.POD}
    )


def _key(resource: Resource, name: str, namespace: str) -> Key:
    return Key(namespace if resource.namespaced else "", name)
