"""Managers: controllers come and go, missing kinds hold nobody up, the end is orderly."""

import asyncio
from collections import Counter
from datetime import timedelta

import pytest
from tests.lib.stage import Stage, play

from hypershift.kit import Manifest
from hypershift.kube import Resource, kinds
from hypershift.runtime import Controller, Done, Index, Outcome, Scope, Watch, mapping
from hypershift.runtime.queue import Priority

THING = Resource("test.io", "v1", "things", "Thing")
ABSENT = Resource("absent.io", "v1", "nothings", "Nothing")


async def mark(scope: Scope) -> Outcome:
    scope.status["seen"] = True
    return Done()


def a_controller(name: str = "thing", resource: Resource = THING) -> Controller[Scope]:
    return Controller(name=name, resource=resource, scope=Scope, normal=(mark,))


def seen(stage: Stage, name: str = "a") -> bool:
    found = stage.server.find(THING, name, "default")
    return bool(found and found.get("status", {}).get("seen"))


def test_a_kind_that_is_not_served_holds_up_its_own_controller_alone() -> None:
    async def story(stage: Stage) -> None:
        stage.manage(a_controller("absent", ABSENT), a_controller())
        await stage.create(THING, "a")
        await asyncio.sleep(10)
        assert seen(stage)

    play(story, kinds=[THING])


def test_controllers_come_and_go_while_others_run() -> None:
    async def story(stage: Stage) -> None:
        manager = stage.manage()
        await asyncio.sleep(1)
        manager.add(a_controller())
        await stage.create(THING, "a")
        await asyncio.sleep(5)
        assert seen(stage)
        await manager.remove("thing")
        assert stage.server.watches == {}
        await stage.create(THING, "b")
        await asyncio.sleep(5)
        assert not seen(stage, "b")

    play(story, kinds=[THING])


def test_two_controllers_of_one_name_are_refused() -> None:
    async def story(stage: Stage) -> None:
        manager = stage.manage(a_controller())
        await asyncio.sleep(1)
        with pytest.raises(ValueError, match="field manager"):
            manager.add(a_controller())

    play(story, kinds=[THING])


def test_the_end_waits_for_passes_under_way() -> None:
    async def slow(scope: Scope) -> Outcome:
        await asyncio.sleep(5)
        scope.status["seen"] = True
        return Done()

    async def story(stage: Stage) -> None:
        controller = Controller(name="thing", resource=THING, scope=Scope, normal=(slow,))
        manager = stage.manage(controller)
        await stage.create(THING, "a")
        await asyncio.sleep(1)
        await stage.stop(manager)
        assert seen(stage)
        assert stage.server.watches == {}

    play(story, kinds=[THING])


def test_a_resync_looks_at_everything_again() -> None:
    passes: list[str] = []

    async def look(scope: Scope) -> Outcome:
        passes.append(scope.key.name)
        return Done()

    async def story(stage: Stage) -> None:
        controller = Controller(
            name="thing", resource=THING, scope=Scope, normal=(look,), resync=timedelta(minutes=10)
        )
        stage.manage(controller)
        for name in ("a", "b"):
            await stage.create(THING, name)
        await asyncio.sleep(605)
        assert sorted(passes) == ["a", "a", "b", "b"]

    play(story, kinds=[THING])


def test_what_was_there_before_comes_after_what_changes_now() -> None:
    order: list[str] = []

    async def look(scope: Scope) -> Outcome:
        order.append(scope.key.name)
        await asyncio.sleep(1)
        return Done()

    async def story(stage: Stage) -> None:
        for number in range(5):
            await stage.create(THING, f"old-{number}")
        controller = Controller(
            name="thing", resource=THING, scope=Scope, normal=(look,), workers=1
        )
        manager = stage.manage(controller)
        await asyncio.sleep(1.5)
        await stage.create(THING, "new")
        await asyncio.sleep(10)
        assert order.index("new") < 4
        assert len(order) == 6
        assert Priority.CHANGE < Priority.RESYNC
        assert manager.runners["thing"].queue.idle

    play(story, kinds=[THING])


def test_an_object_that_ours_refer_to_wakes_them_through_an_index() -> None:
    async def story(stage: Stage) -> None:
        passes: Counter[str] = Counter()

        async def look(scope: Scope) -> Outcome:
            passes[scope.key.name] += 1
            return Done()

        def used(thing: Manifest) -> list[str]:
            return [f"default/{name}" for name in thing["spec"].get("uses") or ()]

        controller = Controller(
            name="things",
            resource=THING,
            scope=Scope,
            normal=(look,),
            manages_status=False,
            indexes=(Index("used", used),),
            watches=(Watch(kinds.CONFIG_MAP, mapping.itself, through="used"),),
        )
        stage.manage(controller)
        for name, uses in (("a", ["x", "y"]), ("b", ["y"]), ("c", [])):
            await stage.create(THING, name, spec={"uses": uses})
        await asyncio.sleep(5)
        passes.clear()
        await stage.create(kinds.CONFIG_MAP, "x")
        await asyncio.sleep(5)
        assert passes == {"a": 1}
        await stage.create(kinds.CONFIG_MAP, "y")
        await asyncio.sleep(5)
        assert passes == {"a": 2, "b": 1}

    play(story, kinds=[THING])
