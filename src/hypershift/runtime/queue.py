"""The work queue: no key twice, none lost, one pass per key at a time, fair between groups.

A key waits in the lane of its priority (changes before resyncs), in the line of its group (a
cluster). The group with fewest passes under way is next, then the one served longest ago. Between
two passes over one key goes its pace, so that a burst of changes is one; what is urgent overtakes.
"""

import asyncio
import random
from collections import deque
from collections.abc import Callable
from enum import IntEnum

from hypershift.kit import Key

FIRST_RETRY = 0.25
LONGEST_RETRY = 60.0
#: A conflict means that another writer was faster, not that something is broken.
LONGEST_CONFLICT_RETRY = 4.0
#: After so many changes one waiting resync is served, so that a busy cluster does not starve it.
RESYNC_EVERY = 8
#: So many keys may be over their pace before their passes are forgotten.
MOST_REMEMBERED = 1000


class Priority(IntEnum):
    """Who is served first."""

    URGENT = 0
    CHANGE = 1
    RESYNC = 2


class QueueClosed(Exception):
    """No more keys: the controller stops."""


class WorkQueue:
    """Keys that need a pass.

    Invariant: a key is in at most one lane, two passes never run over one key, and a key that was
    added is never lost.
    Interleaving: a change arrives while a pass over its key runs. Queueing it would start a second
    pass beside the first, dropping it would lose the change if the pass has read already. So `add`
    notes it in `_again`, and `done` queues it.
    Held by tests/unit/runtime/test_queue.py::test_a_key_under_way_gets_another_pass_after_it

    Invariant: while a key waits and its group has room, a worker is awake.
    Interleaving: a worker is woken for a key and cancelled before it takes it. It wakes another.
    Held by tests/unit/runtime/test_queue.py::test_a_worker_that_is_cancelled_hands_its_call_on
    """

    def __init__(
        self,
        *,
        group: Callable[[Key], str],
        rng: random.Random,
        pace: float = 0.0,
        at_once: int | None = None,
    ) -> None:
        """`group` says which cluster a key belongs to; `rng` jitters retries; `pace` in seconds.

        `at_once` is how many passes over keys of one group may be under way, however many
        workers ask: a slow cluster does not take more of them than that.
        """
        self._group, self._rng, self._pace = group, rng, pace
        self._at_once = at_once
        self._waiting: dict[Key, tuple[Priority, float]] = {}
        self._lanes: dict[Priority, dict[str, deque[Key]]] = {lane: {} for lane in Priority}
        self._active: dict[Key, None] = {}
        self._active_in: dict[str, int] = {}
        self._again: dict[Key, Priority] = {}
        self._begun: dict[Key, float] = {}
        self._held: set[Key] = set()
        self._timers: dict[Key, asyncio.TimerHandle] = {}
        self._failures: dict[Key, int] = {}
        self._sleepers: deque[asyncio.Future[None]] = deque()
        self._changes_in_a_row = 0
        self._closed = False

    def __len__(self) -> int:
        return len(self._waiting)

    @property
    def idle(self) -> bool:
        """Nothing waits and nothing is under way (retries and later looks aside)."""
        return not self._waiting and not self._active and not self._held

    def add(self, key: Key, priority: Priority = Priority.CHANGE) -> None:
        """Ask for a pass; a key that is under way gets another one after it."""
        if self._closed:
            return
        if key in self._active:
            self._again[key] = min(priority, self._again.get(key, priority))
        elif priority is not Priority.URGENT and (early := self._early(key)) > 0:
            self._held.add(key)
            self.add_after(key, early)
        else:
            self._enqueue(key, priority)

    def _early(self, key: Key) -> float:
        """How many seconds too soon another pass over a key would be."""
        begun = self._begun.get(key)
        if begun is None or key in self._waiting:
            return 0.0
        return begun + self._pace - asyncio.get_running_loop().time()

    def _enqueue(self, key: Key, priority: Priority) -> None:
        known = self._waiting.get(key)
        if known is not None and known[0] <= priority:
            return
        since = known[1] if known else asyncio.get_running_loop().time()
        self._waiting[key] = (priority, since)
        self._lanes[priority].setdefault(self._group(key), deque()).append(key)
        self._wake()

    def add_after(self, key: Key, seconds: float) -> None:
        """Ask for a pass later; an earlier timer of the same key stays."""
        if self._closed:
            return
        loop = asyncio.get_running_loop()
        known = self._timers.get(key)
        if known is not None and known.when() <= loop.time() + seconds:
            return
        if known is not None:
            known.cancel()
        self._timers[key] = loop.call_later(seconds, self._due, key)

    def retry(self, key: Key, most: float = LONGEST_RETRY) -> float:
        """Schedule a pass after a failure, later each time; returns the delay in seconds."""
        failures = self._failures.get(key, 0)
        self._failures[key] = failures + 1
        delay = min(FIRST_RETRY * 2.0 ** min(failures, 16), most)
        delay *= self._rng.uniform(0.8, 1.2)
        self.add_after(key, delay)
        return delay

    def forget(self, key: Key) -> None:
        """The key succeeded: its next failure is a first one again."""
        self._failures.pop(key, None)

    async def get(self) -> tuple[Key, float]:
        """The next key and how long it waited; give it back with `done`."""
        while True:
            if self._closed:
                raise QueueClosed
            if (key := self._next()) is not None:
                priority, since = self._waiting.pop(key)
                self._changes_in_a_row += 1
                if priority is Priority.RESYNC:
                    self._changes_in_a_row = 0
                self._begin(key)
                return key, asyncio.get_running_loop().time() - since
            await self._sleep()

    def done(self, key: Key) -> None:
        """End a pass; a key that was added meanwhile is queued again."""
        self._active.pop(key, None)
        group = self._group(key)
        self._active_in[group] -= 1
        if not self._active_in[group]:
            del self._active_in[group]
        if (priority := self._again.pop(key, None)) is not None:
            self.add(key, priority)
        if self._waiting:
            self._wake()  # a key of the same group may have waited for this end

    def close(self) -> None:
        """Wake every worker with `QueueClosed`; timers end."""
        self._closed = True
        for timer in self._timers.values():
            timer.cancel()
        self._timers.clear()
        self._held.clear()
        while self._sleepers:
            self._wake()

    def _begin(self, key: Key) -> None:
        self._active[key] = None
        self._held.discard(key)
        if self._pace:
            self._note(key)
        group = self._group(key)
        self._active_in[group] = self._active_in.get(group, 0) + 1
        if (timer := self._timers.pop(key, None)) is not None:
            timer.cancel()  # this pass is the look that the timer asked for

    def _note(self, key: Key) -> None:
        """Remember when a pass began, as long as that can matter."""
        now = asyncio.get_running_loop().time()
        if len(self._begun) > MOST_REMEMBERED:
            self._begun = {old: at for old, at in self._begun.items() if at + self._pace > now}
        self._begun[key] = now

    def _due(self, key: Key) -> None:
        self._timers.pop(key, None)
        self._held.discard(key)
        if key in self._active:
            self.add(key)
        else:  # the timer's moment was chosen by a pass, so it is not too soon
            self._enqueue(key, Priority.CHANGE)

    def _next(self) -> Key | None:
        order = list(Priority)
        if self._changes_in_a_row >= RESYNC_EVERY:
            order.reverse()
        for priority in order:
            if (key := self._take(priority)) is not None:
                return key
        return None

    def _take(self, priority: Priority) -> Key | None:
        lane = self._lanes[priority]
        while lane:
            group = min(lane, key=lambda name: self._active_in.get(name, 0))
            if self._at_once is not None and self._active_in.get(group, 0) >= self._at_once:
                return None
            line = lane.pop(group)
            key = line.popleft()
            if line:
                lane[group] = line  # at the end: the others come first now
            known = self._waiting.get(key)
            if known is not None and known[0] is priority:  # else promoted to another lane
                return key
        return None

    async def _sleep(self) -> None:
        sleeper = asyncio.get_running_loop().create_future()
        self._sleepers.append(sleeper)
        try:
            await sleeper
        except asyncio.CancelledError:
            if sleeper.done() and not sleeper.cancelled():
                self._wake()  # the call that was meant for us goes to another worker
            elif sleeper in self._sleepers:
                self._sleepers.remove(sleeper)
            raise

    def _wake(self) -> None:
        while self._sleepers:
            sleeper = self._sleepers.popleft()
            if not sleeper.done():
                sleeper.set_result(None)
                return
