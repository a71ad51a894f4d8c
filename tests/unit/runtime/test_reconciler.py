"""One pass: finalizer, pause, status whatever happened, and when to look again."""

import asyncio
import random
from datetime import timedelta
from typing import Any

from tests.lib.stage import Stage, play

from hypershift.api.conditions import ConditionType, true
from hypershift.kit import InvalidSpec, Manifest
from hypershift.kube import Resource, kinds
from hypershift.runtime import Controller, Done, Outcome, Scope, Stop, Wait, condition_of

THING = Resource("test.io", "v1", "things", "Thing")
FINALIZER = "test.io/thing"


class ThingCondition(ConditionType):
    LOOKED = "Looked"
    RECONCILED = "Reconciled"
    VALID = "Valid"


def a_controller(*normal: Any, **fields: Any) -> Controller[Scope]:
    return Controller(name="thing", resource=THING, scope=Scope, normal=normal, **fields)


async def nothing(_: Scope) -> Outcome:
    return Done()


async def thing(stage: Stage) -> dict[str, Any]:
    return await stage.user.get(THING, "a", "default")


def test_the_finalizer_is_there_before_the_first_phase_runs() -> None:
    seen: list[list[str]] = []

    async def look(scope: Scope) -> Outcome:
        seen.append(scope.object["metadata"].get("finalizers", []))
        return Done()

    async def story(stage: Stage) -> None:
        stage.manage(a_controller(look, finalizer=FINALIZER))
        await stage.create(THING, "a", metadata={"finalizers": ["other.io/x"]})
        await asyncio.sleep(5)
        assert seen[0] == ["other.io/x", FINALIZER]

    play(story, kinds=[THING])


def test_what_an_object_gets_comes_with_the_finalizer_and_before_the_first_phase() -> None:
    seen: list[tuple[Any, int]] = []

    def gives(manifest: Manifest, rng: random.Random) -> Manifest:
        return {} if manifest["spec"].get("id") else {"id": rng.randrange(1, 9)}

    async def look(scope: Scope) -> Outcome:
        seen.append((scope.spec["id"], scope.object["metadata"]["generation"]))
        return Done()

    async def story(stage: Stage) -> None:
        stage.manage(a_controller(look, finalizer=FINALIZER, spec_defaults=gives))
        created = await stage.create(THING, "a", spec={"size": 2})
        await asyncio.sleep(5)
        found = await thing(stage)
        assert found["metadata"]["finalizers"] == [FINALIZER]
        assert found["spec"] == {"size": 2, "id": seen[0][0]}
        assert set(seen) == {(found["spec"]["id"], 2)}
        versions = [int(each["metadata"]["resourceVersion"]) for each in (created, found)]
        assert versions[1] - versions[0] == 1, "one write for both"

    play(story, kinds=[THING])


def test_deletion_waits_for_its_phases_and_leaves_others_finalizers() -> None:
    ready = False

    async def clean(_: Scope) -> Outcome:
        return Done() if ready else Wait("Cleaning", after=timedelta(seconds=3))

    async def story(stage: Stage) -> None:
        nonlocal ready
        stage.manage(a_controller(nothing, delete=(clean,), finalizer=FINALIZER))
        await stage.create(THING, "a", metadata={"finalizers": ["other.io/x"]})
        await asyncio.sleep(5)
        await stage.user.delete(THING, "a", "default")
        await asyncio.sleep(10)
        assert (await thing(stage))["metadata"]["finalizers"] == ["other.io/x", FINALIZER]
        ready = True
        await asyncio.sleep(10)
        assert (await thing(stage))["metadata"]["finalizers"] == ["other.io/x"]

    play(story, kinds=[THING])


def test_a_controller_without_finalizer_sees_a_deletion_that_others_hold_up() -> None:
    seen: list[str] = []

    async def see(scope: Scope) -> Outcome:
        seen.append(scope.key.name)
        return Done()

    async def story(stage: Stage) -> None:
        stage.manage(a_controller(nothing, delete=(see,)))
        await stage.create(THING, "a", metadata={"finalizers": ["other.io/x"]})
        await asyncio.sleep(5)
        assert seen == []
        await stage.user.delete(THING, "a", "default")
        await asyncio.sleep(10)
        assert seen == ["a"]
        assert (await thing(stage))["metadata"]["finalizers"] == ["other.io/x"]

    play(story, kinds=[THING])


def test_an_error_in_deletion_keeps_the_later_phases_from_running() -> None:
    calls: list[str] = []

    async def fails(_: Scope) -> Outcome:
        calls.append("fails")
        raise RuntimeError("no")

    async def later(_: Scope) -> Outcome:
        calls.append("later")
        return Done()

    async def story(stage: Stage) -> None:
        stage.manage(a_controller(nothing, delete=(fails, later), finalizer=FINALIZER))
        await stage.create(THING, "a")
        await asyncio.sleep(5)
        await stage.user.delete(THING, "a", "default")
        await asyncio.sleep(30)
        assert calls.count("fails") > 2
        assert "later" not in calls
        assert FINALIZER in (await thing(stage))["metadata"]["finalizers"]

    play(story, kinds=[THING])


def test_a_paused_object_runs_its_paused_phases_until_the_pause_ends() -> None:
    calls: list[str] = []

    async def work(_: Scope) -> Outcome:
        calls.append("work")
        return Done()

    async def rest(_: Scope) -> Outcome:
        calls.append("rest")
        return Done()

    async def story(stage: Stage) -> None:
        stage.manage(a_controller(work, paused=(rest,)))
        await stage.create(THING, "a", spec={"pausedUntil": "2030-01-01T00:01:00Z"})
        await asyncio.sleep(30)
        assert set(calls) == {"rest"}
        await asyncio.sleep(60)
        assert calls[-1] == "work"

    play(story, kinds=[THING])


def test_a_paused_object_can_still_be_deleted() -> None:
    async def story(stage: Stage) -> None:
        stage.manage(a_controller(nothing, finalizer=FINALIZER, delete=(nothing,)))
        await stage.create(
            THING, "a", spec={"pausedUntil": "true"}, metadata={"finalizers": [FINALIZER]}
        )
        await stage.user.delete(THING, "a", "default")
        await asyncio.sleep(5)
        assert stage.server.find(THING, "a", "default") is None

    play(story, kinds=[THING])


def test_status_is_published_whatever_happened() -> None:
    async def report(scope: Scope) -> Outcome:
        scope.status["seen"] = scope.spec["size"]
        scope.conditions.set(true(ThingCondition.LOOKED))
        return Done()

    async def fails(_: Scope) -> Outcome:
        raise RuntimeError("the oven is cold")

    async def story(stage: Stage) -> None:
        stage.manage(a_controller(report, fails, condition=ThingCondition.RECONCILED))
        await stage.create(THING, "a", spec={"size": 3})
        await asyncio.sleep(5)
        found = await thing(stage)
        assert found["status"]["seen"] == 3
        condition = condition_of(found, "Reconciled")
        assert condition is not None
        assert condition["status"] == "False"
        assert "the oven is cold" in condition["message"]

    play(story, kinds=[THING])


def test_an_object_that_does_not_parse_gets_a_condition_and_the_others_go_on() -> None:
    def parse(manifest: dict[str, Any], context: Any) -> Scope:
        if not isinstance(manifest["spec"]["size"], int):
            raise InvalidSpec("spec.size is not a number", field="spec.size")
        return Scope(manifest, context)

    async def report(scope: Scope) -> Outcome:
        scope.status["ok"] = True
        return Done()

    async def story(stage: Stage) -> None:
        stage.manage(
            Controller(
                "thing", THING, parse, normal=(report,), condition=ThingCondition.VALID, workers=1
            )
        )
        await stage.create(THING, "a", spec={"size": "big"})
        await stage.create(THING, "b", spec={"size": 3})
        await asyncio.sleep(120)
        condition = condition_of(await thing(stage), "Valid")
        assert condition is not None
        assert condition["reason"] == "InvalidSpec"
        other = await stage.user.get(THING, "b", "default")
        assert other["status"]["ok"]
        assert len(stage.writes) == 2

    play(story, kinds=[THING])


def test_a_terminal_error_is_not_retried_until_the_object_changes() -> None:
    calls: list[int] = []

    async def refuse(scope: Scope) -> Outcome:
        calls.append(scope.spec["size"])
        if scope.spec["size"] > 5:
            raise InvalidSpec("too big")
        return Done()

    async def story(stage: Stage) -> None:
        stage.manage(a_controller(refuse))
        await stage.create(THING, "a", spec={"size": 9})
        await asyncio.sleep(600)
        assert calls == [9]
        await stage.user.patch(THING, "a", {"spec": {"size": 2}}, "default")
        await asyncio.sleep(5)
        assert calls == [9, 2]

    play(story, kinds=[THING])


def test_a_key_that_throws_is_retried_ever_more_slowly_and_loses_nobody_else() -> None:
    calls: dict[str, int] = {}

    async def work(scope: Scope) -> Outcome:
        calls[scope.key.name] = calls.get(scope.key.name, 0) + 1
        if scope.key.name == "bad":
            raise RuntimeError("always")
        return Done()

    async def story(stage: Stage) -> None:
        stage.manage(a_controller(work, workers=1))
        await stage.create(THING, "bad")
        await stage.create(THING, "good")
        await asyncio.sleep(600)
        assert calls["good"] == 1
        assert 12 < calls["bad"] < 30

    play(story, kinds=[THING])


def test_a_wait_brings_the_next_pass_and_stop_can_too() -> None:
    times: list[float] = []

    async def work(_: Scope) -> Outcome:
        times.append(round(asyncio.get_running_loop().time()))
        return Stop("NotYet", after=timedelta(seconds=20))

    async def story(stage: Stage) -> None:
        stage.manage(a_controller(work))
        await stage.create(THING, "a")
        await asyncio.sleep(70)
        assert len(times) == 4

    play(story, kinds=[THING])


def test_a_pass_that_never_ends_is_ended() -> None:
    async def stuck(_: Scope) -> Outcome:
        await asyncio.sleep(10_000)
        return Done()

    async def story(stage: Stage) -> None:
        stage.manage(
            a_controller(
                stuck, timeout=timedelta(seconds=30), condition=ThingCondition.RECONCILED, workers=1
            )
        )
        await stage.create(THING, "a")
        await asyncio.sleep(60)
        condition = condition_of(await thing(stage), "Reconciled")
        assert condition is not None
        assert "no end after" in condition["message"]

    play(story, kinds=[THING])


def test_events_are_told_once_for_the_same_fact() -> None:
    async def tell(scope: Scope) -> Outcome:
        await scope.events.normal("Looked", "all is well")
        return Wait("Again", after=timedelta(seconds=5))

    async def story(stage: Stage) -> None:
        stage.manage(a_controller(tell))
        made = await stage.create(THING, "a")
        await asyncio.sleep(60)
        (event,) = stage.server.all(kinds.EVENT)
        assert event["involvedObject"]["uid"] == made["metadata"]["uid"]
        assert (event["reason"], event["count"]) == ("Looked", 1)
        await asyncio.sleep(700)
        assert stage.server.all(kinds.EVENT)[0]["count"] == 2

    play(story, kinds=[THING])
