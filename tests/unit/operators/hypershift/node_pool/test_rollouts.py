"""How a change of a pool reaches its machines, and when it is complete."""

import base64
import json

from tests.unit.operators.hypershift.node_pool.passes import (
    a_pool,
    a_secret,
    a_world,
    condition,
    deployment,
    one_pass,
    roll_out,
)

from hypershift.ignition import token
from hypershift.kube import kinds
from hypershift.operators.hypershift.node_pool import names


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


async def test_another_ignition_authority_reaches_user_data_and_rolls_no_node() -> None:
    kube = a_world(a_pool())
    await one_pass(kube)
    await roll_out(kube)
    scope, _ = await one_pass(kube)
    before = await deployment(kube)
    old, new = "-----BEGIN CERTIFICATE-----\nold\n", "-----BEGIN CERTIFICATE-----\nnew\n"
    kube.put(a_secret(names.IGNITION_CA, "clusters-demo", tls__crt=new, old__crt=old))
    after, _ = await one_pass(kube)
    assert after.wanted_config.hash == scope.wanted_config.hash
    assert await deployment(kube) == before
    name = f"user-data-workers-{scope.wanted_config.hash}"
    user_data = await kube.get(kinds.SECRET, name, "clusters-demo")
    document = json.loads(base64.b64decode(user_data["data"]["value"]))
    sources = document["ignition"]["security"]["tls"]["certificateAuthorities"]
    decoded = [base64.b64decode(one["source"].partition(",")[2]).decode() for one in sources]
    assert decoded == [new, old]


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
