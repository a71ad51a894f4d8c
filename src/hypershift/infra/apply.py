"""Apply a plan: independent steps side by side, each repeated after faults that pass.

A step whose outcome is unknown (an answer was lost) is looked for before it is made again, so that
nothing exists twice. The first failure that repeating cannot cure ends the run: steps under way
finish, no further one begins, and the next run continues with what is missing then.
"""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Generic, Protocol, TypeVar

from hypershift.infra.plan import Ids, Piece, Plan
from hypershift.kit import Clock, HypershiftError, TerminalError, TransientError

ATTEMPTS = 11
#: Seconds between attempts: the first pause, and the longest.
FIRST_PAUSE, LONGEST_PAUSE = 1.0, 15.0
#: Steps under way at one time: as many as a network in three zones has that need nothing more.
AT_ONCE = 20

World = TypeVar("World")
Cloud = TypeVar("Cloud")
T = TypeVar("T")


class Progress(Protocol):
    """Told of every object: one line with its id."""

    def __call__(self, message: str, /, **values: str) -> None:
        """Say what was made, found or removed."""


def pause(attempt: int) -> float:
    """Seconds before the next attempt: doubling up to a limit."""
    return min(FIRST_PAUSE * 2.0**attempt, LONGEST_PAUSE)


class _Run(Generic[World, Cloud]):
    """One run of a plan."""

    def __init__(
        self, cloud: Cloud, look: Callable[[], World], log: Progress, clock: Clock, ids: Ids
    ) -> None:
        self.cloud = cloud
        self.look = look
        self.log = log
        self.clock = clock
        self.ids = dict(ids)
        self.places = asyncio.Semaphore(AT_ONCE)
        self.threads = ThreadPoolExecutor(AT_ONCE, thread_name_prefix="infra")
        self.failed = False

    async def aside(self, work: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self.threads, work)

    async def step(self, piece: Piece[World, Cloud], before: list["asyncio.Task[bool]"]) -> bool:
        """Make one piece when all it needs is there; True if it was made."""
        if not all([await task for task in before]) or self.failed:
            return False
        async with self.places:
            try:
                identity = await self.made(piece)
            except BaseException:
                self.failed = True
                raise
        self.ids[piece.key] = identity
        message, values = piece.log(identity, self.ids)
        self.log(message, **values)
        return True

    async def made(self, piece: Piece[World, Cloud]) -> str:
        for attempt in range(ATTEMPTS):
            try:
                if attempt:
                    world = await self.aside(self.look)
                    if (found := piece.find(world, self.ids)) is not None:
                        return found
                return await self.aside(lambda: piece.make(self.cloud, self.ids))
            except TransientError:
                if attempt == ATTEMPTS - 1:
                    raise
                await self.clock.sleep(pause(attempt))
        raise AssertionError("unreachable")  # pragma: no cover


async def apply(
    wanted: Plan[World, Cloud],
    cloud: Cloud,
    look: Callable[[], World],
    *,
    log: Progress,
    clock: Clock,
) -> Ids:
    """Make what a plan says is missing; give the ids of everything."""
    run = _Run(cloud, look, log, clock, wanted.ids)
    tasks: dict[str, asyncio.Task[bool]] = {}
    for piece in wanted.steps:
        first = (*piece.needs, *piece.follows)
        before = [tasks[key] for key in first if key in tasks]
        tasks[piece.key] = asyncio.ensure_future(run.step(piece, before))
    try:
        await asyncio.gather(*tasks.values(), return_exceptions=True)
    finally:
        run.failed = True  # on Ctrl-C: what is under way finishes, nothing else begins
        run.threads.shutdown(wait=False)
    _complain(_own_errors(tasks))
    return run.ids


def _complain(errors: list[BaseException]) -> None:
    """Raise what went wrong; several refusals in one sentence each, all at once."""
    if not errors:
        return
    said = list(dict.fromkeys(str(error) for error in errors))
    if len(said) > 1 and all(isinstance(error, HypershiftError) for error in errors):
        raise TerminalError("\n".join(said))
    raise errors[0]


def _own_errors(tasks: "dict[str, asyncio.Task[bool]]") -> list[BaseException]:
    """Each failure once: a step that waits for a failed one fails with the same error."""
    found: dict[int, BaseException] = {}
    for task in tasks.values():
        if not task.cancelled() and (error := task.exception()) is not None:
            found.setdefault(id(error), error)
    return list(found.values())
