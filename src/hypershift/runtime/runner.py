"""One controller at work: its watches feed its queue, its workers empty it.

A pass that lasts longer than `PATIENCE` most likely waits for a slow hosted cluster or a registry.
Another worker then takes its place, so that a slow cluster delays only its own passes.

Invariant: at most `workers` passes are younger than `PATIENCE`, and slow passes of one cluster do
not keep passes of others from starting.
Interleaving: as many passes as there are workers wait for one hosted cluster that does not answer.
Each gives its place to a substitute after `PATIENCE`, and the queue hands one cluster no more
passes than there are workers.
Held by tests/unit/runtime/test_slow_passes.py::test_slow_clusters_do_not_hold_up_others
Held by tests/unit/runtime/test_slow_passes.py::test_a_group_never_has_more_passes_than_workers
"""

import asyncio
from collections.abc import Callable, Iterable
from typing import Any, Protocol

from hypershift.kit import Key, Manifest, key_of
from hypershift.kube import Conflict
from hypershift.kube.cache import Change
from hypershift.kube.informers import Informer, Informers
from hypershift.kube.reflector import Selection
from hypershift.runtime.controller import Controller, Predicate, Watch, changes_wish
from hypershift.runtime.leader import NotLeader
from hypershift.runtime.logs import log_error, logger
from hypershift.runtime.metrics import Metrics
from hypershift.runtime.queue import (
    LONGEST_CONFLICT_RETRY,
    LONGEST_RETRY,
    Priority,
    QueueClosed,
    WorkQueue,
)
from hypershift.runtime.reconciler import Verdict

#: Longer than the computing of any pass takes, shorter than anybody notices.
PATIENCE = 0.25


class Pass(Protocol):
    """What a worker calls for a key."""

    async def __call__(self, key: Key) -> Verdict:
        """Run one pass."""
        ...


class Runner:
    """Watches, queue and workers of one controller."""

    def __init__(
        self,
        controller: Controller[Any],
        informers: Informers,
        queue: WorkQueue,
        metrics: Metrics,
    ) -> None:
        """Prepare; `watch` then `work`."""
        self.controller, self.queue = controller, queue
        self._informers, self._metrics = informers, metrics
        self._queue_seconds = metrics.queue_seconds.labels(controller=controller.name)
        self._pass_seconds = metrics.pass_seconds.labels(controller=controller.name)
        self._used: list[Informer] = []
        self._ends: list[Callable[[], None]] = []
        self._workers: set[asyncio.Task[None]] = set()
        self._surplus = 0
        self._log = logger(controller=controller.name)

    # Watching

    def watch(self) -> None:
        """Start to follow the controller's kinds."""
        own = Selection(self.controller.resource, self.controller.namespace, self.controller.labels)
        primary = self._informers.acquire(own, indexes=self.controller.indexes)
        self._used.append(primary)
        self._ends.append(primary.subscribe(self._changed))
        for watch in self.controller.watches:
            informer = self._informers.acquire(
                watch.selection, indexes=watch.indexes, optional=watch.optional
            )
            self._used.append(informer)
            self._ends.append(self.listen(informer, watch))

    async def wait(self) -> None:
        """Return when every cache of this controller has seen everything once."""
        for informer in self._used:
            await informer.wait()

    @property
    def unsynced(self) -> list[str]:
        """The kinds that were not fully seen yet."""
        return [str(one.selection.resource) for one in self._used if not one.synced]

    def listen(self, informer: Informer, watch: Watch) -> Callable[[], None]:
        """Wake the keys that a watch maps changes to; the result ends it."""

        def changed(change: Change) -> None:
            for manifest in change.objects:
                try:
                    keys = tuple(self._woken(watch, manifest)) if watch.wakes(change) else ()
                    priority = _priority(change, watch.urgent)
                except Exception:  # noqa: BLE001 (one odd object must not blind the whole watch)
                    self._log.exception("watch mapping failed", object=str(key_of(manifest)))
                    continue
                for key in keys:
                    self.queue.add(key, priority)

        return informer.subscribe(changed)

    def _woken(self, watch: Watch, manifest: Manifest) -> Iterable[Key]:
        keys = watch.keys(manifest)
        if not watch.through:
            return keys
        cache = self._used[0].cache
        return (key_of(one) for key in keys for one in cache.by_index(watch.through, str(key)))

    def _changed(self, change: Change) -> None:
        manifest = change.new or change.old
        if manifest is not None:
            self.queue.add(key_of(manifest), _priority(change, changes_wish))

    def resync(self, chosen: Callable[[str], bool] = lambda _: True) -> None:
        """Ask for a pass over every object of the chosen clusters, after all real changes."""
        for manifest in self._used[0].cache.values():
            if chosen(self.controller.cluster(manifest)):
                self.queue.add(key_of(manifest), Priority.RESYNC)

    # Working

    def work(self, run_pass: Pass) -> None:
        """Start the workers; they begin when this controller's caches are filled."""
        for _ in range(self.controller.workers):
            self._hire(run_pass)
        if self.controller.resync is not None:
            name = f"{self.controller.name} resync"
            self._workers.add(asyncio.create_task(self._resync(), name=name))

    def _hire(self, run_pass: Pass) -> None:
        name = f"{self.controller.name} worker"
        task = asyncio.create_task(self._work(run_pass), name=name)
        self._workers.add(task)
        task.add_done_callback(self._workers.discard)

    async def _work(self, run_pass: Pass) -> None:
        await self.wait()
        while not self._retires():
            try:
                key, waited = await self.queue.get()
            except QueueClosed:
                return
            self._queue_seconds.observe(waited)
            try:
                self._settle(key, await self._patiently(run_pass, key))
            finally:
                self.queue.done(key)

    def _retires(self) -> bool:
        """True for a worker that is one too many, now that a slow pass has ended."""
        if not self._surplus:
            return False
        self._surplus -= 1
        return True

    async def _patiently(self, run_pass: Pass, key: Key) -> Verdict:
        """Run a pass; one that lasts gets a substitute for its worker."""
        slow = False

        def substitute() -> None:
            nonlocal slow
            slow = True
            self._hire(run_pass)

        timer = asyncio.get_running_loop().call_later(PATIENCE, substitute)
        try:
            return await self._timed(run_pass, key)
        finally:
            timer.cancel()
            if slow:
                self._surplus += 1

    async def _timed(self, run_pass: Pass, key: Key) -> Verdict:
        started = asyncio.get_running_loop().time()
        try:
            return await run_pass(key)
        except NotLeader as error:
            return Verdict(retry=True, errors=(error,))
        except Exception as error:  # noqa: BLE001 (after an exception on one key, a controller continues with the others)
            log_error(self._log, "pass failed", error, key=str(key))
            return Verdict(retry=True, errors=(error,))
        finally:
            took = asyncio.get_running_loop().time() - started
            self._pass_seconds.observe(took)

    def _settle(self, key: Key, verdict: Verdict) -> None:
        name = self.controller.name
        result = "error" if verdict.errors else "wait" if verdict.after is not None else "done"
        self._metrics.passes.labels(controller=name, result=result).inc()
        for error in verdict.errors:
            self._metrics.errors.labels(controller=name, error=type(error).__name__).inc()
        if verdict.retry:
            contested = all(isinstance(error, Conflict) for error in verdict.errors)
            self.queue.retry(key, LONGEST_CONFLICT_RETRY if contested else LONGEST_RETRY)
        else:
            self.queue.forget(key)
        if verdict.after is not None:
            self.queue.add_after(key, verdict.after)

    async def _resync(self) -> None:
        assert self.controller.resync is not None  # noqa: S101 (narrows the type; `work` checked)
        while True:
            await asyncio.sleep(self.controller.resync.total_seconds())
            self.resync()

    async def stop(self, grace: float) -> None:
        """Take no new key, let the passes under way end, then end the watches."""
        self.queue.close()
        if self._workers:
            await asyncio.wait(tuple(self._workers), timeout=max(grace, 0.0))
        left = tuple(self._workers)  # a substitute that comes now finds the queue closed
        for worker in left:
            worker.cancel()
        await asyncio.gather(*left, return_exceptions=True)
        for end in self._ends:
            end()
        for informer in self._used:
            await self._informers.release(informer)
        self._used.clear()


def _priority(change: Change, urgent: Predicate) -> Priority:
    if change.initial:
        return Priority.RESYNC
    # What is gone was waited for, or has to come back.
    return Priority.URGENT if change.new is None or urgent(change) else Priority.CHANGE
