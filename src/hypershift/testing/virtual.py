"""An event loop whose time jumps: a sleep of an hour costs nothing, and order never varies."""

import asyncio
import selectors
from collections.abc import Coroutine
from contextvars import ContextVar, copy_context
from datetime import UTC, datetime, timedelta
from typing import Any, TypeVar

T = TypeVar("T")

EPOCH = datetime(2030, 1, 1, tzinfo=UTC)


#: Which simulated process the running code belongs to; empty for the world around them.
PROCESS: ContextVar[str] = ContextVar("process", default="")


class Deadlock(Exception):
    """Everybody waits and nothing will ever happen."""


class _NoFiles(selectors.BaseSelector):
    """A selector of no files: to wait is to move the clock."""

    def __init__(self) -> None:
        self.now = 0.0

    def select(self, timeout: float | None = None) -> list[Any]:
        if timeout is None:
            raise Deadlock("no timer and no task can run")
        self.now += max(timeout, 0.0)
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
        self._files = _NoFiles()
        self._frozen: dict[str, list[asyncio.Handle]] = {}
        super().__init__(self._files)

    def time(self) -> float:
        return self._files.now

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
