"""The queue: no key twice, none lost, one pass at a time, changes first, clusters in turn."""

import asyncio
import random
from collections.abc import Callable, Coroutine
from typing import Any

import pytest
from tests.lib import virtual

from hypershift.kit import Key
from hypershift.runtime.queue import LONGEST_RETRY, Priority, QueueClosed, WorkQueue

A, B, C = Key("north", "a"), Key("north", "b"), Key("south", "c")


def play(story: Callable[[WorkQueue], Coroutine[Any, Any, None]]) -> None:
    async def main() -> None:
        rng = random.Random(0)  # noqa: S311 (tests repeat themselves)
        await story(WorkQueue(group=lambda key: key.namespace, rng=rng))

    virtual.run(main())


async def drain(queue: WorkQueue) -> list[Key]:
    keys = []
    while len(queue):
        key, _ = await queue.get()
        keys.append(key)
        queue.done(key)
    return keys


def test_a_key_waits_once() -> None:
    async def story(queue: WorkQueue) -> None:
        for _ in range(3):
            queue.add(A)
        assert await drain(queue) == [A]

    play(story)


def test_a_key_under_way_gets_another_pass_after_it() -> None:
    async def story(queue: WorkQueue) -> None:
        queue.add(A)
        key, _ = await queue.get()
        queue.add(A)
        queue.add(A)
        assert len(queue) == 0
        queue.done(key)
        assert await drain(queue) == [A]

    play(story)


def test_changes_come_before_resyncs_and_promote_them() -> None:
    async def story(queue: WorkQueue) -> None:
        queue.add(A, Priority.RESYNC)
        queue.add(B, Priority.RESYNC)
        queue.add(B, Priority.CHANGE)
        queue.add(B, Priority.RESYNC)
        assert await drain(queue) == [B, A]

    play(story)


def test_resyncs_are_not_starved() -> None:
    async def story(queue: WorkQueue) -> None:
        queue.add(A, Priority.RESYNC)
        served = []
        for number in range(20):
            queue.add(Key("north", f"busy-{number}"))
            key, _ = await queue.get()
            queue.done(key)
            served.append(key)
        assert A in served

    play(story)


def test_clusters_take_turns() -> None:
    async def story(queue: WorkQueue) -> None:
        for number in range(5):
            queue.add(Key("big", str(number)))
        queue.add(Key("small", "x"))
        order = [key.namespace for key in await drain(queue)]
        assert order.index("small") <= 1

    play(story)


def test_a_cluster_that_holds_workers_comes_after_one_that_holds_none() -> None:
    async def story(queue: WorkQueue) -> None:
        for number in range(4):
            queue.add(Key("slow", str(number)))
        await queue.get()
        await queue.get()
        queue.add(Key("quick", "x"))
        key, _ = await queue.get()
        assert key.namespace == "quick"

    play(story)


def test_the_earliest_timer_of_a_key_counts() -> None:
    async def story(queue: WorkQueue) -> None:
        loop = asyncio.get_running_loop()
        queue.add_after(A, 10)
        queue.add_after(A, 30)
        queue.add_after(B, 30)
        queue.add_after(B, 5)
        assert [(await queue.get())[0], loop.time()] == [B, 5]
        assert [(await queue.get())[0], loop.time()] == [A, 10]

    play(story)


def test_a_pass_makes_its_timer_unnecessary() -> None:
    async def story(queue: WorkQueue) -> None:
        queue.add_after(A, 10)
        queue.add(A)
        key, _ = await queue.get()
        queue.done(key)
        await asyncio.sleep(60)
        assert len(queue) == 0

    play(story)


def test_failures_wait_longer_each_time_until_one_succeeds() -> None:
    async def story(queue: WorkQueue) -> None:
        delays = [queue.retry(A) for _ in range(12)]
        assert delays[0] < 0.5
        assert delays[1] > delays[0]
        assert max(delays) <= LONGEST_RETRY * 1.2
        assert delays[-1] > LONGEST_RETRY * 0.7
        queue.forget(A)
        assert queue.retry(A) < 0.5

    play(story)


def test_closing_wakes_everybody_and_takes_nothing_more() -> None:
    async def story(queue: WorkQueue) -> None:
        workers = [asyncio.create_task(queue.get()) for _ in range(3)]
        await asyncio.sleep(0)
        queue.close()
        results = await asyncio.gather(*workers, return_exceptions=True)
        assert all(isinstance(one, QueueClosed) for one in results)
        queue.add(A)
        assert len(queue) == 0
        with pytest.raises(QueueClosed):
            await queue.get()

    play(story)


def test_a_worker_that_is_cancelled_hands_its_call_on() -> None:
    async def story(queue: WorkQueue) -> None:
        first = asyncio.create_task(queue.get())
        second = asyncio.create_task(queue.get())
        await asyncio.sleep(0)
        queue.add(A)
        first.cancel()
        assert (await second)[0] == A

    play(story)


def test_waiting_time_is_told() -> None:
    async def story(queue: WorkQueue) -> None:
        queue.add(A)
        await asyncio.sleep(3)
        assert await queue.get() == (A, 3)

    play(story)


def paced(story: Callable[[WorkQueue], Coroutine[Any, Any, None]]) -> None:
    """A story of a queue whose keys have a pass a second."""

    async def main() -> None:
        rng = random.Random(0)  # noqa: S311 (tests repeat themselves)
        await story(WorkQueue(group=lambda key: key.namespace, rng=rng, pace=1.0))

    virtual.run(main())


async def next_at(queue: WorkQueue) -> float:
    """When the next key is given out."""
    key, _ = await queue.get()
    queue.done(key)
    return asyncio.get_running_loop().time()


def test_changes_of_a_moment_are_one_pass() -> None:
    async def story(queue: WorkQueue) -> None:
        queue.add(A)
        began = await next_at(queue)
        await asyncio.sleep(0.2)
        for _ in range(3):
            queue.add(A)
        assert not queue.idle
        assert await next_at(queue) == began + 1.0
        assert queue.idle

    paced(story)


def test_a_change_while_a_pass_is_under_way_keeps_the_pace_too() -> None:
    async def story(queue: WorkQueue) -> None:
        queue.add(A)
        key, _ = await queue.get()
        began = asyncio.get_running_loop().time()
        queue.add(A)
        queue.done(key)
        assert await next_at(queue) == began + 1.0

    paced(story)


def test_what_is_urgent_overtakes_its_pace_and_is_not_done_twice() -> None:
    async def story(queue: WorkQueue) -> None:
        queue.add(A)
        began = await next_at(queue)
        queue.add(A)
        queue.add(A, Priority.URGENT)
        assert await next_at(queue) == began
        await asyncio.sleep(5)
        assert queue.idle
        assert len(queue) == 0

    paced(story)


def test_a_retry_and_a_later_look_come_at_their_own_time() -> None:
    async def story(queue: WorkQueue) -> None:
        queue.add(A)
        began = await next_at(queue)
        queue.add_after(A, 0.1)
        assert await next_at(queue) == pytest.approx(began + 0.1)
        queue.add(A)
        queue.add(B)  # another key has its own
        assert await next_at(queue) == pytest.approx(began + 0.1)

    paced(story)
