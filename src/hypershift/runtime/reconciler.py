"""One pass over one object: load, pause, finalizer, phases, status, and when to look again."""

import asyncio
import random
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Generic, TypeVar

from hypershift.api.conditions import Condition, ConditionType, ForeignReason, false, true
from hypershift.kit import Clock, HypershiftError, Key, Manifest, TransientError, key_of
from hypershift.kube import Client, Conflict, Invalid, NotFound
from hypershift.runtime import phases
from hypershift.runtime.conditions import Conditions, Writer
from hypershift.runtime.context import Context
from hypershift.runtime.controller import Controller, HasStatus
from hypershift.runtime.events import Events, Memory
from hypershift.runtime.logs import Log, log_error, logger
from hypershift.runtime.pause import FOREVER, pause_left
from hypershift.runtime.phases import Phase, Report
from hypershift.runtime.remotes import Remotes
from hypershift.runtime.sharding import OwnedBuckets
from hypershift.runtime.status import status_patch

S = TypeVar("S", bound=HasStatus)


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the queue does with the key: try again by backoff, look again after a while, or rest."""

    retry: bool = False
    after: float | None = None
    errors: tuple[Exception, ...] = ()


class Reconciler(Generic[S]):
    """Runs the passes of one controller."""

    def __init__(
        self,
        controller: Controller[S],
        kube: Client,
        live: Client,
        remotes: Remotes,
        *,
        clock: Clock,
        rng: random.Random,
        owned: OwnedBuckets | None = None,
    ) -> None:
        """Act through `kube` (cached) and `live`; with `owned`, on our own clusters alone."""
        self._controller, self._kube, self._live = controller, kube, live
        self.remotes, self._clock, self._rng = remotes, clock, rng
        self._owned = owned
        self._memory = Memory()
        self._writer = Writer(controller.name, controller.resource.kind)
        self._refused: dict[Key, None] = {}

    async def __call__(self, key: Key) -> Verdict:
        """Reconcile one object once."""
        manifest = await self._kube.find(self._controller.resource, key.name, key.namespace)
        if manifest is None:
            return Verdict()
        if self._owned is None:
            return await self._pass(manifest)
        cluster = self.cluster(manifest)
        return await self._owned.run_if_owned(cluster, lambda: self._pass(manifest)) or Verdict()

    def cluster(self, manifest: Manifest) -> str:
        """The cluster that an object is about."""
        return self._controller.cluster(manifest)

    async def _pass(self, manifest: Manifest) -> Verdict:
        log = logger(controller=self._controller.name, key=str(key_of(manifest)))
        if manifest["metadata"].get("deletionTimestamp"):
            return await self._delete(manifest, log)
        left = pause_left(manifest, self._clock.now()) if self._controller.honour_pause else None
        if left is not None:
            report = await self._run(self._controller.paused, manifest, log)
            return _verdict(report, None if left == FOREVER else left)
        if fields := self._controller.spec_defaults(manifest, self._rng):
            # They change what the object declares, which brings the next pass.
            await self._patch(manifest, {"spec": fields}, self._with_ours(manifest))
            return Verdict()
        if self._with_ours(manifest) != _finalizers(manifest):
            manifest = await self._patch(manifest, {}, self._with_ours(manifest))
        stop = self._controller.stop_on_error
        report = await self._run(self._controller.normal, manifest, log, stop_on_error=stop)
        return _verdict(report)

    async def _delete(self, manifest: Manifest, log: Log) -> Verdict:
        finalizer = self._controller.finalizer
        if finalizer and finalizer not in _finalizers(manifest):
            return Verdict()
        report = await self._run(self._controller.delete, manifest, log, stop_on_error=True)
        if report.finished and finalizer:
            await self._drop_finalizer(manifest, log)
        return _verdict(report)

    async def _run(
        self,
        steps: Sequence[Phase[S]],
        manifest: Manifest,
        log: Log,
        *,
        stop_on_error: bool = False,
    ) -> Report:
        scope: S | None = None
        try:
            async with asyncio.timeout(self._controller.timeout.total_seconds()):
                scope = self._controller.scope(manifest, self._context(manifest, log))
                report = await phases.run(steps, scope, stop_on_error=stop_on_error)
        except TimeoutError:
            report = Report(errors=[TransientError(f"no end after {self._controller.timeout}")])
        except Exception as error:  # noqa: BLE001 (an object that does not parse fails its own pass only)
            report = Report(errors=[error])
        if scope is not None and not manifest["metadata"].get("deletionTimestamp"):
            self._controller.conclude(scope, report)
        status = scope.status if scope is not None else dict(manifest.get("status") or {})
        await self._publish(manifest, status, report)
        _log_report(report, log)
        return report

    def _context(self, manifest: Manifest, log: Log) -> Context:
        name = self._controller.name
        events = Events(self._live, manifest, source=name, clock=self._clock, memory=self._memory)
        return Context(
            self._kube,
            self._live,
            self._clock,
            events,
            log,
            self.remotes,
            self._rng,
            self._writer,
        )

    # Status and finalizer

    async def _publish(self, manifest: Manifest, status: dict[str, Any], report: Report) -> None:
        """Patch the status fields that the pass changed, also after errors."""
        if self._controller.condition is not None:
            generation = manifest["metadata"].get("generation")
            conditions = Conditions(status, self._clock, generation, self._writer)
            conditions.set(_succeeded(self._controller.condition, report))
        key = key_of(manifest)
        patch = status_patch(manifest, status, by_version=key in self._refused)
        if not patch or not self._controller.manages_status:
            return
        metadata = manifest["metadata"]
        try:
            answer = await self._kube.patch(
                self._controller.resource,
                metadata["name"],
                patch,
                metadata.get("namespace", ""),
                kind="json",
                subresource="status",
            )
            metadata["resourceVersion"] = answer["metadata"]["resourceVersion"]
            self._refused.pop(key, None)
        except NotFound:
            return
        except Invalid as error:
            if not error.details.get("causes"):
                # No field is wrong, so a `test` failed: the next pass has a newer picture.
                self._refused[key] = None
            report.errors.append(_stale(error) if key in self._refused else error)
        except HypershiftError as error:
            report.errors.append(error)

    def _with_ours(self, manifest: Manifest) -> list[str]:
        known, ours = _finalizers(manifest), self._controller.finalizer
        return [*known, ours] if ours and ours not in known else known

    async def _drop_finalizer(self, manifest: Manifest, log: Log) -> None:
        known = _finalizers(manifest)
        left = [name for name in known if name != self._controller.finalizer]
        await self._patch(manifest, {}, left)
        log.info("finalizer dropped")

    async def _patch(self, manifest: Manifest, fields: Manifest, finalizers: list[str]) -> Manifest:
        metadata = manifest["metadata"]
        # Others keep their finalizers in the same list: refuse to overwrite what we have not seen.
        version = metadata["resourceVersion"]
        patch = fields | {"metadata": {"finalizers": finalizers, "resourceVersion": version}}
        return await self._kube.patch(
            self._controller.resource, metadata["name"], patch, metadata.get("namespace", "")
        )


def _succeeded(kind: ConditionType, report: Report) -> Condition:
    if not report.errors:
        return true(kind, report.message)
    return false(kind, ForeignReason(type(report.errors[0]).__name__), report.message)


def _finalizers(manifest: Manifest) -> list[str]:
    return list(manifest["metadata"].get("finalizers") or ())


def _stale(error: Invalid) -> Conflict:
    return Conflict(409, "Conflict", "the status changed meanwhile", attempt=error.attempt)


def _verdict(report: Report, at_most: timedelta | None = None) -> Verdict:
    asked = [after for after in (report.after, at_most) if after is not None]
    after = min(asked).total_seconds() if asked else None
    retry = bool(report.errors) and not report.terminal
    return Verdict(retry, after, tuple(report.errors))


def _log_report(report: Report, log: Log) -> None:
    for error in report.errors:
        notes = ", ".join(getattr(error, "__notes__", ()))
        log_error(log, "phase failed", error, where=notes or None)
    for wait in report.waits:
        log.debug("waiting", reason=wait.reason, message=wait.message, after=str(wait.after))
    if report.stop is not None:
        log.debug("stopped", reason=report.stop.reason, message=report.stop.message)
