"""The caches of one server, shared: however many ask for a selection, one watch follows it."""

import asyncio
import random
from collections.abc import Callable, Iterable, Iterator
from enum import Enum
from typing import Self

from hypershift.kit import Manifest
from hypershift.kube.cache import Cache, Index, Listener
from hypershift.kube.client import Client
from hypershift.kube.reflector import Patience, Reflector, Selection
from hypershift.kube.resource import Resource


class Informer:
    """One selection: its cache, the reflector that fills it, and how many use it."""

    def __init__(self, selection: Selection, cache: Cache, reflector: Reflector) -> None:
        """Belong to `Informers`, which starts and ends the reflector."""
        self.selection = selection
        self.cache = cache
        self.reflector = reflector
        self.users = 0
        self.task: asyncio.Task[None] | None = None

    @property
    def synced(self) -> bool:
        """Whether the cache has seen everything once."""
        return self.reflector.synced.is_set()

    async def wait(self) -> None:
        """Return when the cache has seen everything once."""
        await self.reflector.synced.wait()

    def subscribe(self, listener: Listener) -> Callable[[], None]:
        """Tell a listener what is in the cache and what changes; the result ends it."""
        return self.cache.subscribe(listener)


class Listeners(Enum):
    """Who asks a server to say, every minute, that it lives."""

    ALL = "all"  # each watch for itself
    ONE = "one"  # one for all: a process that follows hundreds of servers wakes up less often


class Informers:
    """Starts a reflector with the first user of a selection and ends it with the last."""

    def __init__(
        self,
        client: Client,
        *,
        rng: random.Random | None = None,
        patience: Patience | None = None,
        watch_list: bool = True,
        listeners: Listeners = Listeners.ALL,
    ) -> None:
        """Follow the server of `client`; `listeners` notice when it says nothing more."""
        self.client = client
        self._listeners = listeners
        self._restart: asyncio.Task[None] | None = None
        self.rng = rng or random.Random()  # noqa: S311 (jitter only)
        self._patience, self._watch_list = patience, watch_list
        self._informers: dict[Selection, Informer] = {}
        #: Which informers can answer what was asked before; forgotten when one comes or goes.
        self._able: dict[tuple[Resource, str, str], tuple[Informer, ...]] = {}

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    def __iter__(self) -> Iterator[Informer]:
        return iter(tuple(self._informers.values()))

    def acquire(
        self, selection: Selection, *, indexes: Iterable[Index] = (), optional: bool = False
    ) -> Informer:
        """Use a selection; give it back with `release`."""
        informer = self._informers.get(selection)
        if informer is None:
            informer = self._start(selection, optional=optional)
        for index in indexes:
            informer.cache.add_index(index)
        informer.users += 1
        return informer

    async def release(self, informer: Informer) -> None:
        """Give a selection back; nobody left means nothing is watched."""
        informer.users -= 1
        if informer.users <= 0 and self._informers.get(informer.selection) is informer:
            del self._informers[informer.selection]
            self._able.clear()
            await _end(informer.task)
            await self._appoint()

    async def refresh(self) -> None:
        """Compare every cache with a new list: a silent watch may have left one behind."""
        for informer in tuple(self._informers.values()):
            await _end(informer.task)
            informer.reflector.forget()
            self._run(informer)

    async def close(self) -> None:
        """End every watch."""
        informers, self._informers = tuple(self._informers.values()), {}
        self._able.clear()
        await _end(self._restart)
        for informer in informers:
            await _end(informer.task)

    def find(self, resource: Resource, namespace: str = "", labels: str = "") -> Informer | None:
        """A synced cache that can answer for this namespace and selector."""
        question = (resource, namespace, labels)
        able = self._able.get(question)
        if able is None:
            able = self._able[question] = self._who_can_answer(*question)
        return next((informer for informer in able if informer.synced), None)

    def _who_can_answer(
        self, resource: Resource, namespace: str, labels: str
    ) -> tuple[Informer, ...]:
        selections = (
            Selection(resource),
            Selection(resource, namespace),
            Selection(resource, labels=labels),
            Selection(resource, namespace, labels),
        )
        found = (self._informers.get(selection) for selection in dict.fromkeys(selections))
        return tuple(informer for informer in found if informer is not None)

    def heard_at(self, informer: Informer) -> float:
        """When the server was last heard, by the one who listens for this one as well."""
        listener = informer if informer.reflector.listens else self._listener or informer
        return max(informer.reflector.heard_at, listener.reflector.heard_at)

    def follows(self, resource: Resource) -> bool:
        """Whether any cache here holds objects of this kind."""
        return any(chosen.resource == resource for chosen in self._informers)

    def observe(self, resource: Resource, manifest: Manifest, *, gone: bool = False) -> None:
        """Let our own reads see our own write before the watch tells of it."""
        for informer in tuple(self._informers.values()):
            chosen = informer.selection
            if chosen.resource != resource or chosen.metadata_only:
                continue
            if gone:
                informer.cache.remove(manifest, confirmed=False)
            elif chosen.covers(manifest):
                informer.cache.upsert(manifest, confirmed=False)

    def _start(self, selection: Selection, *, optional: bool) -> Informer:
        cache = Cache()
        reflector = Reflector(
            self.client,
            selection,
            cache,
            rng=self.rng,
            patience=self._patience,
            watch_list=self._watch_list,
            optional=optional,
            listens=self._listeners is Listeners.ALL or not (optional or self._listener),
            on_silence=self._silence,
        )
        informer = Informer(selection, cache, reflector)
        self._informers[selection] = informer
        self._able.clear()
        self._run(informer)
        return informer

    # One who listens for all

    @property
    def _listener(self) -> Informer | None:
        return next((one for one in self._informers.values() if one.reflector.listens), None)

    async def _appoint(self) -> None:
        """Let another one listen, when the last who did is gone."""
        if self._listener is not None or not self._informers:
            return
        chosen = next(iter(self._informers.values()))
        chosen.reflector.listens = True
        await _end(chosen.task)
        self._run(chosen)

    def _silence(self) -> None:
        """Whoever does not listen may be as deaf as the one who did: all connect again."""
        if self._listeners is Listeners.ONE and (self._restart is None or self._restart.done()):
            self._restart = asyncio.create_task(self._connect_again(), name="connect again")

    async def _connect_again(self) -> None:
        for informer in tuple(self._informers.values()):
            if not informer.reflector.listens:
                await _end(informer.task)
                self._run(informer)

    @staticmethod
    def _run(informer: Informer) -> None:
        name = f"reflect {informer.selection.resource}"
        informer.task = asyncio.create_task(informer.reflector.run(), name=name)


async def _end(task: asyncio.Task[None] | None) -> None:
    if task is not None:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
