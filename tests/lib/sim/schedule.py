"""Schedules: a seed is a whole story with its faults, told the same way every time.

faults and users ──► quiet ──► as the shops say? ──► new processes write nothing ──► all deleted
"""

import asyncio
import gc
import logging
import sys
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import structlog
from tests.lib import virtual
from tests.lib.sim import sample, shops
from tests.lib.sim import sharded as sharing
from tests.lib.sim.faults import SHARED, USUAL, Fault, drawn
from tests.lib.sim.world import World, stream

from hypershift.runtime import Controller

T = TypeVar("T")

STORY = 30.0
#: Longer than the longest retry after the longest partition, so that quiet means finished.
QUIET = 80.0
PATIENCE = 1500.0
ACTS = 10
MOST_FAULTS = 8

Make = Callable[[], Controller[Any]]


@dataclass(frozen=True, slots=True)
class Result:
    """How a schedule went: what was wrong, and the trace of what happened."""

    seed: int
    faults: tuple[Fault, ...]
    complaints: tuple[str, ...]
    trace: str
    digest: str
    sharded: bool = False

    @property
    def passed(self) -> bool:
        """Whether everything was as it must be."""
        return not self.complaints


def faults_of(seed: int, *, sharded: bool = False) -> tuple[Fault, ...]:
    """The faults that a seed stands for."""
    processes = processes_of(seed, sharded=sharded)
    return drawn(
        stream(seed, "faults"),
        until=STORY,
        processes=processes,
        most=MOST_FAULTS,
        kinds=USUAL if processes == 1 else SHARED,
    )


def processes_of(seed: int, *, sharded: bool = False) -> int:
    """Every fourth schedule has two processes that elect a leader."""
    return sharing.PROCESSES if sharded else 2 if seed % 4 == 0 else 1


def run(
    seed: int,
    make: Make = sample.controller,
    faults: Sequence[Fault] | None = None,
    *,
    sharded: bool = False,
) -> Result:
    """Play one schedule in virtual time; `sharded`: by processes that share the shops."""
    chosen = faults_of(seed, sharded=sharded) if faults is None else tuple(faults)
    with quiet_logs(), no_collection():
        play = _play_sharded(seed, make, chosen) if sharded else _play(seed, make, chosen)
        world, wrong = virtual.run(play)
    return Result(seed, chosen, tuple(wrong), world.trace.text(), world.trace.digest(), sharded)


async def _play(seed: int, make: Make, faults: tuple[Fault, ...]) -> tuple[World, list[str]]:
    world = World(seed, lambda: [make()], faults, processes=processes_of(seed))
    return world, [complaint async for complaint in _story(world)]


async def _play_sharded(
    seed: int, make: Make, faults: tuple[Fault, ...]
) -> tuple[World, list[str]]:
    def controllers() -> list[Controller[Any]]:
        return [replace(make(), cluster=sharing.cluster)]

    witness = sharing.OneWriter()
    world = World(
        seed, controllers, faults, processes=sharing.PROCESSES, sharded=True, witness=witness
    )
    witness.server = world.server
    wrong = [complaint async for complaint in _story(world)]
    return world, [*witness.violations, *wrong]


async def _story(world: World) -> AsyncIterator[str]:
    world.count_leases()
    for resource in (sample.SHOP, sample.WORKER):
        world.server.catalog.add(resource)
    watchman = shops.Watchman(world.server)
    user = shops.User(world.client("user"), world.stream("user"), watchman)
    await user.prepare()
    world.start()
    world.spawn(
        shops.host_workers(world.server, world.client("node"), world.stream("node")), "node"
    )
    try:
        async for complaint in _acts(world, user):
            yield complaint
    finally:
        await world.stop()
    for violation in watchman.violations:
        yield violation


async def _acts(world: World, user: shops.User) -> AsyncIterator[str]:
    await user.live(STORY, ACTS)
    await asyncio.sleep(STORY - min(STORY, asyncio.get_running_loop().time()))
    if not await world.settle(quiet=QUIET, most=PATIENCE):
        yield "the world never came to rest"
        return
    for complaint in shops.complaints(world.server):
        yield f"after the story: {complaint}"
    for complaint in sharing.complaints(world.server) if world.sharded else ():
        yield f"after the story: {complaint}"
    if written := await world.second_look(QUIET):
        yield f"a second pass wrote {written} times"
    await user.close_all()
    if not await world.settle(quiet=QUIET, most=PATIENCE):
        yield "the deletion never came to rest"
    for complaint in shops.complaints(world.server):
        yield f"after the deletion: {complaint}"
    if left := world.server.all(sample.SHOP):
        yield f"{len(left)} shops are left after the deletion"


def shrink(result: Result, make: Make = sample.controller) -> Result:
    """The same failure with as few faults as possible."""
    best = result
    for size in _halves(len(best.faults)):
        start = 0
        while start < len(best.faults):
            fewer = best.faults[:start] + best.faults[start + size :]
            attempt = run(best.seed, make, fewer, sharded=best.sharded)
            if attempt.passed:
                start += size
            else:
                best = attempt
    return best


def _halves(size: int) -> Iterator[int]:
    while size > 0:
        yield size
        size //= 2


def explain(result: Result) -> str:
    """What failed, with which faults, and the command that plays it again."""
    lines = [f"seed {result.seed} failed:"]
    lines += [f"  {complaint}" for complaint in result.complaints]
    lines += ["with these faults:", *(f"  {fault}" for fault in result.faults)]
    how = " --sharded" if result.sharded else ""
    lines.append(f"replay: python -m tests.lib.sim --seed {result.seed}{how} --trace")
    return "\n".join(lines)


@contextmanager
def no_collection() -> Iterator[None]:
    """Let the garbage of a schedule lie until it has been played."""
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


class quiet_logs:  # noqa: N801 (used like a function)
    """Thousands of schedules need no log lines; a trace tells more."""

    def __enter__(self) -> None:
        self._before = structlog.get_config()
        structlog.configure(
            processors=[_drop],
            wrapper_class=structlog.make_filtering_bound_logger(logging.CRITICAL),
            logger_factory=structlog.ReturnLoggerFactory(),
        )

    def __exit__(self, *_: object) -> None:
        structlog.configure(**self._before)


def run_quietly(main: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine in virtual time, without log lines."""
    with quiet_logs():
        return virtual.run(main)


def _drop(*_: Any) -> Any:
    raise structlog.DropEvent


def main(arguments: Sequence[str] | None = None) -> int:
    """Play seeds from the command line."""
    import argparse  # noqa: PLC0415 (the command line alone needs it)

    parser = argparse.ArgumentParser(description="Play schedules of the sample operator.")
    parser.add_argument("--seed", type=int, default=0, help="the first seed")
    parser.add_argument("--count", type=int, default=1, help="how many seeds")
    parser.add_argument("--trace", action="store_true", help="print what happened")
    parser.add_argument("--sharded", action="store_true", help="processes share the shops")
    chosen = parser.parse_args(arguments)
    failed = 0
    for seed in range(chosen.seed, chosen.seed + chosen.count):
        result = run(seed, sharded=chosen.sharded)
        if chosen.trace:
            sys.stdout.write(result.trace)
        if not result.passed:
            failed += 1
            sys.stdout.write(explain(shrink(result)) + "\n")
    sys.stdout.write(f"{chosen.count - failed} of {chosen.count} seeds passed\n")
    return 1 if failed else 0
