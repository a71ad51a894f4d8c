"""What is cleaned up after pools, and what is left alone."""

import random
from datetime import UTC, datetime
from typing import Any

import pytest
import structlog
from tests.lib.memory import MemoryClient

from hypershift.ignition import token
from hypershift.kit import Key, Manifest, SystemClock
from hypershift.kube import kinds
from hypershift.operators.hypershift.node_pool import Environment, janitor, names
from hypershift.runtime import Context
from hypershift.runtime.phases import run

NOW = datetime(2026, 1, 1, tzinfo=UTC)
POOL = Key("clusters", "workers")


class Clock(SystemClock):
    def now(self) -> datetime:
        return NOW


def a_secret(name: str, **metadata: Any) -> Manifest:
    marks = {"annotations": {names.NODE_POOL: "clusters/workers"}}
    usual = {"name": name, "namespace": "clusters-demo", **marks}
    return {"apiVersion": "v1", "kind": "Secret", "metadata": usual | metadata}


def a_namespace() -> Manifest:
    marks = {"hypershift.openshift.io/cluster": "clusters/demo"}
    metadata = {"name": "clusters-demo", "annotations": marks}
    return {"apiVersion": "v1", "kind": "Namespace", "metadata": metadata}


def a_pool(**metadata: Any) -> Manifest:
    return {
        "apiVersion": "hypershift.openshift.io/v1beta1",
        "kind": "NodePool",
        "metadata": {"name": "workers", "namespace": "clusters", **metadata},
        "spec": {"clusterName": "demo", "platform": {"type": "Local"}},
    }


def a_cluster(platform: str = "Local", version: str = "1.35.8", **metadata: Any) -> Manifest:
    return {
        "apiVersion": "hypershift.openshift.io/v1beta1",
        "kind": "HostedCluster",
        "metadata": {"name": "demo", "namespace": "clusters", **metadata},
        "spec": {"platform": {"type": platform}},
        "status": {"version": {"history": [{"version": version}]}},
    }


async def after_a_pass(secret: Manifest, *world: Manifest, target: str | None = "new") -> str:
    """What became of a Secret: kept, expiring or gone."""
    kube = MemoryClient(secret, a_namespace(), *world)
    nothing: Any = None
    environment = Environment(nothing, targets={} if target is None else {POOL: target})
    controller = janitor.controller(environment)
    context = Context(
        kube=kube, live=kube, clock=Clock(), events=nothing, log=structlog.get_logger(),
        remotes=nothing, rng=random.Random(1),  # noqa: S311 - nothing secret
    )  # fmt: skip
    name = secret["metadata"]["name"]
    found = await kube.get(kinds.SECRET, name, "clusters-demo")
    report = await run(controller.normal, controller.scope(found, context))
    assert not report.errors
    left = await kube.find(kinds.SECRET, name, "clusters-demo")
    if left is None:
        return "gone"
    return "expiring" if token.EXPIRES_AT in left["metadata"].get("annotations", {}) else "kept"


@pytest.mark.parametrize(
    ("name", "fate"),
    [
        ("token-workers-new", "kept"),
        ("user-data-workers-new", "kept"),
        ("token-workers-old", "expiring"),
        ("user-data-workers-old", "gone"),
        ("something-else", "kept"),
    ],
)
async def test_what_no_machine_shall_have_any_more_goes(name: str, fate: str) -> None:
    assert await after_a_pass(a_secret(name), a_pool(), a_cluster()) == fate


async def test_nothing_goes_before_a_pass_over_the_pool_said_what_is_wanted() -> None:
    secret = a_secret("user-data-workers-old")
    assert await after_a_pass(secret, a_pool(), a_cluster(), target=None) == "kept"


async def test_user_data_that_new_machines_boot_with_stays() -> None:
    deployment = {
        "apiVersion": kinds.MACHINE_DEPLOYMENT.api_version,
        "kind": "MachineDeployment",
        "metadata": {"name": "workers", "namespace": "clusters-demo"},
        "spec": {"template": {"spec": {"bootstrap": {"dataSecretName": "user-data-workers-old"}}}},
    }
    secret = a_secret("user-data-workers-old")
    assert await after_a_pass(secret, a_pool(), a_cluster(), deployment) == "kept"


async def test_secrets_of_a_pool_that_is_gone_go_unless_another_keeper_has_them() -> None:
    assert await after_a_pass(a_secret("token-workers-new"), a_cluster()) == "gone"
    kept = a_secret("token-workers-new", labels={names.KARPENTER: "true"})
    assert await after_a_pass(kept, a_cluster()) == "kept"


async def test_a_pool_that_is_being_deleted_cleans_up_itself() -> None:
    pool = a_pool(deletionTimestamp="2026-01-01T00:00:00Z")
    assert await after_a_pass(a_secret("user-data-workers-old"), pool, a_cluster()) == "kept"


@pytest.mark.parametrize("gone", [True, False])
async def test_without_a_cluster_no_machine_boots_any_more(gone: bool) -> None:  # noqa: FBT001
    cluster = () if gone else (a_cluster(deletionTimestamp="2026-01-01T00:00:00Z"),)
    assert await after_a_pass(a_secret("token-workers-new"), a_pool(), *cluster) == "expiring"
    assert await after_a_pass(a_secret("user-data-workers-new"), a_pool(), *cluster) == "gone"


@pytest.mark.parametrize(
    ("platform", "version", "fate"),
    [
        ("KubeVirt", "4.21.0", "kept"),
        ("AWS", "4.15.9", "kept"),
        ("AWS", "4.16.0", "gone"),
        ("AWS", "", "kept"),
    ],
)
async def test_some_clouds_still_read_old_user_data(platform: str, version: str, fate: str) -> None:
    secret = a_secret("user-data-workers-old")
    assert await after_a_pass(secret, a_pool(), a_cluster(platform, version)) == fate
