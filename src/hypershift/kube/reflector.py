"""Keeps a cache equal to the server: list, then watch, and again from where it broke.

list or WatchList ──► watch ──► ended, cut, silent ──► watch again from the last version
       ▲                │
       └──── 410 Gone ──┘        (compared with the cache: only differences are reported)
"""

import asyncio
import random
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from dataclasses import dataclass
from typing import Any

import msgspec
import structlog

from hypershift.kit import Manifest
from hypershift.kube.cache import Cache
from hypershift.kube.client import Client, Event
from hypershift.kube.errors import ApiError, Gone, LimitExceeded, NotFound, TooManyRequests
from hypershift.kube.limits import Budget, cost
from hypershift.kube.resource import Resource
from hypershift.kube.selectors import label_selector
from hypershift.kube.shape import IDENTITY, Path, projected, slim, version_number

INITIAL_EVENTS_END = "k8s.io/initial-events-end"
_NOT_OFFERED = frozenset({400, 403, 422})
#: A server that exceeds its limits is asked again after so many seconds at the earliest.
LIMIT_PAUSE = 60.0


@dataclass(frozen=True, slots=True)
class Selection:
    """Which objects to follow; `only` names the fields to keep, beside identity and labels."""

    resource: Resource
    namespace: str = ""
    labels: str = ""
    fields: str = ""
    metadata_only: bool = False
    only: tuple[Path, ...] = ()

    def answers(
        self, resource: Resource, namespace: str, labels: str, only: tuple[Path, ...]
    ) -> bool:
        """True if a cache of this selection knows all such objects, and of each these fields."""
        return (
            self.resource == resource
            and self.namespace in {"", namespace}
            and self.labels in {"", labels}
            and not self.fields
            and not self.metadata_only
            and (not self.only or (bool(only) and {*only} <= {IDENTITY, *self.only}))
        )

    def shaped(self, manifest: Manifest) -> Manifest:
        """An object as it is kept."""
        return projected(manifest, self.only) if self.only else manifest

    def covers(self, manifest: Manifest) -> bool:
        """Whether an object of our own writing belongs to the selection, as far as we can know."""
        namespace = manifest["metadata"].get("namespace", "")
        return (
            (not self.namespace or namespace == self.namespace)
            and not self.fields
            and label_selector(self.labels)(manifest)
        )


@dataclass(frozen=True, slots=True)
class Timeouts:
    """How long a reflector waits for what, in seconds.

    Bookmarks arrive every minute, so silence means that the server is gone. A watch that ends costs
    a new request: with a dozen watches of each hosted cluster, short ones would add up.
    """

    silence: float = 150.0
    watch_for: float = 1800.0
    first_retry: float = 0.8
    longest_retry: float = 30.0


class Reflector:
    """Follows one selection of objects into a cache, for ever.

    Invariant: every change after the version of the last list reaches the cache, in order.
    Interleaving: a watch breaks between two events. The next one starts from the version of the
    last event or bookmark, never from "now"; when the server has forgotten that version (410), the
    new list is compared with the cache, so that deletions in the gap are reported as well.
    Held by tests/unit/kube/test_reflector.py::test_a_cut_watch_goes_on_where_it_was
    Held by tests/unit/kube/test_reflector.py::
      test_an_expired_version_means_a_new_list_and_only_differences

    Invariant: a server that is gone is noticed although its connection stays open.
    Held by tests/unit/kube/test_reflector.py::test_a_silent_watch_is_left_and_opened_again
    """

    def __init__(
        self,
        client: Client,
        selection: Selection,
        cache: Cache,
        *,
        rng: random.Random,
        patience: Timeouts | None = None,
        watch_list: bool = True,
        optional: bool = False,
        listens: bool = True,
        on_silence: Callable[[], None] = lambda: None,
        on_limit: Callable[[str], None] = lambda _: None,
        budget: Budget | None = None,
    ) -> None:
        """Prepare; `run` does the work. `optional`: a kind that is not served counts as empty.

        One that `listens` asks the server for a bookmark every minute and calls `on_silence` when
        none comes. One that does not listen relies on another reflector of the same server that
        does. `on_limit` is called with the limit that the server exceeds, and with an empty text
        afterwards.
        """
        self._on_limit = on_limit
        self._budget, self._filling = budget or Budget(None), 0
        self._client, self._selection, self._cache = client, selection, cache
        self._rng, self._patience = rng, patience or Timeouts()
        self._watch_list, self._optional = watch_list, optional
        self.listens, self._on_silence = listens, on_silence
        self._version = ""
        self._failures = 0
        self.synced = asyncio.Event()
        self.heard_at = float("-inf")
        self.relists = 0
        self._log: Any = structlog.get_logger().bind(
            resource=str(selection.resource), namespace=selection.namespace or None
        )

    def forget(self) -> None:
        """Begin with a list when run again; `synced` is unset until then."""
        self.synced.clear()
        self._version = ""

    async def run(self) -> None:
        """List and watch until cancelled."""
        while True:
            try:
                await self._once()
            except Gone:
                self._log.info("resource version expired, listing again")
                self._version = ""
                await self._pause()
            except TimeoutError:
                self._log.info("watch was silent, connecting again")
                self._on_silence()
            except ApiError as error:
                # What the frames of the error hold, an answer of megabytes, would wait with us.
                error.__traceback__ = error.__cause__ = error.__context__ = None
                await self._recover(error)
            except Exception:  # noqa: BLE001 (a cache that stops following would be wrong for ever)
                self._log.exception("reflector failed, listing again")
                self._version = ""
                await self._pause()

    async def _once(self) -> None:
        started, heard = asyncio.get_running_loop().time(), self.heard_at
        if not self._version:
            await self._fill()
        else:
            await self._follow()
        if self.heard_at == heard and asyncio.get_running_loop().time() - started < 1.0:
            await self._pause()  # a server that ends every watch at once must not spin us

    async def _recover(self, error: ApiError) -> None:
        if isinstance(error, LimitExceeded):
            await self._give_up(error)
            return
        if isinstance(error, NotFound) and self._optional:
            self._fill_with([], "0")
            self._version = ""
        level = self._log.debug if self._optional else self._log.warning
        level("cannot follow, retrying", error=str(error), failures=self._failures + 1)
        await self._pause(error.retry_after if isinstance(error, TooManyRequests) else None)

    async def _give_up(self, error: LimitExceeded) -> None:
        """Forget all objects of a server that exceeds its limits, and list again later."""
        self._log.warning("server exceeds its limits", error=str(error))
        self.forget()
        self._cache.clear()
        self._on_limit(f"{self._selection.resource}: {error.message}")
        await self._pause(LIMIT_PAUSE)

    async def _pause(self, at_least: float | None = None) -> None:
        """Wait longer after each failure, with jitter so that many reflectors spread out."""
        grown = self._patience.first_retry * 2 ** min(self._failures, 10)
        delay = max(min(grown, self._patience.longest_retry), at_least or 0.0)
        self._failures += 1
        await asyncio.sleep(delay * self._rng.uniform(0.5, 1.0))

    # The first look

    async def _fill(self) -> None:
        try:
            await self._look()
        finally:
            self._end_filling()

    def _admitted(self, manifest: Manifest) -> Manifest:
        """An object of the first look, charged to the budget until the cache takes it."""
        shaped = self._shaped(manifest)
        if self._budget.limited:
            size = cost(msgspec.json.encode(shaped))
            self._budget.take(size, str(self._selection.resource))
            self._filling += size
        return shaped

    def _end_filling(self) -> None:
        self._budget.take(-self._filling, "")
        self._filling = 0

    async def _look(self) -> None:
        if self._watch_list and self.listens:
            try:
                await self._fill_by_watch()
            except ApiError as error:
                if error.status not in _NOT_OFFERED:
                    raise
                self._watch_list = False
            else:
                return
        chosen = self._selection
        listing = await self._client.listing(
            chosen.resource,
            chosen.namespace,
            chosen.labels,
            chosen.fields,
            metadata_only=chosen.metadata_only,
            keep=self._admitted,
        )
        self._fill_with(listing.items, listing.resource_version)

    async def _fill_by_watch(self) -> None:
        items: dict[str, Manifest] = {}
        async with aclosing(self._events(initial=True)) as events:
            async for event in events:
                metadata = event.object.get("metadata", {})
                if event.type == "BOOKMARK":
                    if INITIAL_EVENTS_END in (metadata.get("annotations") or {}):
                        self._fill_with(list(items.values()), metadata["resourceVersion"])
                        await self._follow_events(events)
                        return
                    continue
                place = f"{metadata.get('namespace', '')}/{metadata['name']}"
                if event.type == "DELETED":
                    items.pop(place, None)
                else:
                    items[place] = self._admitted(event.object)
        raise ApiError(0, "Incomplete", "the watch ended before its initial events did")

    def _fill_with(self, items: list[Manifest], version: str) -> None:
        number = version_number(version)
        rewound = number < version_number(self._highest)
        self._end_filling()
        if rewound:
            self._log.warning("the server went back in time", version=version)
        self._cache.replace(items, number, rewound=rewound)
        self._on_limit("")
        self.relists += 1
        self._advance(version, rewound=rewound)
        self.synced.set()

    # Following

    async def _follow(self) -> None:
        async with aclosing(self._events(initial=False)) as events:
            await self._follow_events(events)

    async def _follow_events(self, events: AsyncGenerator[Event, None]) -> None:
        async for event in events:
            self._take(event)

    def _take(self, event: Event) -> None:
        self._failures = 0
        metadata = event.object.get("metadata", {})
        if event.type == "DELETED":
            self._cache.remove(self._shaped(event.object))
        elif event.type in {"ADDED", "MODIFIED"}:
            self._cache.upsert(self._shaped(event.object))
        self._advance(metadata.get("resourceVersion", ""))

    async def _events(self, *, initial: bool) -> AsyncGenerator[Event, None]:
        """The server's events; `TimeoutError` after too long a silence."""
        chosen = self._selection
        lasts = self._patience.watch_for * self._rng.uniform(1.0, 1.5)
        silence = self._patience.silence if self.listens else lasts + self._patience.silence
        stream = self._client.watch(
            chosen.resource,
            chosen.namespace,
            chosen.labels,
            chosen.fields,
            "" if initial else self._version,
            bookmarks=self.listens,
            initial_events=initial,
            metadata_only=chosen.metadata_only,
            timeout=lasts,
        )
        async with aclosing(stream):
            while True:
                async with asyncio.timeout(silence):
                    event = await anext(stream, None)
                if event is None:
                    return
                self.heard_at = asyncio.get_running_loop().time()
                yield event

    def _advance(self, version: str, *, rewound: bool = False) -> None:
        if version:
            self._version = version
            if rewound or version_number(version) > version_number(self._highest):
                self._highest = version

    _highest = ""

    def _shaped(self, manifest: Manifest) -> Manifest:
        manifest["apiVersion"] = self._selection.resource.api_version
        manifest["kind"] = self._selection.resource.kind
        return self._selection.shaped(slim(manifest))
