"""What a pool cannot have: said in a condition, before any machine changes."""

import pytest
from tests.unit.operators.hypershift.node_pool.passes import (
    a_cluster,
    a_pool,
    a_world,
    condition,
    deployment,
    one_pass,
)

from hypershift.kube import kinds


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
        (["kind: Pod\nmetadata: {name: p}"], 'no kind "Pod" is registered'),
        (["kind: MachineConfigPool\nmetadata: {name: p}"], "unsupported config type"),
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
