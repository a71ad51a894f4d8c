"""Many at a time, but not all."""

import asyncio

import pytest

from hypershift.kit import side_by_side


async def test_answers_come_in_order_and_no_more_run_than_asked_for() -> None:
    running, most = 0, 0

    async def act(thing: int) -> int:
        nonlocal running, most
        running += 1
        most = max(most, running)
        await asyncio.sleep(0.001 * (5 - thing % 5))
        running -= 1
        return thing * 2

    assert await side_by_side(act, range(20), at_once=4) == [thing * 2 for thing in range(20)]
    assert most == 4


async def test_each_is_tried_before_the_first_failure_is_raised() -> None:
    tried: list[int] = []

    async def act(thing: int) -> None:
        tried.append(thing)
        if thing % 3 == 1:
            raise ValueError(f"thing {thing}")

    with pytest.raises(ValueError, match="thing 1"):
        await side_by_side(act, range(6), at_once=2)
    assert sorted(tried) == [0, 1, 2, 3, 4, 5]


async def test_whoever_is_cancelled_leaves_nothing_running() -> None:
    ended: list[int] = []

    async def act(thing: int) -> None:
        try:
            await asyncio.sleep(60)
        finally:
            ended.append(thing)

    working = asyncio.create_task(side_by_side(act, range(5), at_once=2))
    await asyncio.sleep(0.01)
    working.cancel()
    with pytest.raises(asyncio.CancelledError):
        await working
    assert ended == [0, 1]
