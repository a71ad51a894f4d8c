"""What a real API server makes of our definitions."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest
from tests.integration.api.installing import install, remove
from tests.lib.server import RealServer

from hypershift.api import HostedCluster, NodePool
from hypershift.api.annotations import KUBEVIRT_VM_JSON_PATCH
from hypershift.api.defaults import defaulted
from hypershift.api.kind import Cluster
from hypershift.api.policies import policies
from hypershift.api.schema import LOCAL_PLATFORM, FeatureSet, crds
from hypershift.kit import Manifest
from hypershift.kube import ApiError, Client, Invalid

pytestmark = pytest.mark.integration

IMAGE = "registry.example.com/release:1"
VERSION = "hypershift.openshift.io/v1beta1"


def a_cluster(name: str, platform: dict[str, Any], services: int = 4) -> dict[str, Any]:
    names = ("APIServer", "Konnectivity", "Ignition", "OAuthServer")[:services]
    return {
        "apiVersion": VERSION,
        "kind": "HostedCluster",
        "metadata": {"name": name, "namespace": "default"},
        "spec": {
            "platform": platform,
            "pullSecret": {"name": "pull"},
            "release": {"image": IMAGE},
            "services": [
                {"service": each, "servicePublishingStrategy": {"type": "LoadBalancer"}}
                for each in names
            ],
        },
    }


def a_pool(name: str, platform: dict[str, Any], **spec: Any) -> dict[str, Any]:
    return {
        "apiVersion": VERSION,
        "kind": "NodePool",
        "metadata": {"name": name, "namespace": "default"},
        "spec": {
            "clusterName": "demo",
            "management": {"upgradeType": "Replace"},
            "platform": platform,
            "release": {"image": IMAGE},
            **spec,
        },
    }


def chosen(gates: list[str], *plurals: str) -> list[Manifest]:
    """A few definitions of the Default set, so that tests stay quick."""
    made = crds(FeatureSet.DEFAULT, gates)
    return [each for each in made if each["spec"]["names"]["plural"] in plurals]


@pytest.fixture
async def client(server: RealServer) -> AsyncIterator[Client]:
    client = server.client()
    yield client
    await client.close()


@pytest.fixture
async def local(client: Client) -> AsyncIterator[Client]:
    """A server with the definitions that the embedded cluster installs."""
    made = chosen([LOCAL_PLATFORM], "hostedclusters", "nodepools", "localmachines")
    await install(client, made)
    yield client
    await remove(client, made)


@pytest.mark.parametrize("feature_set", list(FeatureSet))
async def test_every_definition_is_within_the_servers_budget(
    client: Client, feature_set: FeatureSet
) -> None:
    made = crds(feature_set, [LOCAL_PLATFORM]) + crds(feature_set, cluster=Cluster.HOSTED)
    await install(client, made)
    await remove(client, made)


async def test_the_server_fills_in_what_we_would(local: Client) -> None:
    cluster = a_cluster("defaults", {"type": "None"})
    stored = await local.create(cluster)
    assert stored["spec"] == defaulted(HostedCluster, cluster)["spec"]
    pool = a_pool("defaults", {"type": "KubeVirt", "kubevirt": {}})
    stored = await local.create(pool)
    assert stored["spec"] == defaulted(NodePool, pool)["spec"]


async def test_a_local_cluster_and_its_pool_are_accepted(local: Client) -> None:
    await local.create(a_cluster("local", {"type": "Local", "local": {"zones": ["a", "b"]}}, 3))
    await local.create(
        a_pool(
            "from-zero",
            {"type": "Local", "local": {"cpu": "1500m", "memory": "1Gi", "zone": "a"}},
            autoScaling={"min": 0, "max": 3},
            arch="arm64",
        )
    )


async def test_rules_that_name_platforms_still_hold_for_the_others(local: Client) -> None:
    with pytest.raises(Invalid, match="at least 4 items or 3 for IBMCloud and Local"):
        await local.create(a_cluster("few", {"type": "None"}, 3))
    with pytest.raises(Invalid, match="Scale-from-zero"):
        await local.create(a_pool("zero", {"type": "None"}, autoScaling={"min": 0, "max": 1}))


async def test_a_local_machine_is_what_cluster_api_expects(local: Client) -> None:
    machine = {
        "apiVersion": "infrastructure.local.hypershift.io/v1beta1",
        "kind": "LocalMachine",
        "metadata": {"name": "one", "namespace": "default"},
        "spec": {"providerID": "local://demo-x/one"},
    }
    stored = await local.create(machine)
    assert stored["spec"] == {"providerID": "local://demo-x/one", "cpu": "2", "memory": "2Gi"}
    stored["status"] = {
        "initialization": {"provisioned": True},
        "ready": True,
        "failureDomain": "a",
        "addresses": [{"type": "InternalIP", "address": "10.80.0.9"}],
    }
    updated = await local.replace_status(stored)
    assert updated["status"] == stored["status"]
    updated["spec"]["providerID"] = "local://demo-x/two"
    with pytest.raises(Invalid, match="providerID is immutable"):
        await local.replace(updated)


async def test_the_platform_without_our_gate_is_unknown(client: Client) -> None:
    made = chosen([], "nodepools")
    await install(client, made)
    try:
        with pytest.raises(Invalid, match='Unsupported value: "Local"'):
            await client.create(a_pool("local", {"type": "Local"}))
    finally:
        await remove(client, made)


async def refusal(client: Client, manifest: dict[str, Any]) -> str:
    """What a policy answers; it is in force a moment after it was written."""
    for attempt in range(100):
        metadata = {**manifest["metadata"], "name": f"attempt-{attempt}"}
        try:
            await client.create({**manifest, "metadata": metadata})
        except ApiError as refused:
            return str(refused)
        await asyncio.sleep(0.1)
    return ""


async def test_a_patch_that_is_none_is_refused_without_a_webhook(local: Client) -> None:
    for manifest in policies():
        await local.apply(manifest)
    pool = a_pool("patched", {"type": "KubeVirt", "kubevirt": {}})
    pool["metadata"]["annotations"] = {KUBEVIRT_VM_JSON_PATCH: "not a patch"}
    refused = await refusal(local, pool)
    assert "must be a JSON list of operations" in refused
    good = '[{"op": "remove", "path": "/spec/x"}]'
    pool["metadata"]["annotations"] = {KUBEVIRT_VM_JSON_PATCH: good}
    await local.create(pool)
