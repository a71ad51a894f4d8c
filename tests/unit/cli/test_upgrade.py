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


def running(version: str) -> dict[str, Any]:
    return {**CLUSTER, "status": {"version": {"history": [{"version": version}]}}}


def test_a_step_that_the_operator_refuses_is_told_beforehand() -> None:
    lines = plan_cluster(running("1.33.1"), [], "registry/release:1.35.8")
    assert lines[1].startswith("mind: the operator will refuse this: one minor at a time")
    assert plan_cluster(running("1.34.1"), [], "registry/release:1.35.8")[1].startswith("rolls")


def test_a_pool_that_would_be_left_too_far_behind_is_told() -> None:
    old = {**pool(), "status": {"version": "1.31.0"}}
    lines = plan_cluster(running("1.34.1"), [old], "registry/release:1.35.8")
    assert "mind: node pool workers: node version 1.31.0 is over 3 minors older" in lines[1]


def test_a_release_whose_name_says_no_version_is_not_judged() -> None:
    lines = plan_cluster(running("1.33.1"), [], "registry/release@sha256:abc")
    assert not any(line.startswith("mind") for line in lines)
