"""Remove what a cloud has of a cluster: look, remove what can go now, look again.

Each round starts from what is there, so a run that was stopped anywhere is simply repeated, and
objects that AWS and others remove slowly are waited for. A round removes in the order of the
removals; one that is `after` others waits for them, and is left for the next round when one of
them did not finish.
"""

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from hypershift.infra.apply import AT_ONCE, Progress
from hypershift.kit import Clock, TerminalError, TransientError

#: Seconds between two rounds.
ROUND_SECONDS = 5.0
#: Rounds in which nothing changes and all that is left is refused, before a run gives up.
PATIENCE = 3
#: How the reason begins when something only waits for others, of which a few are named.
BEHIND, MOST_NAMED = "waits for", 3

Cloud = TypeVar("Cloud")


@dataclass(frozen=True)
class Removal(Generic[Cloud]):
    """One thing that shall go: `act` removes it, and may find that it is gone.

    `log` is the line that reports it. `waits` names who removes it already: then nothing is done
    but to wait.
    """

    key: str
    text: str
    act: Callable[[Cloud], None]
    log: str = ""
    values: dict[str, str] = field(default_factory=dict)
    after: tuple[str, ...] = ()
    waits: str = ""


@dataclass(frozen=True)
class Found(Generic[Cloud]):
    """What one look found: what is to be removed, and what stands in the way of what."""

    removals: tuple[Removal[Cloud], ...]
    blockers: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Leftover:
    """One thing that is still there, and why."""

    text: str
    why: str


class Stuck(TerminalError):
    """Something could not be removed; `left` says what and why."""

    def __init__(self, left: Sequence[Leftover], blockers: Sequence[str], message: str) -> None:
        """Build one sentence from all that is left."""
        rows = [f"  {each.text}: {each.why}" for each in left]
        rows += [f"  in the way: {each}" for each in blockers]
        super().__init__("\n".join((message, *rows)))
        self.left = tuple(left)


async def destroy(
    cloud: Cloud,
    look: Callable[[], Found[Cloud]],
    *,
    log: Progress,
    clock: Clock,
    grace: float = 0.0,
) -> None:
    """Remove until a look finds nothing; `grace` limits the seconds, 0 means no limit."""
    deadline = clock.monotonic() + grace if grace else None
    threads = ThreadPoolExecutor(AT_ONCE, thread_name_prefix="infra")
    before: list[Leftover] = []
    same = 0
    try:
        while True:
            left, found, hopeless = await _round(cloud, look, log, threads)
            if not left and not found.removals:
                return
            if not left:
                continue  # a last look makes sure, and finds what appeared meanwhile
            same = same + 1 if hopeless and left == before else 0
            _give_up(left, found.blockers, deadline, clock, same)
            if left != before:
                for each in (each for each in left if not each.why.startswith(BEHIND)):
                    log("Waiting", what=each.text, why=each.why)
            before = left
            await clock.sleep(ROUND_SECONDS)
    finally:
        threads.shutdown(wait=False)


def _give_up(
    left: list[Leftover], blockers: tuple[str, ...], deadline: float | None, clock: Clock, same: int
) -> None:
    if deadline is not None and clock.monotonic() >= deadline:
        raise Stuck(left, blockers, "not everything could be removed in time; left are:")
    if same >= PATIENCE:
        raise Stuck(left, blockers, "not everything can be removed; left are:")


async def _round(
    cloud: Cloud,
    look: Callable[[], Found[Cloud]],
    log: Progress,
    threads: ThreadPoolExecutor,
) -> tuple[list[Leftover], Found[Cloud], bool]:
    """Look and remove once; what is left, and whether all of that was refused for good."""
    loop = asyncio.get_running_loop()
    try:
        found = await loop.run_in_executor(threads, look)
    except TransientError as error:
        return [Leftover("the account could not be looked at", str(error))], Found(()), False
    done: dict[str, asyncio.Task[Leftover | None]] = {}
    errors: dict[str, Exception] = {}

    async def remove(each: Removal[Cloud]) -> Leftover | None:
        waiting = [key for key in each.after if key in done and await done[key] is not None]
        if each.waits or waiting:
            return Leftover(each.text, each.waits or f"{BEHIND} {', '.join(waiting[:MOST_NAMED])}")
        try:
            await loop.run_in_executor(threads, each.act, cloud)
        except (TransientError, TerminalError) as error:
            errors[each.key] = error
            return Leftover(each.text, str(error))
        if each.log:
            log(each.log, **each.values)
        return None

    for each in found.removals:
        done[each.key] = asyncio.ensure_future(remove(each))
    outcomes = await asyncio.gather(*done.values())
    left = [each for each in outcomes if each is not None]
    waiting = any(each.waits for each in found.removals)
    refused = [error for error in errors.values() if isinstance(error, TerminalError)]
    hopeless = not waiting and bool(refused) and len(refused) == len(errors)
    return left, found, hopeless
