"""Ways to run workers wrong."""

import dataclasses
from contextlib import suppress
from typing import Any

from tests.lib.sim import sample
from tests.lib.sim.mutants.registry import mutant, watching, with_phase
from tests.lib.sim.sample import GROUP, SHOP_LABEL, WORKER, ShopScope

from hypershift.kit import Manifest
from hypershift.kube import ApiError
from hypershift.kube.compare import digest
from hypershift.runtime import Controller, Done, Outcome, Wait


@mutant
def no_prune() -> Controller[Any]:
    """Workers are added and never taken away."""

    async def run_workers(scope: ShopScope) -> Outcome:
        for number in range(scope.replicas):
            await scope.kube.apply(_worker(scope, f"{scope.key.name}-{number}"))
        return Done()

    return with_phase(sample.run_workers, run_workers)


@mutant
def one_worker_too_many() -> Controller[Any]:
    """Off by one."""

    async def run_workers(scope: ShopScope) -> Outcome:
        for number in range(scope.replicas + 1):
            await scope.kube.apply(_worker(scope, f"{scope.key.name}-{number}"))
        return Done()

    return with_phase(sample.run_workers, run_workers)


@mutant
def workers_of_a_counter() -> Controller[Any]:
    """Workers are made when the status says that some are missing."""

    async def run_workers(scope: ShopScope) -> Outcome:
        if scope.status.get("made") == scope.replicas:
            return Done()
        outcome = await sample.run_workers(scope)
        scope.status["made"] = scope.replicas
        return outcome

    return with_phase(sample.run_workers, run_workers)


@mutant
def prune_of_neighbours() -> Controller[Any]:
    """Whatever worker is in the namespace and not ours is pruned."""

    async def run_workers(scope: ShopScope) -> Outcome:
        await sample.run_workers(scope)
        for worker in await scope.kube.list(WORKER, scope.key.namespace):
            if worker["metadata"]["labels"].get(SHOP_LABEL) != scope.key.name:
                await scope.kube.delete(WORKER, worker["metadata"]["name"], scope.key.namespace)
        return Done()

    return with_phase(sample.run_workers, run_workers)


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

    return with_phase(sample.run_workers, run_workers)


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

    whole = with_phase(sample.run_workers, run_workers)
    steps = tuple(observe if step is sample.observe else step for step in whole.normal)
    return dataclasses.replace(whole, normal=steps)


@mutant
def workers_unwatched() -> Controller[Any]:
    """What becomes of workers goes unnoticed."""
    return watching(WORKER)


def _worker(scope: ShopScope, name: str) -> Manifest:
    worker = scope.child(WORKER, name, spec={"mark": digest(scope.word)})
    worker["metadata"]["finalizers"] = [f"{GROUP}/worker"]
    return worker
