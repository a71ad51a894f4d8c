"""An event loop whose time jumps: a sleep of an hour costs nothing, and order never varies."""

import asyncio
import selectors
from collections.abc import Coroutine
from contextvars import ContextVar, copy_context
from datetime import UTC, datetime, timedelta
from heapq import heappop
from typing import Any, TypeVar

T = TypeVar("T")

EPOCH = datetime(2030, 1, 1, tzinfo=UTC)


#: Which simulated process the running code belongs to; empty for the world around them.
PROCESS: ContextVar[str] = ContextVar("process", default="")


class Deadlock(Exception):
    """Everybody waits and nothing will ever happen."""


class _NoFiles(selectors.BaseSelector):
    """A selector of no files: nobody ever waits for one."""

    def select(self, timeout: float | None = None) -> list[Any]:
        del timeout
        return []

    def register(self, *_: Any, **__: Any) -> Any:
        raise NotImplementedError("the simulation has no files")

    def unregister(self, *_: Any, **__: Any) -> Any:
        raise NotImplementedError("the simulation has no files")

    def get_map(self) -> Any:
        return {}


class VirtualLoop(asyncio.SelectorEventLoop):
    """Runs callbacks in the order in which they are due, without ever waiting."""

    def __init__(self) -> None:
        """Start at second zero."""
        self._now = 0.0
        self._frozen: dict[str, list[asyncio.Handle]] = {}
        super().__init__(_NoFiles())

    def time(self) -> float:
        return self._now

    def _run_once(self) -> None:
        """Run what is due; when nothing is, jump to what is due next.

        The base class asks a selector, a clock and a resolution each time: half of a schedule.
        """
        ready, scheduled = self._ready, self._scheduled
        if not ready:
            while scheduled and scheduled[0]._cancelled:  # noqa: SLF001 (the loop's own handles)
                heappop(scheduled)._scheduled = False  # noqa: SLF001
            if not scheduled:
                raise Deadlock("no timer and no task can run")
            self._now = max(self._now, scheduled[0].when())
        now = self._now
        while scheduled and scheduled[0]._when <= now:  # noqa: SLF001
            handle = heappop(scheduled)
            handle._scheduled = False  # noqa: SLF001
            if not handle._cancelled:  # noqa: SLF001
                ready.append(handle)
        for _ in range(len(ready)):
            handle = ready.popleft()
            if not handle._cancelled:  # noqa: SLF001
                handle._run()  # noqa: SLF001

    def freeze(self, process: str) -> None:
        """Stop a process between two of its steps, as SIGSTOP does; time goes on without it."""
        self._frozen.setdefault(process, [])
        self.__dict__["call_soon"] = self._call_soon_unless_frozen

    def thaw(self, process: str) -> None:
        """Let it go on where it stopped, late for everything."""
        held = self._frozen.pop(process, [])
        if not self._frozen:
            self.__dict__.pop("call_soon", None)
        for handle in held:
            if not handle.cancelled():
                self._ready.append(handle)

    def _call_soon_unless_frozen(
        self, callback: Any, *args: Any, context: Any = None
    ) -> asyncio.Handle:
        process = (context or copy_context()).get(PROCESS, "")
        if process not in self._frozen:
            return super().call_soon(callback, *args, context=context)
        handle = asyncio.Handle(callback, args, self, context)
        self._frozen[process].append(handle)
        return handle

    _ready: Any  # the base class's queue of what runs next
    _scheduled: Any  # and its heap of what is due later

    def _make_self_pipe(self) -> None:
        """No other thread ever wakes this loop."""

    def _close_self_pipe(self) -> None:
        """See `_make_self_pipe`."""

    def _write_to_self(self) -> None:
        """See `_make_self_pipe`."""


class VirtualClock:
    """The loop's time as a `Clock`; the wall clock may jump, the monotonic one does not."""

    def __init__(self) -> None:
        """Agree with the loop until somebody calls `jump`."""
        self._offset = timedelta(0)

    def now(self) -> datetime:
        return EPOCH + timedelta(seconds=asyncio.get_running_loop().time()) + self._offset

    def monotonic(self) -> float:
        return asyncio.get_running_loop().time()

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)

    def jump(self, seconds: float) -> None:
        """Set the wall clock forwards or back."""
        self._offset += timedelta(seconds=seconds)


def run(main: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine in a new virtual loop, as `asyncio.run` does in a real one."""
    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        return runner.run(main)
