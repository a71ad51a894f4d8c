"""Watches of the simulated server: the past from a version on, then what happens."""

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from typing import Any

import msgspec
from tests.lib.sim.status import Refused, expired, invalid
from tests.lib.sim.store import Commit, Record, Store

from hypershift.kit import Manifest
from hypershift.kube import Resource
from hypershift.kube.reflector import INITIAL_EVENTS_END
from hypershift.kube.selectors import field_selector, label_selector

BOOKMARK_EVERY = 60.0
Show = Callable[[Record], Manifest]


@dataclass(frozen=True, slots=True)
class Asked:
    """What a watch asked for."""

    resource: Resource
    namespace: str = ""
    labels: str = ""
    fields: str = ""
    version: str = ""
    bookmarks: bool = False
    initial_events: bool = False
    version_match: str = ""
    seconds: float | None = None

    def chooses(self, record: Record | None) -> bool:
        """Whether a state of an object belongs to the watch."""
        return (
            record is not None
            and (not self.namespace or record.key.namespace == self.namespace)
            and label_selector(self.labels)(record.manifest)
            and field_selector(self.fields)(record.manifest)
        )


class Watch:
    """One open watch: a line of events, in order."""

    def __init__(self, store: Store, asked: Asked, show: Show) -> None:
        """Gather what the watch has to tell first, then listen."""
        self._store, self.asked, self._show = store, asked, show
        self._lines: deque[bytes] = deque()
        self._wake = asyncio.Event()
        self._closed = False
        self._ended = False
        self._unlisten: Callable[[], None] = lambda: None
        self._begin()

    def _begin(self) -> None:
        asked = self.asked
        if asked.initial_events and asked.version_match != "NotOlderThan":
            why = (
                "Forbidden: sendInitialEvents requires setting resourceVersionMatch to NotOlderThan"
            )
            raise invalid(asked.resource, "", "resourceVersionMatch", why)
        if asked.version in {"", "0"} or asked.initial_events:
            for record in self._store.records(asked.resource, asked.namespace):
                if asked.chooses(record):
                    self._put("ADDED", self._show(record))
            if asked.initial_events:
                self._bookmark(initial_end=True)
        elif int(asked.version) < self._store.compacted:
            self._error(expired(f"too old resource version: {asked.version}"))
            return
        else:
            for change in self._store.since(asked.resource, int(asked.version)):
                self._tell(change)
        self._unlisten = self._store.listen(self._tell)

    def _tell(self, change: Commit) -> None:
        if change.resource != self.asked.resource:
            return
        before, after = self.asked.chooses(change.old), self.asked.chooses(change.new)
        if after and change.new is not None:
            self._put("MODIFIED" if before else "ADDED", self._show(change.new))
        elif before and change.old is not None:
            # Deleted, or no longer chosen: the watcher loses sight of it at this revision.
            seen = self._show(change.new or change.old)
            metadata = seen["metadata"] | {"resourceVersion": str(change.revision)}
            self._put("DELETED", seen | {"metadata": metadata})

    def _put(self, kind: str, manifest: Manifest) -> None:
        self._lines.append(msgspec.json.encode({"type": kind, "object": manifest}))
        self._wake.set()

    def _bookmark(self, *, initial_end: bool = False) -> None:
        metadata: dict[str, Any] = {"resourceVersion": str(self._store.revision)}
        if initial_end:
            metadata["annotations"] = {INITIAL_EVENTS_END: "true"}
        resource = self.asked.resource
        mark = {"kind": resource.kind, "apiVersion": resource.api_version, "metadata": metadata}
        self._put("BOOKMARK", mark)

    def _error(self, refusal: Refused) -> None:
        self._put("ERROR", refusal.status())
        self._ended = True

    def end(self) -> None:
        """The server, or a fault, ends the watch after what was already told."""
        self._ended = True
        self._wake.set()

    def close(self) -> None:
        """The client went away."""
        self._closed = True
        self._unlisten()
        self._wake.set()

    async def lines(self) -> AsyncIterator[bytes]:
        """The events as lines, until the watch ends."""
        loop = asyncio.get_running_loop()
        ends_at = loop.time() + (self.asked.seconds or 1800.0)
        bookmark_at = loop.time() + BOOKMARK_EVERY
        try:
            while not self._closed:
                if self._lines:
                    yield self._lines.popleft()
                    continue
                if self._ended or loop.time() >= ends_at:
                    return
                if loop.time() >= bookmark_at and self.asked.bookmarks:
                    self._bookmark()
                    bookmark_at = loop.time() + BOOKMARK_EVERY
                    continue
                await self._sleep(min(ends_at, bookmark_at if self.asked.bookmarks else ends_at))
        finally:
            self.close()

    async def _sleep(self, until: float) -> None:
        self._wake.clear()
        loop = asyncio.get_running_loop()
        timer = loop.call_at(until, self._wake.set)
        try:
            await self._wake.wait()
        finally:
            timer.cancel()
