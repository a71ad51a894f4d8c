"""Remembers answers for a short while, and makes each only once however many ask at a time."""

import asyncio
from collections.abc import Awaitable, Callable, Hashable
from typing import Any, Generic, TypeVar

from hypershift.kit import Clock

V = TypeVar("V")


class Memory(Generic[V]):
    """Answers by key, the oldest first; errors are not remembered."""

    def __init__(self, clock: Clock, seconds: float, limit: int = 10_000) -> None:
        """Keep at most `limit` answers, each for `seconds`."""
        self._clock, self._seconds, self._limit = clock, seconds, limit
        self._known: dict[Hashable, tuple[float, V]] = {}
        self._running: dict[Hashable, asyncio.Task[Any]] = {}

    async def get(self, key: Hashable, make: Callable[[], Awaitable[V]]) -> V:
        """The answer, computed again when it is too old; one computation serves all that wait."""
        made_at, answer = self._known.get(key, (float("-inf"), None))
        if self._clock.monotonic() - made_at < self._seconds:
            return answer  # type: ignore[return-value] # only the sentinel above is None
        task = self._running.get(key)
        if task is None:
            task = asyncio.ensure_future(self._make(key, make))
            self._running[key] = task
        made: V = await asyncio.shield(task)
        return made

    async def _make(self, key: Hashable, make: Callable[[], Awaitable[V]]) -> V:
        try:
            answer = await make()
        finally:
            self._running.pop(key, None)
        now = self._clock.monotonic()
        self._known.pop(key, None)
        self._known[key] = (now, answer)
        self._forget(now - self._seconds)
        return answer

    def _forget(self, before: float) -> None:
        """Let go of what is too old: payloads are large, and hold what opens a cluster."""
        while self._known:
            oldest = next(iter(self._known))
            if len(self._known) <= self._limit and self._known[oldest][0] > before:
                return
            del self._known[oldest]
