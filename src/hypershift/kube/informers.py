"""The caches of one server, shared: however many ask for a selection, one watch follows it."""

import asyncio
import random
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from enum import Enum
from functools import partial
from typing import Self

from hypershift.kit import Key, Manifest
from hypershift.kube.cache import Cache, Index, Listener
from hypershift.kube.client import Client
from hypershift.kube.errors import LimitExceeded
from hypershift.kube.limits import Budget
from hypershift.kube.reflector import Reflector, Selection, Timeouts
from hypershift.kube.resource import Resource
from hypershift.kube.shape import Path

Question = tuple[Resource, str, str, tuple[Path, ...]]


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
        """Report the cached objects and then each change to a listener; call the result to stop."""
        return self.cache.subscribe(listener)


class Listeners(Enum):
    """The reflector that asks the server for a bookmark every minute."""

    ALL = "all"  # each watch for itself
    ONE = "one"  # one for all: a process that follows hundreds of servers wakes up less often


class Informers:
    """Starts a reflector with the first user of a selection and ends it with the last."""

    def __init__(
        self,
        client: Client,
        *,
        rng: random.Random | None = None,
        patience: Timeouts | None = None,
        watch_list: bool = True,
        listeners: Listeners = Listeners.ALL,
    ) -> None:
        """Follow the server of `client`; `listeners` notice when it becomes silent."""
        self.client = client
        self._listeners = listeners
        self._restart: asyncio.Task[None] | None = None
        self.rng = rng or random.Random()  # noqa: S311 (jitter only)
        self._patience, self._watch_list = patience, watch_list
        self._informers: dict[Selection, Informer] = {}
        self._budget = Budget(client.limits.cache)
        self._exceeded: dict[Selection, str] = {}
        #: Which informers can answer what was asked before; forgotten when one comes or goes.
        self._able: dict[Question, tuple[Informer, ...]] = {}

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
        """Release a selection; the watch ends with its last user."""
        informer.users -= 1
        if informer.users <= 0 and self._informers.get(informer.selection) is informer:
            del self._informers[informer.selection]
            self._exceeded.pop(informer.selection, None)
            self._able.clear()
            await _end(informer.task)
            informer.cache.clear()  # gives its part of the budget back
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

    def find(
        self,
        resource: Resource,
        namespace: str = "",
        labels: str = "",
        only: tuple[Path, ...] = (),
    ) -> Informer | None:
        """A synced cache that can answer for this namespace, selector and these fields."""
        question = (resource, namespace, labels, only)
        able = self._able.get(question)
        if able is None:
            able = self._able[question] = self._who_can_answer(*question)
        return next((informer for informer in able if informer.synced), None)

    def _who_can_answer(self, *question: *Question) -> tuple[Informer, ...]:
        able = [one for one in self._informers.values() if one.selection.answers(*question)]
        # The widest first: it is the one that most others have filled already.
        able.sort(key=lambda one: (bool(one.selection.labels), bool(one.selection.namespace)))
        return tuple(able)

    def peek(self, resource: Resource, key: Key) -> Manifest | None:
        """One object of any synced cache that holds it completely, shared; None if none does.

        A cache of some objects only (those with a label) cannot prove that one does not exist.
        """
        for informer in self._informers.values():
            chosen = informer.selection
            whole = chosen.resource == resource and not chosen.metadata_only and not chosen.only
            if whole and informer.synced and (found := informer.cache.peek(key)) is not None:
                return found
        return None

    @property
    def problem(self) -> str:
        """Which limits the server exceeds; empty while it is within all."""
        return "; ".join(self._exceeded.values())

    def heard_at(self, informer: Informer) -> float:
        """When the server was last heard, by the one who listens for this one as well."""
        listener = informer if informer.reflector.listens else self._listener or informer
        return max(informer.reflector.heard_at, listener.reflector.heard_at)

    def follows(self, resource: Resource) -> bool:
        """Whether any cache here holds objects of this kind."""
        return any(chosen.resource == resource for chosen in self._informers)

    def observe(self, resource: Resource, manifest: Manifest, *, gone: bool = False) -> None:
        """Let our own reads see our own write before the watch reports it."""
        for informer in tuple(self._informers.values()):
            chosen = informer.selection
            if chosen.resource != resource or chosen.metadata_only:
                continue
            if gone:
                informer.cache.remove(manifest, confirmed=False)
            elif chosen.covers(manifest):
                with suppress(LimitExceeded):  # the reflector meets the same limit and reports it
                    informer.cache.upsert(chosen.shaped(manifest), confirmed=False)

    def _start(self, selection: Selection, *, optional: bool) -> Informer:
        cache = Cache(budget=self._budget, tells_versions=not selection.only)
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
            on_limit=partial(self._limit, selection),
            budget=self._budget,
        )
        informer = Informer(selection, cache, reflector)
        self._informers[selection] = informer
        self._able.clear()
        self._run(informer)
        return informer

    def _limit(self, selection: Selection, text: str) -> None:
        if text:
            self._exceeded[selection] = text
        else:
            self._exceeded.pop(selection, None)

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
        """Reflectors that do not listen cannot notice the silence themselves: all connect again."""
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
