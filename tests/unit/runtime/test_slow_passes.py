"""A slow object costs its own time: others are served meanwhile, and its own group waits."""

import asyncio

from tests.lib.stage import Stage, play

from hypershift.kit import Key
from hypershift.kube import Resource
from hypershift.runtime import Controller, Done, Outcome, Scope

THING = Resource("test.io", "v1", "things", "Thing")


def test_slow_clusters_do_not_hold_up_others() -> None:
    """Four workers, eight clusters that answer after two minutes, sixteen that answer at once."""
    done: dict[str, float] = {}

    async def act(scope: Scope) -> Outcome:
        if scope.key.name.startswith("slow"):
            await asyncio.sleep(120)
        done[scope.key.name] = asyncio.get_running_loop().time()
        return Done()

    async def story(stage: Stage) -> None:
        stage.manage(
            Controller(
                name="thing",
                resource=THING,
                scope=Scope,
                normal=(act,),
                group=lambda key: key.name,
                manages_status=False,
            )
        )
        for number in range(8):
            await stage.create(THING, f"slow-{number}")
        await asyncio.sleep(5)
        began = asyncio.get_running_loop().time()
        for number in range(16):
            await stage.create(THING, f"quick-{number}")
        await asyncio.sleep(5)
        assert sum(name.startswith("quick") for name in done) == 16
        assert max(done.values()) - began < 1.0
        await asyncio.sleep(300)
        assert len(done) == 24

    play(story, kinds=[THING])


def test_a_group_never_has_more_passes_than_workers() -> None:
    running, most = 0, 0

    async def act(scope: Scope) -> Outcome:
        nonlocal running, most
        del scope
        running += 1
        most = max(most, running)
        await asyncio.sleep(10)
        running -= 1
        return Done()

    async def story(stage: Stage) -> None:
        manager = stage.manage(
            Controller(
                name="thing",
                resource=THING,
                scope=Scope,
                normal=(act,),
                workers=2,
                manages_status=False,
            )
        )
        for number in range(9):
            await stage.create(THING, f"t-{number}")
        await asyncio.sleep(100)
        assert (running, most) == (0, 2)
        assert manager.runners["thing"].queue.idle
        workers = [one for one in asyncio.all_tasks() if one.get_name() == "thing worker"]
        assert len(workers) == 2
        manager.runners["thing"].queue.add(Key("default", "t-1"))
        await asyncio.sleep(1)
        assert running == 1

    play(story, kinds=[THING])
