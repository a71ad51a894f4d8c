"""Whole passes over a pool, with the API in memory."""

import base64
import json
import random
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import structlog

from hypershift.ignition import token
from hypershift.kit import Manifest, Secret, SystemClock, TransientError, deep_merge
from hypershift.kube import kinds
from hypershift.operators.hypershift.node_pool import Environment, PoolScope, names
from hypershift.operators.hypershift.node_pool.controller import DELETE, NORMAL
from hypershift.release import Product, Release
from hypershift.runtime import Context
from hypershift.runtime.phases import Report, run
from hypershift.testing.memory import MemoryClient

NOW = datetime(2026, 1, 1, tzinfo=UTC)
IMAGE = "registry.example/release:1.35.8"
KUBECONFIG = """
clusters: [{name: c, cluster: {server: "https://10.80.32.5:6443"}}]
"""


class Releases:
    version = "1.35.8"

    async def lookup(self, image: str, pull_secret: Secret[bytes]) -> Release:
        del pull_secret
        if "broken" in image:
            raise TransientError("unable to lookup release image")
        images = {name: f"registry.example/{name}:1" for name in ("haproxy", "pause", "machine-os")}
        return Release(image.rsplit(":", 1)[1], Product.KUBERNETES, images, image)


class Clock(SystemClock):
    def now(self) -> datetime:
        return NOW


class Events:
    def __init__(self) -> None:
        self.told: list[str] = []

    async def warning(self, reason: str, message: str) -> None:
        self.told.append(f"{reason} {message}")

    async def normal(self, reason: str, message: str) -> None:
        self.told.append(f"{reason} {message}")


def a_pool(**spec: Any) -> Manifest:
    usual: Manifest = {
        "clusterName": "demo",
        "release": {"image": IMAGE},
        "replicas": 2,
        "arch": "amd64",
        "management": {
            "upgradeType": "Replace",
            "autoRepair": False,
            "replace": {
                "strategy": "RollingUpdate",
                "rollingUpdate": {"maxSurge": 1, "maxUnavailable": 0},
            },
        },
        "platform": {"type": "Local", "local": {"cpu": "2", "memory": "2Gi"}},
    }
    return {
        "apiVersion": "hypershift.openshift.io/v1beta1",
        "kind": "NodePool",
        "metadata": {"name": "workers", "namespace": "clusters", "generation": 1},
        "spec": usual | spec,
    }


def a_cluster(**changes: Any) -> Manifest:
    usual: Manifest = {
        "apiVersion": "hypershift.openshift.io/v1beta1",
        "kind": "HostedCluster",
        "metadata": {"name": "demo", "namespace": "clusters", "uid": "hc"},
        "spec": {
            "infraID": "demo-7x2kq",
            "pullSecret": {"name": "pull"},
            "networking": {
                "serviceNetwork": [{"cidr": "172.31.0.0/16"}],
                "clusterNetwork": [{"cidr": "10.132.0.0/14"}],
            },
            "platform": {"type": "Local"},
        },
        "status": {
            "ignitionEndpoint": "10.80.32.1",
            "kubeconfig": {"name": "demo-admin-kubeconfig"},
            "version": {
                "history": [
                    {
                        "state": "Completed",
                        "version": "1.35.8",
                        "completionTime": "2026-01-01T00:00:00Z",
                    }
                ]
            },
        },
    }
    merged: Manifest = deep_merge(usual, changes)
    return merged


def a_secret(name: str, namespace: str, **data: str) -> Manifest:
    encoded = {
        key.replace("__", "."): base64.b64encode(value.encode()).decode()
        for key, value in data.items()
    }
    metadata = {"name": name, "namespace": namespace}
    return {"apiVersion": "v1", "kind": "Secret", "metadata": metadata, "data": encoded}


def a_world(pool: Manifest, cluster: Manifest | None = None) -> MemoryClient:
    return MemoryClient(
        pool,
        cluster or a_cluster(),
        a_secret("pull", "clusters", __dockerconfigjson='{"auths":{}}'),
        a_secret("demo-admin-kubeconfig", "clusters", kubeconfig=KUBECONFIG),
        a_secret(names.IGNITION_CA, "clusters-demo", tls__crt="CA"),
    )


async def one_pass(kube: MemoryClient, phases: Any = NORMAL) -> tuple[PoolScope, Report]:
    pool = await kube.get(kinds.NODE_POOL, "workers", "clusters")
    events: Any = Events()
    nothing: Any = None
    context = Context(
        kube=kube, live=kube, clock=Clock(), events=events, log=structlog.get_logger(),
        remotes=nothing, rng=random.Random(1),  # noqa: S311 - nothing secret
    )  # fmt: skip
    scope = PoolScope(pool, context, Environment(Releases()))
    report = await run(phases, scope)
    stored = await kube.get(kinds.NODE_POOL, "workers", "clusters")
    kube.put(stored | {"status": scope.status})
    return scope, report


def condition(scope: PoolScope, kind: str) -> tuple[str, str, str] | None:
    found = scope.conditions.get(kind)
    return (found["status"], found["reason"], found["message"]) if found else None


async def deployment(kube: MemoryClient) -> Manifest:
    return await kube.get(kinds.MACHINE_DEPLOYMENT, "workers", "clusters-demo")


async def roll_out(kube: MemoryClient) -> None:
    """What Cluster API does, in one step."""
    live = await deployment(kube)
    count = live["spec"]["replicas"]
    status = {
        **dict.fromkeys(("replicas", "upToDateReplicas", "availableReplicas"), count),
        "conditions": [{"type": "Available", "status": "True", "reason": "Available"}],
    }
    kube.put(live | {"status": status})


async def test_a_pool_becomes_a_machine_deployment_with_token_and_user_data() -> None:
    kube = a_world(a_pool())
    scope, report = await one_pass(kube)
    assert not report.errors
    live = await deployment(kube)
    config_hash = scope.wanted_config.hash
    assert live["spec"]["replicas"] == 2
    spec = live["spec"]["template"]["spec"]
    assert spec["bootstrap"] == {"dataSecretName": f"user-data-workers-{config_hash}"}
    assert spec["infrastructureRef"]["kind"] == "LocalMachineTemplate"
    assert spec["infrastructureRef"]["apiGroup"] == "infrastructure.local.hypershift.io"
    user_data = await kube.get(kinds.SECRET, f"user-data-workers-{config_hash}", "clusters-demo")
    document = json.loads(base64.b64decode(user_data["data"]["value"]))
    merge = document["ignition"]["config"]["merge"][0]
    assert merge["source"] == "https://10.80.32.1/ignition"
    secret = await kube.get(kinds.SECRET, f"token-workers-{config_hash}", "clusters-demo")
    shown = base64.b64encode(base64.b64decode(secret["data"]["token"])).decode()
    assert merge["httpHeaders"][0] == {"name": "Authorization", "value": f"Bearer {shown}"}
    assert condition(scope, "UpdatingVersion") == (
        "True",
        "AsExpected",
        "Updating version in progress. Target version: 1.35.8",
    )


async def test_a_second_pass_writes_nothing() -> None:
    kube = a_world(a_pool())
    await one_pass(kube)
    await one_pass(kube)
    kube.writes.clear()
    await one_pass(kube)
    assert kube.writes == []


async def test_a_complete_rollout_becomes_version_and_annotations() -> None:
    kube = a_world(a_pool())
    await one_pass(kube)
    await roll_out(kube)
    scope, _ = await one_pass(kube)
    assert scope.status["version"] == "1.35.8"
    assert scope.status["replicas"] == 2
    assert condition(scope, "Ready") == ("True", "AsExpected", "")
    scope, _ = await one_pass(kube)
    for kind in ("UpdatingConfig", "UpdatingVersion", "UpdatingPlatformMachineTemplate"):
        assert condition(scope, kind) == ("False", "AsExpected", "")


async def test_a_rollout_is_not_complete_while_a_machine_is_of_before() -> None:
    kube = a_world(a_pool(replicas=1))
    first, _ = await one_pass(kube)
    old = {"dataSecretName": f"user-data-workers-{first.wanted_config.hash}"}
    metadata = {
        "name": "m",
        "namespace": "clusters-demo",
        "annotations": {names.NODE_POOL: "clusters/workers"},
    }
    machine = {"kind": "Machine", "metadata": metadata, "spec": {"bootstrap": old}}
    kube.put({"apiVersion": "cluster.x-k8s.io/v1beta2"} | machine)
    await roll_out(kube)
    await one_pass(kube)
    pool = await kube.get(kinds.NODE_POOL, "workers", "clusters")
    pool["spec"]["release"] = {"image": "registry.example/release:1.35.7"}
    kube.put(pool)
    await one_pass(kube)
    scope, _ = await one_pass(kube)  # the counters still say that all is well
    assert (condition(scope, "UpdatingVersion") or ("",))[0] == "True"
    assert scope.status["version"] == "1.35.8"
    fresh = {"dataSecretName": f"user-data-workers-{scope.wanted_config.hash}"}
    await kube.patch(kinds.MACHINE, "m", {"spec": {"bootstrap": fresh}}, "clusters-demo")
    scope, _ = await one_pass(kube)
    assert scope.status["version"] == "1.35.7"


async def test_replicas_labels_and_taints_do_not_roll_machines() -> None:
    kube = a_world(a_pool())
    before, _ = await one_pass(kube)
    template = (await deployment(kube))["spec"]["template"]
    pool = await kube.get(kinds.NODE_POOL, "workers", "clusters")
    pool["spec"] |= {"replicas": 5, "nodeLabels": {"team": "a"}}
    pool["spec"]["taints"] = [{"key": "x", "effect": "NoSchedule"}]
    kube.put(pool)
    after, _ = await one_pass(kube)
    live = await deployment(kube)
    assert before.wanted_config.hash == after.wanted_config.hash
    assert live["spec"]["template"] == template
    assert live["spec"]["replicas"] == 5


async def test_existing_machines_learn_labels_and_taints() -> None:
    pool = a_pool(nodeLabels={"team": "a"}, taints=[{"key": "x", "effect": "NoSchedule"}])
    kube = a_world(pool)
    marks = {names.NODE_POOL: "clusters/workers"}
    metadata = {"name": "m", "namespace": "clusters-demo", "annotations": marks}
    kube.put({"apiVersion": "cluster.x-k8s.io/v1beta2", "kind": "Machine", "metadata": metadata})
    await one_pass(kube)
    machine = await kube.get(kinds.MACHINE, "m", "clusters-demo")
    assert machine["metadata"]["labels"] == {"managed.hypershift.openshift.io.team": "a"}
    assert machine["metadata"]["annotations"][names.TAINTS] == '[{"key":"x","effect":"NoSchedule"}]'


async def test_a_config_change_makes_new_secrets_and_lets_the_old_token_expire() -> None:
    kube = a_world(a_pool())
    first, _ = await one_pass(kube)
    old = first.wanted_config.hash
    pool = await kube.get(kinds.NODE_POOL, "workers", "clusters")
    pool["metadata"]["annotations"][names.CURRENT_CONFIG_VERSION] = old  # nodes have it by now
    pool["spec"]["config"] = [{"name": "kubelet"}]
    kube.put(pool)
    api = "machineconfiguration.openshift.io/v1"
    config = f"apiVersion: {api}\nkind: KubeletConfig\nmetadata: {{name: k}}\n"
    kube.put(
        {
            "apiVersion": "v1",
            "kind": "ConfigMap",
            "metadata": {"name": "kubelet", "namespace": "clusters"},
            "data": {"config": config},
        }
    )
    second, _ = await one_pass(kube)
    new = second.wanted_config.hash
    assert new != old
    live = await deployment(kube)
    dataname = live["spec"]["template"]["spec"]["bootstrap"]["dataSecretName"]
    assert dataname == f"user-data-workers-{new}"
    assert await kube.find(kinds.SECRET, f"user-data-workers-{old}", "clusters-demo") is None
    expiring = await kube.get(kinds.SECRET, f"token-workers-{old}", "clusters-demo")
    assert expiring["metadata"]["annotations"][token.EXPIRES_AT] == "2026-01-01T02:00:00Z"


async def test_user_data_follows_a_rotated_token() -> None:
    kube = a_world(a_pool())
    scope, _ = await one_pass(kube)
    name = f"token-workers-{scope.wanted_config.hash}"
    fresh = base64.b64encode(b"fresh").decode()
    await kube.patch(kinds.SECRET, name, {"data": {"token": fresh}}, "clusters-demo")
    await one_pass(kube)
    user_data = await kube.get(
        kinds.SECRET, f"user-data-workers-{scope.wanted_config.hash}", "clusters-demo"
    )
    assert fresh.encode() in base64.b64decode(user_data["data"]["value"])


async def test_the_autoscaler_keeps_its_number_within_the_limits() -> None:
    kube = a_world(a_pool(autoScaling={"min": 1, "max": 4}))
    await one_pass(kube)
    assert (await deployment(kube))["spec"]["replicas"] == 1
    for asked, kept in ((3, 3), (9, 4), (0, 1)):
        patch = {"spec": {"replicas": asked}}
        await kube.patch(kinds.MACHINE_DEPLOYMENT, "workers", patch, "clusters-demo")
        await one_pass(kube)
        assert (await deployment(kube))["spec"]["replicas"] == kept


async def test_machines_are_repaired_once_one_has_come() -> None:
    management = a_pool()["spec"]["management"] | {"autoRepair": True}
    kube = a_world(a_pool(management=management))
    scope, _ = await one_pass(kube)
    assert await kube.find(kinds.MACHINE_HEALTH_CHECK, "workers", "clusters-demo") is None
    name = f"token-workers-{scope.wanted_config.hash}"
    patch = {"metadata": {"annotations": {token.REACHED: "True"}}}
    await kube.patch(kinds.SECRET, name, patch, "clusters-demo")
    scope, _ = await one_pass(kube)
    check = await kube.get(kinds.MACHINE_HEALTH_CHECK, "workers", "clusters-demo")
    assert check["spec"]["checks"]["unhealthyNodeConditions"][0]["timeoutSeconds"] == 480
    assert check["spec"]["remediation"] == {"triggerIf": {"unhealthyLessThanOrEqualTo": 2}}
    assert condition(scope, "AutorepairEnabled") == ("True", "AsExpected", "")


async def test_what_is_missing_stops_the_pass_with_its_condition() -> None:
    kube = a_world(a_pool(), a_cluster(status={"ignitionEndpoint": ""}))
    scope, _ = await one_pass(kube)
    assert condition(scope, "IgnitionEndpointAvailable") == (
        "False",
        "IgnitionEndpointMissing",
        "Ignition endpoint not available, waiting",
    )
    kube = a_world(a_pool(config=[{"name": "nope"}]))
    scope, _ = await one_pass(kube)
    assert condition(scope, "ValidMachineConfig") == (
        "False",
        "ValidationFailed",
        'configmaps "nope" not found',
    )
    kube = a_world(a_pool(release={"image": "registry.example/broken:1.35.8"}))
    scope, _ = await one_pass(kube)
    assert condition(scope, "ValidReleaseImage") == (
        "False",
        "ValidationFailed",
        (
            "Failed to get release image: failed to look up release image metadata: "
            "unable to lookup release image"
        ),
    )
    kube = a_world(a_pool(clusterName="nobody"))
    scope, _ = await one_pass(kube)
    assert (condition(scope, "Ready") or ("",) * 3)[1] == "HostedClusterNotFound"


async def test_a_release_newer_than_the_cluster_is_refused() -> None:
    kube = a_world(a_pool(release={"image": "registry.example/release:1.35.9"}))
    scope, _ = await one_pass(kube)
    assert condition(scope, "ValidReleaseImage") == (
        "False",
        "ValidationFailed",
        (
            'Failed to get release image: the latest version supported is: "1.35.8". '
            'Attempting to use: "1.35.9"'
        ),
    )


async def test_a_pool_without_machines_of_ours_is_done_with_its_token() -> None:
    kube = a_world(a_pool(platform={"type": "None"}))
    scope, report = await one_pass(kube)
    assert not report.errors
    assert scope.status["version"] == "1.35.8"
    pool = await kube.get(kinds.NODE_POOL, "workers", "clusters")
    assert pool["metadata"]["annotations"][names.CURRENT_CONFIG_VERSION] == scope.wanted_config.hash
    assert await kube.find(kinds.MACHINE_DEPLOYMENT, "workers", "clusters-demo") is None


async def test_a_paused_pool_pauses_cluster_api() -> None:
    kube = a_world(a_pool())
    await one_pass(kube)
    pool = await kube.get(kinds.NODE_POOL, "workers", "clusters")
    kube.put(deep_merge(pool, {"spec": {"pausedUntil": "true", "replicas": 7}}))
    scope, _ = await one_pass(kube)
    live = await deployment(kube)
    assert live["metadata"]["annotations"][names.PAUSED] == "true"
    assert live["spec"]["replicas"] == 2
    assert (condition(scope, "ReconciliationActive") or ("",))[0] == "False"
    pool = await kube.get(kinds.NODE_POOL, "workers", "clusters")
    pool["spec"].pop("pausedUntil")
    kube.put(pool)
    await one_pass(kube)
    live = await deployment(kube)
    assert names.PAUSED not in live["metadata"]["annotations"]
    assert live["spec"]["replicas"] == 7


async def test_an_in_place_pool_is_a_machine_set_that_starts_up_to_date() -> None:
    management = {"upgradeType": "InPlace", "inPlace": {"maxUnavailable": "50%"}}
    kube = a_world(a_pool(management=management, replicas=5))
    scope, _ = await one_pass(kube)
    live = await kube.get(kinds.MACHINE_SET, "workers", "clusters-demo")
    marks = live["metadata"]["annotations"]
    assert marks[names.MAX_UNAVAILABLE] == "2"
    assert (
        marks[names.CURRENT_CONFIG_VERSION]
        == marks[names.TARGET_CONFIG_VERSION]
        == scope.wanted_config.hash
    )


async def test_deletion_keeps_secrets_until_the_last_machine_is_gone() -> None:
    kube = a_world(a_pool())
    scope, _ = await one_pass(kube)
    marks = {names.NODE_POOL: "clusters/workers"}
    metadata = {"name": "m", "namespace": "clusters-demo", "annotations": marks}
    kube.put({"apiVersion": "cluster.x-k8s.io/v1beta2", "kind": "Machine", "metadata": metadata})
    _, report = await one_pass(kube, DELETE)
    name = f"token-workers-{scope.wanted_config.hash}"
    assert report.stop is not None
    assert report.stop.after == timedelta(seconds=5)
    assert await kube.find(kinds.SECRET, name, "clusters-demo")
    assert await kube.find(kinds.MACHINE_DEPLOYMENT, "workers", "clusters-demo") is None
    await kube.delete(kinds.MACHINE, "m", "clusters-demo")
    _, report = await one_pass(kube, DELETE)
    assert report.finished
    assert await kube.find(kinds.SECRET, name, "clusters-demo") is None
    assert await kube.list(kinds.LOCAL_MACHINE_TEMPLATE, "clusters-demo") == []


async def test_deletion_waits_for_machine_sets_that_outlive_their_deployment() -> None:
    kube = a_world(a_pool())
    await one_pass(kube)
    template = {"metadata": {"annotations": {names.NODE_POOL: "clusters/workers"}}}
    kube.put(
        {
            "apiVersion": "cluster.x-k8s.io/v1beta2",
            "kind": "MachineSet",
            "metadata": {"name": "workers-x7k2p", "namespace": "clusters-demo"},
            "spec": {"template": template},
        }
    )
    _, report = await one_pass(kube, DELETE)
    assert report.stop is not None
    assert report.stop.reason == "MachinesDeleting"
    await kube.delete(kinds.MACHINE_SET, "workers-x7k2p", "clusters-demo")
    _, report = await one_pass(kube, DELETE)
    assert report.finished


API = "machineconfiguration.openshift.io/v1"


@pytest.mark.parametrize(
    ("documents", "why"),
    [
        (
            ["kind: MachineConfig\nmetadata: {name: m}\nspec: {kernelArguments: [quiet]}"],
            "MachineConfig m: kernelArguments cannot be honoured here",
        ),
        (
            [
                "kind: KubeletConfig\nmetadata: {name: a}",
                "kind: KubeletConfig\nmetadata: {name: b}",
            ],
            "a pool can have one KubeletConfig, this one has 2",
        ),
        (["kind: Pod\nmetadata: {name: p}"], "unsupported config type"),
    ],
)
async def test_what_machines_cannot_honour_is_said_before_any_machine_changes(
    documents: list[str], why: str
) -> None:
    kube = a_world(a_pool())
    await one_pass(kube)
    before = await deployment(kube)
    pool = await kube.get(kinds.NODE_POOL, "workers", "clusters")
    pool["spec"]["config"] = [{"name": "own"}]
    kube.put(pool)
    kube.put(
        {
            "apiVersion": "v1",
            "kind": "ConfigMap",
            "metadata": {"name": "own", "namespace": "clusters"},
            "data": {"config": "\n---\n".join(f"apiVersion: {API}\n{one}" for one in documents)},
        }
    )
    scope, _ = await one_pass(kube)
    status, reason, message = condition(scope, "ValidMachineConfig") or ("", "", "")
    assert (status, reason) == ("False", "ValidationFailed")
    assert why in message
    assert (await deployment(kube))["spec"] == before["spec"]
