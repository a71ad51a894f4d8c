"""Thirty ways to write the sample operator wrong; schedules have to find them."""

import base64
import dataclasses
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import timedelta
from typing import Any

from hypershift.kit import Key, Manifest, rfc3339
from hypershift.kube import ApiError, kinds
from hypershift.kube.compare import digest
from hypershift.runtime import Controller, Done, Outcome, Stop, Wait, Watch, mapping
from hypershift.testing.sim import sample
from hypershift.testing.sim.sample import GROUP, REGISTRY, SHOP, SHOP_LABEL, WORKER, ShopScope

Make = Callable[[], Controller[Any]]
MUTANTS: dict[str, Make] = {}


def mutant(make: Make) -> Make:
    """Register a mutant under the name of its function."""
    MUTANTS[make.__name__] = make
    return make


def _with(old: Any, new: Any) -> Controller[Any]:
    """The sample controller with one phase replaced, or dropped when `new` is None."""
    whole = sample.controller()
    normal = tuple(new if step is old else step for step in whole.normal)
    delete = tuple(new if step is old else step for step in whole.delete)
    return dataclasses.replace(
        whole,
        normal=tuple(step for step in normal if step is not None),
        delete=tuple(step for step in delete if step is not None),
    )


def _watching(*dropped: Any) -> Controller[Any]:
    whole = sample.controller()
    watches = tuple(one for one in whole.watches if one.resource not in dropped)
    return dataclasses.replace(whole, watches=watches)


# Deletion


@mutant
def no_finalizer() -> Controller[Any]:
    """The Shop goes at once."""
    return sample.controller(finalizer="")


@mutant
def nothing_on_delete() -> Controller[Any]:
    """The finalizer is dropped without any work."""
    return sample.controller(delete=())


@mutant
def entry_before_workers() -> Controller[Any]:
    """The order of deletion is reversed."""
    return sample.controller(delete=(sample.unregister, sample.stop_workers))


@mutant
def impatient_deletion() -> Controller[Any]:
    """Workers are deleted and not awaited."""

    async def stop_workers(scope: ShopScope) -> Outcome:
        await sample.stop_workers(scope)
        return Done()

    return _with(sample.stop_workers, stop_workers)


@mutant
def workers_left_to_garbage() -> Controller[Any]:
    """Workers are not deleted by us at all."""
    return _with(sample.stop_workers, None)


@mutant
def entry_forgotten() -> Controller[Any]:
    """The entry stays in the registry."""
    return _with(sample.unregister, None)


@mutant
def failed_unregister_is_fine() -> Controller[Any]:
    """An error while unregistering is swallowed."""

    async def unregister(scope: ShopScope) -> Outcome:
        with suppress(ApiError):
            await sample.unregister(scope)
        return Done()

    return _with(sample.unregister, unregister)


@mutant
def finalizer_nobody_drops() -> Controller[Any]:
    """The finalizer is added by a phase, and the controller does not know it as its own."""

    async def add_finalizer(scope: ShopScope) -> Outcome:
        metadata = scope.object["metadata"]
        if sample.FINALIZER not in (metadata.get("finalizers") or ()):
            patch = {"metadata": {"finalizers": [sample.FINALIZER]}}
            await scope.kube.patch(SHOP, scope.key.name, patch, scope.key.namespace)
        return Done()

    whole = sample.controller(finalizer="")
    return dataclasses.replace(whole, normal=(*whole.normal, add_finalizer))


# The credential


@mutant
def credential_each_pass() -> Controller[Any]:
    """A new credential is made in every pass."""

    async def publish_credential(scope: ShopScope) -> Outcome:
        scope.word = f"{scope.context.rng.getrandbits(64):016x}"
        data = {"word": base64.b64encode(scope.word.encode()).decode()}
        name = f"{scope.key.name}-credential"
        await scope.kube.apply(scope.child(kinds.SECRET, name, data=data))
        return Done()

    return _with(sample.publish_credential, publish_credential)


@mutant
def credential_of_a_stale_read() -> Controller[Any]:
    """What the cache does not show is made again, over what is there."""

    async def publish_credential(scope: ShopScope) -> Outcome:
        name = f"{scope.key.name}-credential"
        found = await scope.kube.find(kinds.SECRET, name, scope.key.namespace)
        if found is None:
            word = base64.b64encode(f"{scope.context.rng.getrandbits(64):016x}".encode()).decode()
            child = scope.child(kinds.SECRET, name, data={"word": word})
            found = await scope.kube.apply(child)
        scope.word = base64.b64decode(found["data"]["word"]).decode()
        return Done()

    return _with(sample.publish_credential, publish_credential)


@mutant
def credential_unread() -> Controller[Any]:
    """Settings go with an empty word when the credential was just made."""

    async def publish_credential(scope: ShopScope) -> Outcome:
        name = f"{scope.key.name}-credential"
        found = await scope.kube.find(kinds.SECRET, name, scope.key.namespace)
        if found is None:
            await sample.make_credential(scope, name)
            return Done()
        scope.word = base64.b64decode(found["data"]["word"]).decode()
        return Done()

    async def publish_settings(scope: ShopScope) -> Outcome:
        if scope.status.get("marked"):
            return Done()
        scope.status["marked"] = True
        return await sample.publish_settings(scope)

    whole = _with(sample.publish_credential, publish_credential)
    steps = (publish_settings if one is sample.publish_settings else one for one in whole.normal)
    return dataclasses.replace(whole, normal=tuple(steps))


# Settings and registry


@mutant
def settings_once() -> Controller[Any]:
    """Settings are written when they are not there, and never again."""

    async def publish_settings(scope: ShopScope) -> Outcome:
        name = f"{scope.key.name}-settings"
        if await scope.kube.find(kinds.CONFIG_MAP, name, scope.key.namespace):
            return Done()
        return await sample.publish_settings(scope)

    return _with(sample.publish_settings, publish_settings)


@mutant
def settings_failures_swallowed() -> Controller[Any]:
    """An error while writing settings is nobody's business."""

    async def publish_settings(scope: ShopScope) -> Outcome:
        with suppress(ApiError):
            await sample.publish_settings(scope)
        return Done()

    return _with(sample.publish_settings, publish_settings)


@mutant
def settings_with_the_time() -> Controller[Any]:
    """The desired state contains the time."""

    async def publish_settings(scope: ShopScope) -> Outcome:
        data = {
            "message": str(scope.spec.get("message", "")),
            "mark": digest(scope.word),
            "written": rfc3339(scope.clock.now()),
        }
        name = f"{scope.key.name}-settings"
        await scope.kube.apply(scope.child(kinds.CONFIG_MAP, name, data=data))
        return Done()

    return _with(sample.publish_settings, publish_settings)


@mutant
def settings_without_owner() -> Controller[Any]:
    """Nobody cleans the settings up."""

    async def publish_settings(scope: ShopScope) -> Outcome:
        data = {"message": str(scope.spec.get("message", "")), "mark": digest(scope.word)}
        child = scope.child(kinds.CONFIG_MAP, f"{scope.key.name}-settings", data=data)
        del child["metadata"]["ownerReferences"]
        await scope.kube.apply(child)
        return Done()

    return _with(sample.publish_settings, publish_settings)


@mutant
def settings_unwatched() -> Controller[Any]:
    """Changes of the settings by others go unnoticed."""
    return _watching(kinds.CONFIG_MAP)


@mutant
def entries_unmapped() -> Controller[Any]:
    """A change of an entry wakes nobody."""
    whole = sample.controller()
    watches = tuple(
        Watch(one.resource, mapping.by_owner(SHOP)) if one.resource == kinds.CONFIG_MAP else one
        for one in whole.watches
    )
    return dataclasses.replace(whole, watches=watches)


@mutant
def entry_of_the_first_shop() -> Controller[Any]:
    """An entry that is there is taken for ours."""

    async def register(scope: ShopScope) -> Outcome:
        if await scope.kube.find(kinds.CONFIG_MAP, sample.entry_name(scope.key), REGISTRY):
            return Done()
        return await sample.register(scope)

    async def unregister(scope: ShopScope) -> Outcome:
        with suppress(ApiError):
            await sample.unregister(scope)
        return Done()

    return dataclasses.replace(
        _with(sample.register, register), delete=(sample.stop_workers, unregister)
    )


@mutant
def entries_collide() -> Controller[Any]:
    """The entry is named without its namespace."""

    async def register(scope: ShopScope) -> Outcome:
        await scope.kube.apply(
            {
                "apiVersion": "v1",
                "kind": "ConfigMap",
                "metadata": {
                    "name": scope.key.name,
                    "namespace": REGISTRY,
                    "annotations": {f"{GROUP}/shop": str(scope.key)},
                },
                "data": {"uid": scope.object["metadata"]["uid"]},
            }
        )
        return Done()

    async def unregister(scope: ShopScope) -> Outcome:
        await scope.kube.delete(kinds.CONFIG_MAP, scope.key.name, REGISTRY)
        return Done()

    whole = _with(sample.register, register)
    return dataclasses.replace(whole, delete=(sample.stop_workers, unregister))


# Workers


@mutant
def no_prune() -> Controller[Any]:
    """Workers are added and never taken away."""

    async def run_workers(scope: ShopScope) -> Outcome:
        for number in range(scope.replicas):
            await scope.kube.apply(_worker(scope, f"{scope.key.name}-{number}"))
        return Done()

    return _with(sample.run_workers, run_workers)


@mutant
def one_worker_too_many() -> Controller[Any]:
    """Off by one."""

    async def run_workers(scope: ShopScope) -> Outcome:
        for number in range(scope.replicas + 1):
            await scope.kube.apply(_worker(scope, f"{scope.key.name}-{number}"))
        return Done()

    return _with(sample.run_workers, run_workers)


@mutant
def workers_of_a_counter() -> Controller[Any]:
    """Workers are made when the status says that some are missing."""

    async def run_workers(scope: ShopScope) -> Outcome:
        if scope.status.get("made") == scope.replicas:
            return Done()
        outcome = await sample.run_workers(scope)
        scope.status["made"] = scope.replicas
        return outcome

    return _with(sample.run_workers, run_workers)


@mutant
def prune_of_neighbours() -> Controller[Any]:
    """Whatever worker is in the namespace and not ours is pruned."""

    async def run_workers(scope: ShopScope) -> Outcome:
        await sample.run_workers(scope)
        for worker in await scope.kube.list(WORKER, scope.key.namespace):
            if worker["metadata"]["labels"].get(SHOP_LABEL) != scope.key.name:
                await scope.kube.delete(WORKER, worker["metadata"]["name"], scope.key.namespace)
        return Done()

    return _with(sample.run_workers, run_workers)


@mutant
def workers_by_generated_names() -> Controller[Any]:
    """A worker is created whenever the cache shows too few."""

    async def run_workers(scope: ShopScope) -> Outcome:
        labels = f"{SHOP_LABEL}={scope.key.name}"
        workers = await scope.kube.list(WORKER, scope.key.namespace, labels=labels)
        for _ in range(scope.replicas - len(workers)):
            worker = _worker(scope, "")
            del worker["metadata"]["name"]
            worker["metadata"]["generateName"] = f"{scope.key.name}-"
            await scope.kube.create(worker)
        return Done()

    return _with(sample.run_workers, run_workers)


@mutant
def failed_workers_are_fine() -> Controller[Any]:
    """An error while running workers is swallowed, and reported as ready."""

    async def run_workers(scope: ShopScope) -> Outcome:
        with suppress(ApiError):
            await sample.run_workers(scope)
        return Done()

    async def observe(scope: ShopScope) -> Outcome:
        outcome = await sample.observe(scope)
        return Done() if isinstance(outcome, Wait) else outcome

    whole = _with(sample.run_workers, run_workers)
    steps = tuple(observe if step is sample.observe else step for step in whole.normal)
    return dataclasses.replace(whole, normal=steps)


@mutant
def workers_unwatched() -> Controller[Any]:
    """What becomes of workers goes unnoticed."""
    return _watching(WORKER)


# Keys, status, validation


@mutant
def swallowed_key() -> Controller[Any]:
    """Children in one namespace wake nobody."""

    def northern(manifest: Manifest) -> Iterator[Key]:
        return (key for key in mapping.by_owner(SHOP)(manifest) if key.namespace == "north")

    whole = sample.controller()
    watches = tuple(Watch(one.resource, northern) for one in whole.watches)
    return dataclasses.replace(whole, watches=watches)


@mutant
def generation_is_enough() -> Controller[Any]:
    """A Shop whose generation was seen needs no pass."""

    async def validate(scope: ShopScope) -> Outcome:
        await sample.validate(scope)
        if scope.status.get("observedGeneration") == scope.object["metadata"]["generation"]:
            return Stop("Seen")
        return Done()

    return _with(sample.validate, validate)


@mutant
def no_validation() -> Controller[Any]:
    """Nobody is told that a spec cannot work."""
    return _with(sample.validate, None)


@mutant
def status_with_a_counter() -> Controller[Any]:
    """The status counts passes."""

    async def observe(scope: ShopScope) -> Outcome:
        outcome = await sample.observe(scope)
        scope.status["passes"] = int(scope.status.get("passes", 0)) + 1
        return outcome

    return _with(sample.observe, observe)


@mutant
def status_of_nobody() -> Controller[Any]:
    """No worker, no word about workers."""

    async def observe(scope: ShopScope) -> Outcome:
        return await sample.observe(scope) if scope.replicas else Done()

    return _with(sample.observe, observe)


@mutant
def waits_for_nothing() -> Controller[Any]:
    """The pass stops before the Service while workers start, and workers are not watched."""

    async def observe_first(scope: ShopScope) -> Outcome:
        outcome = await sample.observe(scope)
        return Stop("Starting") if isinstance(outcome, Wait) else outcome

    whole = _watching(WORKER)
    steps = [step for step in whole.normal if step is not sample.observe]
    steps.insert(-1, observe_first)
    return dataclasses.replace(whole, normal=tuple(steps), resync=None)


@mutant
def conditions_always_new() -> Controller[Any]:
    """Conditions are written anew, with a new time, in each pass."""

    async def observe(scope: ShopScope) -> Outcome:
        outcome = await sample.observe(scope)
        for one in scope.status["conditions"]:
            one["lastTransitionTime"] = rfc3339(scope.clock.now() + timedelta(seconds=0))
        return outcome

    return _with(sample.observe, observe)


def _worker(scope: ShopScope, name: str) -> Manifest:
    worker = scope.child(WORKER, name, spec={"mark": digest(scope.word)})
    worker["metadata"]["finalizers"] = [f"{GROUP}/worker"]
    return worker
