"""Ways to delete a shop wrong."""

import dataclasses
from contextlib import suppress
from typing import Any

from tests.lib.sim import sample
from tests.lib.sim.mutants.registry import mutant, with_phase
from tests.lib.sim.sample import SHOP, ShopScope

from hypershift.kube import ApiError
from hypershift.runtime import Controller, Done, Outcome


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

    return with_phase(sample.stop_workers, stop_workers)


@mutant
def workers_left_to_garbage() -> Controller[Any]:
    """Workers are not deleted by us at all."""
    return with_phase(sample.stop_workers, None)


@mutant
def entry_forgotten() -> Controller[Any]:
    """The entry stays in the registry."""
    return with_phase(sample.unregister, None)


@mutant
def failed_unregister_is_fine() -> Controller[Any]:
    """An error while unregistering is swallowed."""

    async def unregister(scope: ShopScope) -> Outcome:
        with suppress(ApiError):
            await sample.unregister(scope)
        return Done()

    return with_phase(sample.unregister, unregister)


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
