"""Whose clusters a replica tells about."""

import asyncio
import re
from typing import Any

import pytest
from tests.lib.stage import Stage, leadership, play

from hypershift.kit import key_of
from hypershift.kube import kinds
from hypershift.operators.hypershift.fleet_metrics import FleetCollector
from hypershift.runtime import Controller, Done, Manager, Outcome, Scope, Sharding

NAMES = tuple(f"c{number}" for number in range(12))


async def nothing(_: Scope) -> Outcome:
    return Done()


def controller() -> Controller[Scope]:
    return Controller(
        name="hostedcluster",
        resource=kinds.HOSTED_CLUSTER,
        scope=Scope,
        normal=(nothing,),
        manages_status=False,
        cluster=lambda manifest: key_of(manifest).name,
    )


def counted(manager: Manager) -> float:
    """The number of clusters that a replica says it has."""
    for family in FleetCollector(manager).collect():
        if family.name == "hypershift_hostedclusters":
            return sum(sample.value for sample in family.samples)
    raise AssertionError("there is no such family")


@pytest.mark.parametrize(
    "arrange",
    [
        lambda name: {"sharding": Sharding("shards", "kube-system", name)},
        lambda name: {"leadership": leadership(name)},
    ],
)
def test_two_replicas_together_tell_about_every_cluster_once(arrange: Any) -> None:
    async def story(stage: Stage) -> None:
        for name in NAMES:
            await stage.create(kinds.HOSTED_CLUSTER, name, spec={"platform": {"type": "Local"}})
        both = [stage.manage(controller(), **arrange(name)) for name in ("one", "two")]
        await asyncio.sleep(120)
        assert sum(map(counted, both)) == len(NAMES)

    play(story)


def test_a_replica_that_is_alone_tells_about_all() -> None:
    async def story(stage: Stage) -> None:
        await stage.create(kinds.HOSTED_CLUSTER, "a", spec={"platform": {"type": "Local"}})
        manager = stage.manage(controller())
        await asyncio.sleep(5)
        assert counted(manager) == 1

    play(story)


def test_the_operator_tells_its_image_and_the_newest_release_that_it_supports() -> None:
    async def story(stage: Stage) -> None:
        manager = stage.manage(controller())
        (info,) = (
            family
            for family in FleetCollector(manager, "registry.example/us:1").collect()
            if family.name == "hypershift_operator_info"
        )
        labels = info.samples[0].labels
        assert labels["image"] == "registry.example/us:1"
        assert re.fullmatch(r"\d+\.\d+\.0", labels["latestSupportedVersion"])

    play(story)
