"""A cluster has one writer: passes end before they are handed over, and the table holds."""

import asyncio

import pytest
from tests.lib.sim.store import Commit
from tests.lib.stage import Stage, play
from tests.unit.runtime.sharding.replicas import (
    NAMES,
    SHARES,
    marker,
    marks,
    owner,
    prepare,
    replica,
    sharding,
    table,
)

from hypershift.kube import Request, Response, kinds
from hypershift.kube.transport import WRITES
from hypershift.runtime.sharding.table import OWNERS


def test_a_pass_ends_before_the_next_owner_begins() -> None:
    async def story(stage: Stage) -> None:
        await prepare(stage)
        await replica(stage, "one", 4.0)
        await asyncio.sleep(3)  # every pass of the first is under way
        await replica(stage, "two")
        seen: list[tuple[str, str]] = []
        stage.server.store.listen(lambda change: seen.append(_mark(change)))
        await asyncio.sleep(20)
        for name in NAMES:
            by = [mark for found, mark in seen if found == name]
            assert by == sorted(by), f"the writers of {name} took turns: {by}"

    play(story)


def _mark(change: Commit) -> tuple[str, str]:
    if change.new is None:
        return "", ""
    data = change.new.manifest.get("data") or {}
    return change.new.key.name, data.get("by", "")


def test_a_pass_without_end_is_dropped_for_the_next_owner() -> None:
    async def story(stage: Stage) -> None:
        await prepare(stage)
        await replica(stage, "one", 300.0, patience=3.0)
        await asyncio.sleep(3)
        await replica(stage, "two")
        await asyncio.sleep(15)
        assert marks(stage)["two"] == sum(owner(stage, name) == "two" for name in NAMES) > 0

    play(story)


def test_a_lost_table_is_restored_by_those_who_knew_it() -> None:
    async def story(stage: Stage) -> None:
        await prepare(stage)
        await replica(stage, "one")
        await replica(stage, "two")
        await asyncio.sleep(10)
        before = table(stage).owners
        await stage.user.delete(kinds.LEASE, *SHARES)
        await asyncio.sleep(5)
        assert table(stage).owners == before

    play(story)


def test_a_table_that_cannot_be_read_changes_nothing() -> None:
    async def story(stage: Stage) -> None:
        await prepare(stage)
        await replica(stage, "one")
        await asyncio.sleep(3)
        patch = {"metadata": {"annotations": {OWNERS: "not a table"}}}
        await stage.user.patch(kinds.LEASE, SHARES[0], patch, SHARES[1])
        await asyncio.sleep(3)
        vandal = {"data": {"by": "nobody"}}
        for name in NAMES:
            await stage.user.patch(kinds.CONFIG_MAP, name, vandal, "default")
        await asyncio.sleep(3)
        assert marks(stage) == {"one": len(NAMES)}

    play(story)


def test_a_write_outside_of_a_pass_needs_a_lease_alone() -> None:
    async def story(stage: Stage) -> None:
        manager = stage.manage(marker("one"), sharding=sharding("one"))
        await asyncio.sleep(1)
        shards = manager.shards
        assert shards is not None
        answer = await shards.gate(_Echo()).request(Request("POST", "/somewhere"))
        assert answer.status == 200
        shards.member.resign()
        with pytest.raises(Exception, match="held back"):
            await shards.gate(_Echo()).request(Request("POST", "/somewhere"))

    play(story)


class _Echo:
    async def request(self, request: Request) -> Response:
        assert request.method in WRITES
        return Response(200)

    async def close(self) -> None:
        return None
