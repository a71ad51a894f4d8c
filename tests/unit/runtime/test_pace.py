"""A controller's pace: changes of a while are one pass, and some do not wait."""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import timedelta

from tests.lib.stage import Stage, play

from hypershift.kube import Resource, kinds
from hypershift.kube.cache import Change
from hypershift.runtime import Controller, Done, Outcome, Scope, Watch, mapping

THING = Resource("test.io", "v1", "things", "Thing")
PACE = 10.0
SOON = 1.0

Passes = list[float]


def is_loud(change: Change) -> bool:
    return bool(change.new and (change.new.get("data") or {}).get("loud"))


def is_heard(change: Change) -> bool:
    return not (change.new and (change.new.get("data") or {}).get("whispered"))


def paced(story: Callable[[Stage, Passes], Awaitable[None]]) -> None:
    """A story of one thing that had its first pass this moment, and of a map of its name."""

    async def whole(stage: Stage) -> None:
        passes: Passes = []

        async def look(_: Scope) -> Outcome:
            passes.append(asyncio.get_running_loop().time())
            return Done()

        controller = Controller(
            name="things",
            resource=THING,
            scope=Scope,
            normal=(look,),
            manages_status=False,
            watches=(Watch(kinds.CONFIG_MAP, mapping.itself, wakes=is_heard, urgent=is_loud),),
            pace=timedelta(seconds=PACE),
        )
        await stage.create(kinds.CONFIG_MAP, "a")
        stage.manage(controller)
        await asyncio.sleep(2 * PACE)
        await stage.create(THING, "a")
        await asyncio.sleep(SOON)
        passes.clear()
        await story(stage, passes)

    play(whole, kinds=[THING])


async def say(stage: Stage, **words: str) -> None:
    await stage.user.patch(kinds.CONFIG_MAP, "a", {"data": words}, "default")


def test_changes_of_a_while_are_one_pass() -> None:
    async def story(stage: Stage, passes: Passes) -> None:
        for number in range(5):
            await say(stage, word=str(number))
            await asyncio.sleep(SOON)
        assert passes == []
        await asyncio.sleep(2 * PACE)
        assert len(passes) == 1

    paced(story)


def test_what_is_urgent_does_not_wait() -> None:
    async def story(stage: Stage, passes: Passes) -> None:
        await say(stage, loud="yes")
        await asyncio.sleep(SOON)
        assert len(passes) == 1

    paced(story)


def test_what_matters_to_nobody_wakes_nobody() -> None:
    async def story(stage: Stage, passes: Passes) -> None:
        await asyncio.sleep(2 * PACE)
        await say(stage, whispered="yes")
        await asyncio.sleep(2 * PACE)
        assert passes == []

    paced(story)


def test_the_end_of_an_object_does_not_wait() -> None:
    async def story(stage: Stage, passes: Passes) -> None:
        await stage.user.delete(kinds.CONFIG_MAP, "a", "default")
        await asyncio.sleep(SOON)
        assert len(passes) == 1

    paced(story)


def test_a_new_declaration_does_not_wait() -> None:
    async def story(stage: Stage, passes: Passes) -> None:
        await stage.user.patch(THING, "a", {"spec": {"size": 2}}, "default")
        await asyncio.sleep(SOON)
        assert len(passes) == 1

    paced(story)


def test_a_change_after_a_while_does_not_wait() -> None:
    async def story(stage: Stage, passes: Passes) -> None:
        await asyncio.sleep(2 * PACE)
        await say(stage, word="late")
        await asyncio.sleep(SOON)
        assert len(passes) == 1

    paced(story)
