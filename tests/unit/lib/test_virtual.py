"""Virtual time: sleeps cost nothing, order is exact, deadlocks are found."""

import asyncio
import time

import pytest
from tests.lib import virtual


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


def test_a_frozen_process_stops_between_two_steps_and_goes_on_late() -> None:
    async def main() -> dict[str, list[float]]:
        loop = asyncio.get_running_loop()
        assert isinstance(loop, virtual.VirtualLoop)
        ticks: dict[str, list[float]] = {"one": [], "two": []}

        async def tick(name: str) -> None:
            virtual.PROCESS.set(name)
            for _ in range(4):
                await asyncio.sleep(1)
                ticks[name].append(loop.time())

        tasks = [asyncio.create_task(tick(name)) for name in ticks]
        await asyncio.sleep(1.5)
        loop.freeze("one")
        await asyncio.sleep(10)
        loop.thaw("one")
        await asyncio.gather(*tasks)
        return ticks

    assert virtual.run(main()) == {"one": [1.0, 11.5, 12.5, 13.5], "two": [1.0, 2.0, 3.0, 4.0]}
