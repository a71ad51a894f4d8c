"""Replicas that share clusters: joining, leaving, dying, starting again, and their table."""

import asyncio
from collections import Counter
from datetime import timedelta

import pytest

from hypershift.kit import key_of
from hypershift.kube import Request, Response, kinds
from hypershift.kube.transport import WRITES
from hypershift.runtime import (
    Controller,
    Done,
    LeadershipLost,
    Manager,
    Outcome,
    Scope,
    Sharding,
    Wait,
)
from hypershift.runtime.sharding import BUCKETS, Table, bucket_of
from hypershift.runtime.sharding.table import OWNERS, table_of
from hypershift.testing.sim.store import Commit
from hypershift.testing.stage import Stage, leadership, play

NAMES = tuple(f"c{number}" for number in range(12))
SHARES = ("shards", "kube-system")


def sharding(identity: str, **changes: float | str) -> Sharding:
    return Sharding(*SHARES, identity, **changes)  # type: ignore[arg-type]  # times and names


def marker(mark: str, seconds: float = 0.0, **changes: object) -> Controller[Scope]:
    """Writes who was here last into each ConfigMap, again and again."""

    async def write(scope: Scope) -> Outcome:
        await asyncio.sleep(seconds)
        patch = {"data": {"by": mark}}
        await scope.kube.patch(kinds.CONFIG_MAP, scope.key.name, patch, "default")
        return Wait("Again", after=timedelta(seconds=1))

    return Controller(
        name=mark,
        resource=kinds.CONFIG_MAP,
        scope=Scope,
        normal=(write,),
        namespace="default",
        manages_status=False,
        workers=20,
        cluster=lambda manifest: key_of(manifest).name,
        **changes,  # type: ignore[arg-type]  # fields of a controller
    )


async def replica(stage: Stage, mark: str, seconds: float = 0.0, **changes: float | str) -> Manager:
    return stage.manage(marker(mark, seconds), sharding=sharding(mark, **changes))


async def prepare(stage: Stage) -> None:
    for name in NAMES:
        await stage.create(kinds.CONFIG_MAP, name)


def table(stage: Stage) -> Table:
    lease = stage.server.find(kinds.LEASE, *SHARES)
    return table_of(lease) if lease else Table()


def marks(stage: Stage) -> Counter[str]:
    return Counter(
        (one.get("data") or {}).get("by", "") for one in stage.server.all(kinds.CONFIG_MAP)
    )


def owner(stage: Stage, name: str) -> str:
    return table(stage).owners.get(bucket_of(name), "").partition("_")[0]


def test_one_replica_takes_everything_at_once_and_lists_once() -> None:
    async def story(stage: Stage) -> None:
        await prepare(stage)
        manager = await replica(stage, "one")
        await asyncio.sleep(1)
        assert marks(stage) == {"one": len(NAMES)}
        informer = next(one for one in manager.informers if one.selection.namespace == "default")
        assert informer.reflector.relists == 1

    play(story)


def test_two_replicas_share_the_clusters_and_each_writes_its_own() -> None:
    async def story(stage: Stage) -> None:
        await prepare(stage)
        await replica(stage, "one")
        await asyncio.sleep(5)
        await replica(stage, "two")
        await asyncio.sleep(10)
        assert sorted(Counter(table(stage).owners.values()).values()) == [BUCKETS // 2] * 2
        for one in stage.server.all(kinds.CONFIG_MAP):
            assert one["data"]["by"] == owner(stage, one["metadata"]["name"])
        assert min(marks(stage).values()) > 0

    play(story)


def test_a_replica_that_leaves_hands_over_at_once() -> None:
    async def story(stage: Stage) -> None:
        await prepare(stage)
        await replica(stage, "one")
        two = await replica(stage, "two")
        await asyncio.sleep(10)
        await stage.stop(two)
        await asyncio.sleep(2)
        assert marks(stage) == {"one": len(NAMES)}
        assert stage.server.find(kinds.LEASE, "shards-two", "kube-system") is None

    play(story)


def test_the_clusters_of_a_dead_replica_are_taken_over_when_its_lease_has_ended() -> None:
    async def story(stage: Stage) -> None:
        await prepare(stage)
        await replica(stage, "one")
        client = stage.client("two")
        two = stage.manage(marker("two"), sharding=sharding("two"), client=client)
        await asyncio.sleep(10)
        client.transport.die()  # type: ignore[attr-defined]  # the simulated one can
        stage.task(two).cancel()
        await asyncio.sleep(12)
        assert marks(stage)["two"] > 0
        await asyncio.sleep(8)
        assert marks(stage) == {"one": len(NAMES)}

    play(story)


def test_a_replica_that_starts_again_under_its_name_goes_on_at_once() -> None:
    async def story(stage: Stage) -> None:
        await prepare(stage)
        client = stage.client("one")
        one = stage.manage(marker("one"), sharding=sharding("one"), client=client)
        await asyncio.sleep(3)
        client.transport.die()  # type: ignore[attr-defined]  # the simulated one can
        stage.task(one).cancel()
        await asyncio.sleep(0.5)
        stage.manage(marker("again"), sharding=sharding("one"))
        await asyncio.sleep(3)
        assert marks(stage) == {"again": len(NAMES)}

    play(story)


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


def test_a_replica_whose_lease_was_deleted_starts_over() -> None:
    async def story(stage: Stage) -> None:
        await prepare(stage)
        one = await replica(stage, "one")
        await asyncio.sleep(3)
        await stage.user.delete(kinds.LEASE, "shards-one", "kube-system")
        with pytest.raises(LeadershipLost):
            await stage.task(one)

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


def test_a_leader_of_everything_and_replicas_that_share_never_work_together() -> None:
    async def story(stage: Stage) -> None:
        await prepare(stage)
        alone = stage.manage(marker("alone"), leadership=leadership("alone"))
        await asyncio.sleep(3)
        await replica(stage, "one", crew="operator")
        await replica(stage, "two", crew="operator")
        await asyncio.sleep(10)
        assert marks(stage) == {"alone": len(NAMES)}
        await stage.stop(alone)
        await asyncio.sleep(10)
        assert marks(stage).keys() == {"one", "two"}
        stage.manage(marker("alone"), leadership=leadership("alone"))
        await asyncio.sleep(30)
        assert marks(stage).keys() == {"one", "two"}

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


def test_connections_of_clusters_that_went_to_another_are_dropped() -> None:
    async def story(stage: Stage) -> None:
        await prepare(stage)
        connected: dict[str, None] = {}

        async def connect(scope: Scope) -> Outcome:
            await scope.context.remotes.connect(scope.key.name, b"guest")
            connected[scope.key.name] = None
            return Done()

        controller = marker("one")
        one = stage.manage(
            Controller(
                name="connects",
                resource=kinds.CONFIG_MAP,
                scope=Scope,
                normal=(connect,),
                namespace="default",
                manages_status=False,
                cluster=controller.cluster,
            ),
            sharding=sharding("one"),
            remote_client=lambda _: stage.client("guest"),
        )
        await asyncio.sleep(3)
        assert connected.keys() == set(NAMES)
        await replica(stage, "two")
        await asyncio.sleep(10)
        assert {cluster.name for cluster in one.clusters} == {
            name for name in NAMES if owner(stage, name) == "one"
        }

    play(story)
