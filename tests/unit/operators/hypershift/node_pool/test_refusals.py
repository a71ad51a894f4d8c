"""What a pool cannot have: said in a condition, before any machine changes."""

from typing import Any

import pytest
from tests.unit.operators.hypershift.node_pool.passes import (
    a_cluster,
    a_pool,
    a_world,
    condition,
    deployment,
    one_pass,
)

from hypershift.kit import Manifest
from hypershift.kube import kinds
from hypershift.operators.hypershift.node_pool.scope import PoolScope
from hypershift.release import Capability


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


@pytest.mark.parametrize(
    ("field", "value", "kind"),
    [
        ("tuningConfig", [{"name": "tuned"}], "ValidTuningConfig"),
        ("osImageStream", {"name": "rhel-10"}, "ValidMachineConfig"),
        (
            "platform",
            {"type": "Local", "local": {"cpu": "2", "labels": {"rack": "1"}}},
            "ValidMachineConfig",
        ),
    ],
)
async def test_what_a_kubernetes_release_does_not_read_is_refused_and_heals(
    field: str, value: Any, kind: str
) -> None:
    kube = a_world(a_pool(**{field: value}))
    scope, _ = await one_pass(kube)
    status, reason, message = condition(scope, kind) or ("", "", "")
    assert (status, reason) == ("False", "ValidationFailed")
    assert message.startswith(f"spec.{field}")
    assert await kube.list(kinds.MACHINE_DEPLOYMENT, "clusters-demo") == []
    pool = await kube.get(kinds.NODE_POOL, "workers", "clusters")
    pool["spec"] = a_pool()["spec"]
    kube.put(pool)
    scope, _ = await one_pass(kube)
    assert (condition(scope, kind) or ("True",))[0] == "True"
    assert await deployment(kube)


def proxied(no_proxy: str) -> Manifest:
    proxy = {"httpsProxy": "http://proxy.example.org:3128", "noProxy": no_proxy}
    return a_cluster(spec={"configuration": {"proxy": proxy}})


async def test_a_proxy_between_nodes_and_api_is_refused_where_no_program_goes_through_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def can(_scope: PoolScope, capability: Capability) -> bool:
        return capability is not Capability.SUBCOMMANDS

    monkeypatch.setattr(PoolScope, "can", can)
    kube = a_world(a_pool(), proxied("example.org"))
    scope, _ = await one_pass(kube)
    status, _, message = condition(scope, "ValidMachineConfig") or ("", "", "")
    assert status == "False"
    assert "nodes would reach the API server 10.80.32.5:6443 through the proxy" in message
    assert "add the API server's address to spec.configuration.proxy.noProxy" in message
    assert await kube.list(kinds.MACHINE_DEPLOYMENT, "clusters-demo") == []


async def test_our_own_image_goes_through_a_proxy_between_nodes_and_api() -> None:
    kube = a_world(a_pool(), proxied("example.org"))
    scope, _ = await one_pass(kube)
    assert (condition(scope, "ValidMachineConfig") or ("",))[0] == "True"
    assert await deployment(kube)


async def test_a_proxy_that_the_api_is_exempt_from_is_fine() -> None:
    kube = a_world(a_pool(), proxied("10.80.32.5"))
    scope, _ = await one_pass(kube)
    assert (condition(scope, "ValidMachineConfig") or ("",))[0] == "True"
    assert await deployment(kube)
