"""Answers that are remembered for a while."""

import asyncio
import weakref

import pytest

from hypershift.kit import SystemClock
from hypershift.servers.ignition.memory import Memory


class Clock(SystemClock):
    """A clock that stands still until somebody moves it."""

    time = 0.0

    def monotonic(self) -> float:
        return self.time


class Answer:
    """Something that can be seen to go."""


async def answer() -> Answer:
    return Answer()


async def test_an_answer_is_made_once_while_it_is_young() -> None:
    clock = Clock()
    memory: Memory[Answer] = Memory(clock, seconds=10)
    first = await memory.get("a", answer)
    clock.time = 9
    assert await memory.get("a", answer) is first
    clock.time = 10
    assert await memory.get("a", answer) is not first


async def test_those_who_ask_at_a_time_get_one_answer() -> None:
    memory: Memory[Answer] = Memory(Clock(), seconds=10)
    one, two = await asyncio.gather(memory.get("a", answer), memory.get("a", answer))
    assert one is two


async def test_an_error_is_not_remembered() -> None:
    async def fail() -> Answer:
        raise LookupError

    memory: Memory[Answer] = Memory(Clock(), seconds=10)
    with pytest.raises(LookupError):
        await memory.get("a", fail)
    assert isinstance(await memory.get("a", answer), Answer)


@pytest.mark.parametrize(("seconds", "limit"), [(10, 100), (100, 1)])
async def test_what_is_old_or_too_much_is_let_go_when_others_come(
    seconds: float, limit: int
) -> None:
    clock = Clock()
    memory: Memory[Answer] = Memory(clock, seconds, limit)
    old = weakref.ref(await memory.get("old", answer))
    assert old() is not None
    clock.time = 50
    await memory.get("young", answer)
    assert old() is None


async def test_an_answer_made_anew_does_not_keep_older_ones() -> None:
    clock = Clock()
    memory: Memory[Answer] = Memory(clock, seconds=10)
    made = {}
    for clock.time, key in ((0, "a"), (5, "b"), (12, "a"), (16, "c")):
        made[key] = weakref.ref(await memory.get(key, answer))
    assert [key for key, each in made.items() if each() is not None] == ["a", "c"]
