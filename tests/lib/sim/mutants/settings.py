"""Ways to write settings and registry entries wrong."""

import dataclasses
from contextlib import suppress
from typing import Any

from tests.lib.sim import sample
from tests.lib.sim.mutants.registry import mutant, watching, with_phase
from tests.lib.sim.sample import GROUP, REGISTRY, SHOP, ShopScope

from hypershift.kit import rfc3339
from hypershift.kube import ApiError, kinds
from hypershift.kube.compare import digest
from hypershift.runtime import Controller, Done, Outcome, Watch, mapping


@mutant
def settings_once() -> Controller[Any]:
    """Settings are written when they are not there, and never again."""

    async def publish_settings(scope: ShopScope) -> Outcome:
        name = f"{scope.key.name}-settings"
        if await scope.kube.find(kinds.CONFIG_MAP, name, scope.key.namespace):
            return Done()
        return await sample.publish_settings(scope)

    return with_phase(sample.publish_settings, publish_settings)


@mutant
def settings_failures_swallowed() -> Controller[Any]:
    """An error while writing settings is nobody's business."""

    async def publish_settings(scope: ShopScope) -> Outcome:
        with suppress(ApiError):
            await sample.publish_settings(scope)
        return Done()

    return with_phase(sample.publish_settings, publish_settings)


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

    return with_phase(sample.publish_settings, publish_settings)


@mutant
def settings_without_owner() -> Controller[Any]:
    """Nobody cleans the settings up."""

    async def publish_settings(scope: ShopScope) -> Outcome:
        data = {"message": str(scope.spec.get("message", "")), "mark": digest(scope.word)}
        child = scope.child(kinds.CONFIG_MAP, f"{scope.key.name}-settings", data=data)
        del child["metadata"]["ownerReferences"]
        await scope.kube.apply(child)
        return Done()

    return with_phase(sample.publish_settings, publish_settings)


@mutant
def settings_unwatched() -> Controller[Any]:
    """Changes of the settings by others go unnoticed."""
    return watching(kinds.CONFIG_MAP)


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
        with_phase(sample.register, register), delete=(sample.stop_workers, unregister)
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

    whole = with_phase(sample.register, register)
    return dataclasses.replace(whole, delete=(sample.stop_workers, unregister))
