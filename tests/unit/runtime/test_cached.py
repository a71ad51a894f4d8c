"""Cached reads and frugal writes: nothing twice, drift repaired, own writes seen, fights named."""

import asyncio
from datetime import timedelta
from typing import Any

from tests.lib.stage import Stage, play

from hypershift.kit import Manifest
from hypershift.kube import Resource, kinds
from hypershift.runtime import AppliedSet, Controller, Done, Outcome, Scope, Wait, Watch, mapping
from hypershift.runtime.applied import FIGHT_WRITES

THING = Resource("test.io", "v1", "things", "Thing")
CHILDREN = (Watch(kinds.CONFIG_MAP, mapping.by_label("thing")),)


def child(scope: Scope, name: str = "child", **data: str) -> Manifest:
    metadata = {"name": name, "namespace": "default", "labels": {"thing": scope.key.name}}
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata, "data": data}


def a_controller(*normal: Any, **fields: Any) -> Controller[Scope]:
    fields.setdefault("watches", CHILDREN)
    return Controller(name="thing", resource=THING, scope=Scope, normal=normal, **fields)


async def configure(scope: Scope) -> Outcome:
    await scope.kube.apply(child(scope, x=str(scope.spec["x"])))
    return Wait("Again", after=timedelta(seconds=10))


def config(stage: Stage, name: str = "child") -> Manifest:
    found = stage.server.find(kinds.CONFIG_MAP, name, "default")
    assert found is not None
    return found


def test_an_unchanged_wish_costs_no_request() -> None:
    async def story(stage: Stage) -> None:
        stage.manage(a_controller(configure))
        await stage.create(THING, "a", spec={"x": 1})
        await asyncio.sleep(300)
        assert len(stage.writes) == 1

    play(story, kinds=[THING])


def test_a_new_process_sends_nothing_either() -> None:
    async def story(stage: Stage) -> None:
        first = stage.manage(a_controller(configure))
        await stage.create(THING, "a", spec={"x": 1})
        await asyncio.sleep(30)
        await stage.stop(first)
        stage.manage(a_controller(configure))
        await asyncio.sleep(100)
        assert len(stage.writes) == 1

    play(story, kinds=[THING])


def test_a_new_process_drops_what_is_no_longer_wished() -> None:
    async def two(scope: Scope) -> Outcome:
        await scope.kube.apply(child(scope, x="1", y="2"))
        return Done()

    async def one(scope: Scope) -> Outcome:
        await scope.kube.apply(child(scope, x="1"))
        return Done()

    async def story(stage: Stage) -> None:
        first = stage.manage(a_controller(two))
        await stage.create(THING, "a")
        await asyncio.sleep(30)
        await stage.stop(first)
        stage.manage(a_controller(one))
        await asyncio.sleep(30)
        assert config(stage)["data"] == {"x": "1"}

    play(story, kinds=[THING])


def test_what_others_changed_is_repaired_and_what_they_added_stays() -> None:
    async def story(stage: Stage) -> None:
        stage.manage(a_controller(configure))
        await stage.create(THING, "a", spec={"x": 1})
        await asyncio.sleep(5)
        patch = {"data": {"x": "9", "theirs": "stays"}}
        await stage.user.patch(kinds.CONFIG_MAP, "child", patch, "default")
        await asyncio.sleep(5)
        assert config(stage)["data"] == {"x": "1", "theirs": "stays"}
        count = len(stage.writes)
        await asyncio.sleep(100)
        assert len(stage.writes) == count

    play(story, kinds=[THING])


def test_a_label_of_somebody_else_is_no_change_for_who_wishes_none() -> None:
    async def unlabelled(scope: Scope) -> Outcome:
        wish = child(scope, x="1")
        wish["metadata"]["labels"] = {}
        await scope.kube.apply(wish)
        return Wait("Again", after=timedelta(seconds=10))

    async def story(stage: Stage) -> None:
        stage.manage(a_controller(unlabelled, watches=(Watch(kinds.CONFIG_MAP, lambda _: ()),)))
        await stage.create(THING, "a")
        await asyncio.sleep(5)
        patch = {"metadata": {"labels": {"theirs": "stays"}}}
        await stage.user.patch(kinds.CONFIG_MAP, "child", patch, "default")
        written = len(stage.writes)
        await asyncio.sleep(60)
        assert config(stage)["metadata"]["labels"] == {"theirs": "stays"}
        assert len(stage.writes) == written

    play(story, kinds=[THING])


def test_what_others_deleted_comes_back() -> None:
    async def story(stage: Stage) -> None:
        stage.manage(a_controller(configure))
        await stage.create(THING, "a", spec={"x": 1})
        await asyncio.sleep(5)
        await stage.user.delete(kinds.CONFIG_MAP, "child", "default")
        await asyncio.sleep(5)
        assert config(stage)["data"] == {"x": "1"}

    play(story, kinds=[THING])


def test_reads_see_our_own_writes_at_once() -> None:
    seen: list[Any] = []

    async def work(scope: Scope) -> Outcome:
        await scope.kube.apply(child(scope, x="1"))
        found = await scope.kube.get(kinds.CONFIG_MAP, "child", "default")
        seen.append(found["data"])
        await scope.kube.delete(kinds.CONFIG_MAP, "child", "default")
        seen.append(await scope.kube.find(kinds.CONFIG_MAP, "child", "default"))
        return Done()

    async def story(stage: Stage) -> None:
        stage.manage(a_controller(work, watches=(Watch(kinds.CONFIG_MAP, lambda _: ()),)))
        await stage.create(THING, "a")
        await asyncio.sleep(5)
        assert seen == [{"x": "1"}, None]
        gets = [one for one in stage.requests if one.method == "GET" and "child" in one.path]
        assert gets == []

    play(story, kinds=[THING])


def test_kinds_that_nobody_watches_are_read_live() -> None:
    seen: list[Any] = []

    async def work(scope: Scope) -> Outcome:
        seen.append(await scope.kube.find(kinds.SECRET, "s", "default"))
        seen.append(len(await scope.kube.list(kinds.SECRET, "default")))
        return Done()

    async def story(stage: Stage) -> None:
        stage.manage(a_controller(work))
        await stage.create(THING, "a")
        await asyncio.sleep(5)
        assert seen == [None, 0]
        assert any(one.path.endswith("/secrets/s") for one in stage.requests)

    play(story, kinds=[THING])


def test_a_changed_status_wish_is_sent_each_time_it_changes() -> None:
    async def work(scope: Scope) -> Outcome:
        identity = {"apiVersion": "test.io/v1", "kind": "Thing"}
        metadata = {"name": "a", "namespace": "default"}
        for number in (1, 1, 2):
            status = {"status": {"number": number}}
            await scope.kube.apply(identity | {"metadata": metadata} | status, subresource="status")
        return Done()

    async def story(stage: Stage) -> None:
        stage.manage(a_controller(work, manages_status=False, workers=1))
        await stage.create(THING, "a")
        await asyncio.sleep(0.5)
        assert (await stage.user.get(THING, "a", "default"))["status"] == {"number": 2}

    play(story, kinds=[THING])


def test_a_fight_over_a_field_is_named() -> None:
    async def mine(scope: Scope) -> Outcome:
        await scope.kube.apply(child(scope, x="mine"))
        return Done()

    async def theirs(scope: Scope) -> Outcome:
        await scope.kube.apply(child(scope, x="theirs"))
        return Done()

    async def story(stage: Stage) -> None:
        manager = stage.manage(
            Controller("mine", THING, Scope, normal=(mine,), watches=CHILDREN),
            Controller("theirs", THING, Scope, normal=(theirs,), watches=CHILDREN),
        )
        await stage.create(THING, "a")
        await asyncio.sleep(20)
        assert len(stage.writes) > FIGHT_WRITES
        assert b'hypershift_fights_total{resource="configmaps"}' in manager.metrics.text()

    play(story, kinds=[THING])


def test_string_data_is_compared_as_the_server_stores_it() -> None:
    async def work(scope: Scope) -> Outcome:
        secret = child(scope, "s") | {"kind": "Secret", "stringData": {"word": "hi"}}
        del secret["data"]
        await scope.kube.apply(secret)
        return Wait("Again", after=timedelta(seconds=5))

    async def story(stage: Stage) -> None:
        watches = (Watch(kinds.SECRET, mapping.by_label("thing")),)
        stage.manage(a_controller(work, watches=watches))
        await stage.create(THING, "a")
        await asyncio.sleep(60)
        assert len(stage.writes) == 1

    play(story, kinds=[THING])


def test_pruning_takes_what_is_no_longer_applied_and_nothing_else() -> None:
    async def work(scope: Scope) -> Outcome:
        wanted = AppliedSet(scope.kube, f"{scope.key.name}-set", (kinds.CONFIG_MAP,), "default")
        for name in scope.spec["names"]:
            await wanted.apply(child(scope, name))
        await wanted.prune()
        return Done()

    async def story(stage: Stage) -> None:
        stage.manage(a_controller(work))
        await stage.create(THING, "a", spec={"names": ["one", "two"]})
        await stage.create(THING, "b", spec={"names": ["three"]})
        await stage.create(kinds.CONFIG_MAP, "foreign")
        await asyncio.sleep(5)
        await stage.user.patch(THING, "a", {"spec": {"names": ["two"]}}, "default")
        await asyncio.sleep(5)
        left = {one["metadata"]["name"] for one in stage.server.all(kinds.CONFIG_MAP, "default")}
        assert left == {"two", "three", "foreign"}

    play(story, kinds=[THING])
