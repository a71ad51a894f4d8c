"""Replicas that share clusters: joining, leaving, dying, starting again."""

import asyncio
from collections import Counter

import pytest
from tests.lib.stage import Stage, leadership, play
from tests.unit.runtime.sharding.replicas import (
    NAMES,
    marker,
    marks,
    owner,
    prepare,
    replica,
    sharding,
    table,
)

from hypershift.kube import kinds
from hypershift.runtime import (
    Controller,
    Done,
    LeadershipLost,
    Outcome,
    Scope,
)
from hypershift.runtime.sharding import BUCKETS


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


def test_a_replica_whose_lease_was_deleted_starts_over() -> None:
    async def story(stage: Stage) -> None:
        await prepare(stage)
        one = await replica(stage, "one")
        await asyncio.sleep(3)
        await stage.user.delete(kinds.LEASE, "shards-one", "kube-system")
        with pytest.raises(LeadershipLost):
            await stage.task(one)

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
