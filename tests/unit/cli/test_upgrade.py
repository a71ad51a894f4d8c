"""What an upgrade rolls, and that one which the operator refuses is not written."""

from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager
from typing import Any

import pytest
from tests.lib.memory import MemoryClient

from hypershift.api import HostedCluster, NodePool, read
from hypershift.api.annotations import FORCE_UPGRADE_TO
from hypershift.cli import upgrade
from hypershift.cli.command import interpret
from hypershift.cli.upgrade_plan import (
    cluster_refusal,
    image,
    plan_cluster,
    plan_pool,
    pool_refusal,
)
from hypershift.kit import Manifest, UsageError
from hypershift.kube import kinds

REPOSITORY = "registry.example/release"


def a_pool(version: str = "", **management: Any) -> NodePool:
    return read(NodePool, pool(version, **management))


def pool(version: str = "", **management: Any) -> Manifest:
    return {
        "apiVersion": "hypershift.openshift.io/v1beta1",
        "kind": "NodePool",
        "metadata": {"name": "workers", "namespace": "clusters"},
        "spec": {
            "clusterName": "demo",
            "release": {"image": f"{REPOSITORY}:1.34.1"},
            "replicas": 3,
            "management": management,
            "platform": {"type": "Local"},
        },
        "status": {"version": version},
    }


def cluster(running: str = "1.34.1", *, tag: str = "", **status: Any) -> Manifest:
    release = f"{REPOSITORY}:{tag or running}"
    done = {"state": "Completed", "completionTime": "2026-01-01T00:00:00Z", "version": running}
    version = {"desired": {"image": release, "version": running}, "history": [done]}
    return {
        "apiVersion": "hypershift.openshift.io/v1beta1",
        "kind": "HostedCluster",
        "metadata": {"name": "demo", "namespace": "clusters"},
        "spec": {"release": {"image": release}, "platform": {"type": "Local"}},
        "status": {"version": version, **status},
    }


def a_cluster(running: str = "1.34.1", **more: Any) -> HostedCluster:
    return read(HostedCluster, cluster(running, **more))


def test_a_clusters_upgrade_leaves_its_nodes_alone() -> None:
    first, rolls, stays = plan_cluster(a_cluster(), [a_pool()], "new")
    assert first == f"cluster demo: {REPOSITORY}:1.34.1 -> new"
    assert rolls.startswith("rolls: the pods of its control plane")
    assert stays.startswith(f"stays: node pool workers on {REPOSITORY}:1.34.1")


def test_nothing_rolls_for_the_release_that_runs() -> None:
    now = f"{REPOSITORY}:1.34.1"
    assert plan_cluster(a_cluster(), [], now)[0].endswith("nothing rolls")
    assert plan_pool(a_pool(), now)[0].endswith("nothing rolls")
    assert not cluster_refusal(a_cluster(), now)


def test_a_pools_nodes_are_replaced_or_upgraded_in_place() -> None:
    assert "3 nodes are drained and replaced" in plan_pool(a_pool(upgradeType="Replace"), "new")[1]
    assert "upgraded in place" in plan_pool(a_pool(upgradeType="InPlace"), "new")[1]


@pytest.mark.parametrize(
    ("now", "to", "meant"),
    [
        ("r.example:5000/k8s:1.34.1", "1.35.8", "r.example:5000/k8s:1.35.8"),
        ("r.example/k8s:v1.34.1", "1.35.8", "r.example/k8s:v1.35.8"),
        ("r.example/k8s:1.34.1", "v1.35.8", "r.example/k8s:1.35.8"),
        ("quay.io/ocp:4.20.1-x86_64", "4.21.3", "quay.io/ocp:4.21.3-x86_64"),
        ("quay.io/ocp:4.20.1-x86_64", "4.21.3-multi", "quay.io/ocp:4.21.3-multi"),
        ("quay.io/ocp:4.20.1-x86_64", "4.22.0-ec.1", "quay.io/ocp:4.22.0-ec.1-x86_64"),
        ("quay.io/ocp@sha256:abc", "other.example/ocp:4.21.3", "other.example/ocp:4.21.3"),
    ],
)
def test_a_version_becomes_the_tag_of_the_image_now(now: str, to: str, meant: str) -> None:
    assert image(now, to) == meant


@pytest.mark.parametrize("now", ["quay.io/ocp@sha256:abc", "r.example:5000/k8s", "k8s"])
def test_a_version_needs_an_image_with_a_tag(now: str) -> None:
    with pytest.raises(UsageError, match="has no tag"):
        image(now, "1.35.8")


def test_a_step_that_the_operator_refuses_is_told_beforehand() -> None:
    wanted = f"{REPOSITORY}:1.35.8"
    assert cluster_refusal(a_cluster("1.33.1"), wanted).startswith("one minor at a time")
    assert not cluster_refusal(a_cluster("1.34.1"), wanted)


def upgradeable(status: str) -> list[Manifest]:
    found = {"type": "ClusterVersionUpgradeable", "status": status, "reason": "Busy"}
    return [found | {"message": "not now", "lastTransitionTime": "2026-01-01T00:00:00Z"}]


@pytest.mark.parametrize(
    ("status", "running", "to", "refused"),
    [
        ("False", "1.34.1", "1.35.8", True),
        ("Unknown", "1.34.1", "1.35.8", False),
        ("False", "1.34.1", "1.34.2", False),
        ("Unknown", "4.20.1", "4.21.3", True),
        ("True", "4.20.1", "4.21.3", False),
    ],
)
def test_a_cluster_that_cannot_be_upgraded_keeps_its_minor(
    status: str, running: str, to: str, *, refused: bool
) -> None:
    wanted, found = f"{REPOSITORY}:{to}", cluster(running, conditions=upgradeable(status))
    why = cluster_refusal(read(HostedCluster, found), wanted)
    assert bool(why) is refused
    assert not why or f"ClusterVersionUpgradeable={status} (Busy: not now)" in why
    found["metadata"]["annotations"] = {FORCE_UPGRADE_TO: wanted}
    assert not cluster_refusal(read(HostedCluster, found), wanted)


def test_a_pool_may_not_exceed_its_cluster() -> None:
    newer = f"{REPOSITORY}:1.35.8"
    why = pool_refusal(a_pool(), a_cluster("1.34.1"), newer)
    assert why.startswith('the latest version supported is: "1.34.1"')
    assert not pool_refusal(a_pool(), a_cluster("1.35.8"), newer)


def test_a_pool_that_would_be_left_too_far_behind_is_told() -> None:
    lines = plan_cluster(a_cluster("1.34.1"), [a_pool("1.31.0")], f"{REPOSITORY}:1.35.8")
    assert "mind: node pool workers: node version 1.31.0 is over 3 minors older" in lines[1]


def test_a_release_whose_name_says_no_version_is_not_judged() -> None:
    assert not cluster_refusal(a_cluster("1.33.1"), f"{REPOSITORY}@sha256:abc")
    assert not pool_refusal(a_pool(), a_cluster("1.33.1"), f"{REPOSITORY}@sha256:abc")


@pytest.fixture
def kube(monkeypatch: pytest.MonkeyPatch) -> MemoryClient:
    world = MemoryClient()
    world.put(cluster("1.33.1"))
    world.put(pool())

    @asynccontextmanager
    async def management(_: Any) -> AsyncIterator[MemoryClient]:
        yield world

    monkeypatch.setattr(upgrade, "management", management)
    return world


async def release_of(kube: MemoryClient) -> str:
    found = await kube.get(kinds.HOSTED_CLUSTER, "demo", "clusters")
    return str(found["spec"]["release"]["image"])


async def call(*words: str) -> None:
    line = interpret(upgrade.COMMAND, list(words))
    assert line.command.run
    outcome = line.command.run(line.values)
    assert isinstance(outcome, Coroutine)
    await outcome


async def test_what_will_be_refused_is_written_with_force_alone(
    kube: MemoryClient, capsys: pytest.CaptureFixture[str]
) -> None:
    values = ("cluster", "demo", "--to", "1.35.8")
    with pytest.raises(UsageError, match=r"will refuse this: one minor at a time.*nothing was"):
        await call(*values)
    assert await release_of(kube) == f"{REPOSITORY}:1.33.1"
    await call(*values, "--dry-run")
    assert "mind: the operator will refuse this" in capsys.readouterr().out
    assert await release_of(kube) == f"{REPOSITORY}:1.33.1"
    await call(*values, "--force")
    assert await release_of(kube) == f"{REPOSITORY}:1.35.8"


async def test_a_version_that_is_allowed_is_written(kube: MemoryClient) -> None:
    await call("cluster", "demo", "--to", "1.34.2")
    assert await release_of(kube) == f"{REPOSITORY}:1.34.2"


@pytest.mark.parametrize(
    ("noun", "called"), [("cluster", "hosted cluster"), ("nodepool", "node pool")]
)
async def test_what_is_not_there_is_told_in_our_words(
    kube: MemoryClient, noun: str, called: str
) -> None:
    del kube
    with pytest.raises(UsageError, match=f"there is no {called} clusters/nobody"):
        await call(noun, "nobody", "--to", "1.35.8")


async def test_an_image_without_a_version_in_its_name_is_said_to_be_unchecked(
    kube: MemoryClient, capsys: pytest.CaptureFixture[str]
) -> None:
    await call("cluster", "demo", "--to", f"{REPOSITORY}@sha256:abc")
    assert "not checked: the image has no version in its tag" in capsys.readouterr().out
    assert await release_of(kube) == f"{REPOSITORY}@sha256:abc"
