"""Virtual time: sleeps cost nothing, order is exact, deadlocks are found."""

import asyncio
import time

import pytest

from hypershift.testing import virtual


def test_a_day_passes_at_once_and_in_order() -> None:
    order: list[str] = []

    async def wait(name: str, seconds: float) -> None:
        await asyncio.sleep(seconds)
        order.append(name)

    async def main() -> float:
        await asyncio.gather(wait("b", 86_400), wait("a", 3_600))
        return asyncio.get_running_loop().time()

    started = time.monotonic()
    assert virtual.run(main()) == 86_400
    assert time.monotonic() - started < 5
    assert order == ["a", "b"]


def test_waiting_for_nothing_is_a_deadlock() -> None:
    async def main() -> None:
        await asyncio.get_running_loop().create_future()

    with pytest.raises(virtual.Deadlock):
        virtual.run(main())


def test_the_wall_clock_jumps_and_the_other_one_does_not() -> None:
    async def main() -> None:
        clock = virtual.VirtualClock()
        before = clock.now()
        clock.jump(-3600)
        await clock.sleep(1)
        assert (clock.now() - before).total_seconds() == -3599
        assert clock.monotonic() == 1

    virtual.run(main())
