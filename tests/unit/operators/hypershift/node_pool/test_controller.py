"""Whole passes over a pool, with the API in memory."""

import base64
import json

from tests.unit.operators.hypershift.node_pool.passes import (
    a_cluster,
    a_pool,
    a_world,
    condition,
    deployment,
    one_pass,
)

from hypershift.ignition import token
from hypershift.kit import deep_merge
from hypershift.kube import kinds
from hypershift.operators.hypershift.node_pool import names


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


async def test_machines_of_a_restored_cluster_count_as_having_come_for_their_token() -> None:
    restored = {"metadata": {"annotations": {names.RESTORED: ""}}}
    kube = a_world(a_pool(), a_cluster(**restored))
    scope, _ = await one_pass(kube)
    name = token.token_name("workers", scope.wanted_config.hash)
    secret = await kube.get(kinds.SECRET, name, "clusters-demo")
    assert secret["metadata"]["annotations"][token.REACHED] == "True"


async def test_a_second_pass_writes_nothing() -> None:
    kube = a_world(a_pool())
    await one_pass(kube)
    await one_pass(kube)
    kube.writes.clear()
    await one_pass(kube)
    assert kube.writes == []


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
