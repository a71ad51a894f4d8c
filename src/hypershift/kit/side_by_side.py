"""Do the same with many things at a time, but not with all of them."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from typing import TypeVar

T = TypeVar("T")
R = TypeVar("R")

#: Writes that reach an API server together are stored with one sync of its disk, so each costs
#: about half of what it would alone; more than these gain little.
AT_ONCE = 8


async def side_by_side(
    act: Callable[[T], Awaitable[R]], things: Iterable[T], at_once: int = AT_ONCE
) -> list[R]:
    """The answers in the order of the things; each is tried, then the first failure is raised."""
    places = asyncio.Semaphore(at_once)

    async def one(thing: T) -> R:
        async with places:
            return await act(thing)

    tasks = [asyncio.ensure_future(one(thing)) for thing in things]
    await asyncio.gather(*tasks, return_exceptions=True)
    return [task.result() for task in tasks]
