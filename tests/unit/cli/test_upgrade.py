from typing import Any

from hypershift.cli.upgrade import plan_cluster, plan_pool


def pool(**management: Any) -> dict[str, Any]:
    spec = {"release": {"image": "old"}, "replicas": 3, "management": management}
    return {"metadata": {"name": "workers"}, "spec": spec}


CLUSTER = {"metadata": {"name": "demo"}, "spec": {"release": {"image": "old"}}}


def test_a_clusters_upgrade_leaves_its_nodes_alone() -> None:
    first, rolls, stays = plan_cluster(CLUSTER, [pool()], "new")
    assert first == "cluster demo: old -> new"
    assert rolls.startswith("rolls: the pods of its control plane")
    assert stays.startswith("stays: node pool workers on old")


def test_nothing_rolls_for_the_release_that_runs() -> None:
    assert plan_cluster(CLUSTER, [], "old")[0].endswith("nothing rolls")
    assert plan_pool(pool(), "old")[0].endswith("nothing rolls")


def test_a_pools_nodes_are_replaced_or_upgraded_in_place() -> None:
    assert "3 nodes are drained and replaced" in plan_pool(pool(upgradeType="Replace"), "new")[1]
    assert "upgraded in place" in plan_pool(pool(upgradeType="InPlace"), "new")[1]
