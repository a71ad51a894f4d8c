"""Ways to lose keys, to report wrong, to accept what is wrong."""

import dataclasses
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

from tests.lib.sim import sample
from tests.lib.sim.mutants.registry import mutant, watching, with_phase
from tests.lib.sim.sample import SHOP, WORKER, ShopScope

from hypershift.kit import Key, Manifest, rfc3339
from hypershift.runtime import Controller, Done, Outcome, Stop, Wait, Watch, mapping


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

    return with_phase(sample.validate, validate)


@mutant
def no_validation() -> Controller[Any]:
    """Nobody is told that a spec cannot work."""
    return with_phase(sample.validate, None)


@mutant
def status_with_a_counter() -> Controller[Any]:
    """The status counts passes."""

    async def observe(scope: ShopScope) -> Outcome:
        outcome = await sample.observe(scope)
        scope.status["passes"] = int(scope.status.get("passes", 0)) + 1
        return outcome

    return with_phase(sample.observe, observe)


@mutant
def status_of_nobody() -> Controller[Any]:
    """No worker, no word about workers."""

    async def observe(scope: ShopScope) -> Outcome:
        return await sample.observe(scope) if scope.replicas else Done()

    return with_phase(sample.observe, observe)


@mutant
def waits_for_nothing() -> Controller[Any]:
    """The pass stops before the Service while workers start, and workers are not watched."""

    async def observe_first(scope: ShopScope) -> Outcome:
        outcome = await sample.observe(scope)
        return Stop("Starting") if isinstance(outcome, Wait) else outcome

    whole = watching(WORKER)
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

    return with_phase(sample.observe, observe)
