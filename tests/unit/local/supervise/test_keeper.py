import asyncio
import contextlib
import os
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from hypershift.local.supervise import process
from hypershift.local.supervise.journal import Journal
from hypershift.local.supervise.keeper import LONGEST_DELAY, Keeper, delay, describe
from hypershift.local.units import Unit


def a_keeper(tmp_path: Path, *argv: str) -> Keeper:
    return Keeper(Unit("unit", argv), tmp_path, tmp_path, Journal(tmp_path / "events"))


@asynccontextmanager
async def kept(keeper: Keeper) -> AsyncIterator[None]:
    task = asyncio.create_task(keeper.run())
    try:
        await asyncio.wait_for(keeper.ready.wait(), 5)
        yield
    finally:
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task


async def cleanup(keeper: Keeper) -> None:
    if keeper.process is not None:
        await keeper.process.stop(signal.SIGKILL)


async def test_a_unit_that_is_killed_comes_back(tmp_path: Path) -> None:
    keeper = a_keeper(tmp_path, "sleep", "60")
    async with kept(keeper):
        first = keeper.process
        assert first is not None
        os.kill(first.pid, signal.SIGKILL)
        async with asyncio.timeout(5):
            while keeper.process is first or not keeper.ready.is_set():  # noqa: ASYNC110 - no event for it
                await asyncio.sleep(0.02)
        assert keeper.restarts == 1
        assert describe(keeper, 0)["state"] == "ready"
    await cleanup(keeper)


async def test_a_new_keeper_adopts_what_the_old_one_left(tmp_path: Path) -> None:
    old, new = a_keeper(tmp_path, "sleep", "60"), a_keeper(tmp_path, "sleep", "60")
    async with kept(old):
        pass
    assert old.process is not None
    assert old.process.alive
    async with kept(new):
        assert new.process == old.process
    await cleanup(new)


async def test_a_unit_whose_command_changed_is_started_anew(tmp_path: Path) -> None:
    old, new = a_keeper(tmp_path, "sleep", "60"), a_keeper(tmp_path, "sleep", "61")
    async with kept(old):
        pass
    async with kept(new):
        assert old.process is not None
        assert not old.process.alive
        assert process.recall(new.record) == new.process
    await cleanup(new)


async def test_a_unit_waits_for_those_it_needs(tmp_path: Path) -> None:
    keeper, need = a_keeper(tmp_path, "sleep", "60"), asyncio.Event()
    task = asyncio.create_task(keeper.run((need,)))
    await asyncio.sleep(0.1)
    assert keeper.process is None
    need.set()
    await asyncio.wait_for(keeper.ready.wait(), 5)
    task.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await task
    await cleanup(keeper)


@given(st.integers(min_value=0, max_value=10**6))
def test_the_delay_grows_and_is_bounded(failures: int) -> None:
    assert 0 < delay(failures) <= delay(failures + 1) <= LONGEST_DELAY
