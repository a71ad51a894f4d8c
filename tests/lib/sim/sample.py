"""A sample operator with five kinds: shops, their workers, credentials, settings and services.

A Shop wants `spec.replicas` Workers, a Secret that is made once and kept, a ConfigMap with its
settings, a Service, and an entry in the registry: a ConfigMap in another namespace, which no owner
reference can clean up. Workers go before the entry does; only then the Shop may go.
"""

import base64
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from hypershift.api.conditions import ConditionReason, ConditionType, decided, false, true
from hypershift.kit import InvalidSpec, Key, Manifest
from hypershift.kube import AlreadyExists, Resource, kinds
from hypershift.kube.compare import digest
from hypershift.runtime import Controller, Done, Outcome, Scope, Stop, Wait, Watch, mapping
from hypershift.runtime.prune import AppliedSet

GROUP = "sample.hypershift.io"
SHOP = Resource(GROUP, "v1", "shops", "Shop")
WORKER = Resource(GROUP, "v1", "workers", "Worker")
REGISTRY = "registry"
FINALIZER = f"{GROUP}/shop"
SHOP_LABEL = f"{GROUP}/shop"
MOST_REPLICAS = 5


class ShopCondition(ConditionType):
    """Condition types of a Shop."""

    VALID = "Valid"
    READY = "Ready"


class ShopReason(ConditionReason):
    """Reasons of a Shop's conditions."""

    TOO_MANY_REPLICAS = "TooManyReplicas"
    ALL_READY = "AllReady"
    WORKERS_STARTING = "WorkersStarting"


@dataclass(slots=True)
class ShopScope(Scope):
    """What a pass over a Shop knows."""

    word: str = ""

    @property
    def replicas(self) -> int:
        """How many workers the user wants."""
        return int(self.spec.get("replicas", 0))

    def child(self, resource: Resource, name: str, **content: Any) -> Manifest:
        """An object in the Shop's namespace that the Shop owns."""
        owner = {
            "apiVersion": SHOP.api_version,
            "kind": SHOP.kind,
            "name": self.key.name,
            "uid": self.object["metadata"]["uid"],
            "controller": True,
        }
        return {
            "apiVersion": resource.api_version,
            "kind": resource.kind,
            "metadata": {
                "name": name,
                "namespace": self.key.namespace,
                "labels": {SHOP_LABEL: self.key.name},
                "ownerReferences": [owner],
            },
            **content,
        }


def entry_name(key: Key) -> str:
    """The name of a Shop's entry in the registry."""
    return f"{key.namespace}.{key.name}"


async def validate(scope: ShopScope) -> Outcome:
    """Refuse what cannot work, and say so."""
    if not 0 <= scope.replicas <= MOST_REPLICAS:
        text = f"{scope.replicas} is not in 0..5"
        scope.conditions.set(false(ShopCondition.VALID, ShopReason.TOO_MANY_REPLICAS, text))
        raise InvalidSpec(f"replicas {scope.replicas} is not in 0..5", field="spec.replicas")
    scope.conditions.set(true(ShopCondition.VALID))
    return Done()


async def publish_credential(scope: ShopScope) -> Outcome:
    """Make the credential once; whatever exists is kept."""
    name = f"{scope.key.name}-credential"
    found = await scope.kube.find(kinds.SECRET, name, scope.key.namespace)
    if found is None:
        found = await make_credential(scope, name)
    word: str = (found.get("data") or {}).get("word", "")
    scope.word = base64.b64decode(word).decode()
    return Done()


async def make_credential(scope: ShopScope, name: str) -> Manifest:
    """Create the Secret, or take the one that our cache has not seen yet."""
    word = base64.b64encode(f"{scope.context.rng.getrandbits(64):016x}".encode()).decode()
    try:
        return await scope.kube.create(scope.child(kinds.SECRET, name, data={"word": word}))
    except AlreadyExists:
        return await scope.context.live.get(kinds.SECRET, name, scope.key.namespace)


async def publish_settings(scope: ShopScope) -> Outcome:
    """Write the settings, with a mark of the credential that they go with."""
    settings = {"message": str(scope.spec.get("message", "")), "mark": digest(scope.word)}
    await scope.kube.apply(
        scope.child(kinds.CONFIG_MAP, f"{scope.key.name}-settings", data=settings)
    )
    return Done()


async def register(scope: ShopScope) -> Outcome:
    """Enter the Shop in the registry."""
    await scope.kube.apply(
        {
            "apiVersion": "v1",
            "kind": "ConfigMap",
            "metadata": {
                "name": entry_name(scope.key),
                "namespace": REGISTRY,
                "annotations": {f"{GROUP}/shop": str(scope.key)},
            },
            "data": {"uid": scope.object["metadata"]["uid"]},
        }
    )
    return Done()


async def run_workers(scope: ShopScope) -> Outcome:
    """Have exactly the workers that are wanted."""
    workers = AppliedSet(scope.kube, scope.key.name, (WORKER,), scope.key.namespace)
    for number in range(scope.replicas):
        worker = scope.child(
            WORKER, f"{scope.key.name}-{number}", spec={"mark": digest(scope.word)}
        )
        worker["metadata"]["finalizers"] = [f"{GROUP}/worker"]
        await workers.apply(worker)
    await workers.prune()
    return Done()


async def expose(scope: ShopScope) -> Outcome:
    """Give the Shop an address."""
    spec = {"selector": {SHOP_LABEL: scope.key.name}, "ports": [{"port": 80}]}
    await scope.kube.apply(scope.child(kinds.SERVICE, scope.key.name, spec=spec))
    return Done()


async def observe(scope: ShopScope) -> Outcome:
    """Report how many workers are ready."""
    workers = await scope.kube.list(
        WORKER, scope.key.namespace, labels=f"{SHOP_LABEL}={scope.key.name}"
    )
    ready = sum(
        bool((worker.get("status") or {}).get("ready"))
        and not worker["metadata"].get("deletionTimestamp")
        for worker in workers
    )
    scope.status["ready"] = ready
    scope.status["observedGeneration"] = scope.object["metadata"]["generation"]
    complete = ready == scope.replicas
    reason = ShopReason.ALL_READY if complete else ShopReason.WORKERS_STARTING
    scope.conditions.set(decided(ShopCondition.READY, so=complete, reason=reason))
    return Done() if complete else Wait(reason, after=timedelta(seconds=20))


async def stop_workers(scope: ShopScope) -> Outcome:
    """Delete the workers and wait until they are gone."""
    workers = await scope.kube.list(
        WORKER, scope.key.namespace, labels=f"{SHOP_LABEL}={scope.key.name}"
    )
    for worker in workers:
        if not worker["metadata"].get("deletionTimestamp"):
            metadata = worker["metadata"]
            await scope.kube.delete(
                WORKER, metadata["name"], metadata["namespace"], uid=metadata["uid"]
            )
    # What follows cannot be undone, so an old cache must not decide it.
    left = await scope.context.live.list(
        WORKER, scope.key.namespace, labels=f"{SHOP_LABEL}={scope.key.name}"
    )
    return Stop("WorkersStopping", after=timedelta(seconds=20)) if left else Done()


async def unregister(scope: ShopScope) -> Outcome:
    """Take the Shop out of the registry."""
    await scope.kube.delete(kinds.CONFIG_MAP, entry_name(scope.key), REGISTRY)
    return Done()


def controller(**changes: Any) -> Controller[ShopScope]:
    """The sample controller; keywords change parts of it."""
    owner = mapping.by_owner(SHOP)
    parts: dict[str, Any] = {
        "name": "shop",
        "resource": SHOP,
        "scope": ShopScope,
        "normal": (
            validate,
            publish_credential,
            publish_settings,
            register,
            run_workers,
            expose,
            observe,
        ),
        "delete": (stop_workers, unregister),
        "finalizer": FINALIZER,
        "watches": (
            Watch(kinds.SECRET, owner),
            Watch(kinds.CONFIG_MAP, by_owner_or_entry),
            Watch(WORKER, owner),
            Watch(kinds.SERVICE, owner),
        ),
        "workers": 2,
    }
    return Controller(**(parts | changes))


def by_owner_or_entry(manifest: Manifest) -> list[Key]:
    """The Shop of a settings map, or of an entry in the registry."""
    return [
        *mapping.by_owner(SHOP)(manifest),
        *mapping.by_annotation(f"{GROUP}/shop")(manifest),
    ]
