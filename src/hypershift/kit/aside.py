"""Parse users' documents in a thread, so that the event loop keeps serving other clusters."""

import asyncio
from collections.abc import Callable
from typing import Final, ParamSpec, TypeVar

from hypershift.kit.budget import KIBIBYTE

#: A thread costs more than the work on a text up to this size, which takes some milliseconds.
SMALL: Final = 16 * KIBIBYTE

P = ParamSpec("P")
T = TypeVar("T")


async def aside(size: int, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Call a pure function; in a thread when the text that it works on is long."""
    if size <= SMALL:
        return work(*args, **kwargs)
    return await asyncio.to_thread(work, *args, **kwargs)
