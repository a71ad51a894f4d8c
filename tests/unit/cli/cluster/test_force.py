"""`destroy cluster --force` lets go of everything that is held, on a simulated API server."""

import random
from datetime import timedelta
from typing import Any

import pytest
from tests.lib.sim.server import SimServer
from tests.lib.sim.transport import SimTransport

from hypershift.api import annotations
from hypershift.cli.cluster import destroy
from hypershift.cli.cluster.force import strip
from hypershift.cli.cluster.wait import Progress
from hypershift.kit import Manifest, UsageError, key_of
from hypershift.kube import Client, kinds
from hypershift.operators.hypershift import ownership
from hypershift.operators.hypershift.ownership import Owner

PLANE = "clusters-demo"


def held(kind: str, api_version: str, name: str, namespace: str, **spec: Any) -> Manifest:
    metadata = {"name": name, "namespace": namespace, "finalizers": ["example.com/held"]}
    return {"apiVersion": api_version, "kind": kind, "metadata": metadata, "spec": spec}


def a_namespace(name: str, **metadata: Any) -> Manifest:
    return {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name, **metadata}}


@pytest.fixture
async def client() -> Client:
    rng = random.Random(1)  # noqa: S311 (tests repeat themselves)
    server = SimServer(rng=rng, now=lambda: "2026-01-01T00:00:00Z")
    client = Client(SimTransport(server, name="user"), manager="user")
    ours, capi = kinds.NODE_POOL.api_version, kinds.MACHINE.api_version
    await client.create(a_namespace("clusters"))
    cluster = await client.create(held("HostedCluster", ours, "demo", "clusters"))
    mark = ownership.mark(Owner(key_of(cluster), cluster["metadata"]["uid"]))
    await client.create(a_namespace(PLANE, annotations=mark))
    await client.create(held("NodePool", ours, "mine", "clusters", clusterName="demo"))
    await client.create(held("NodePool", ours, "other", "clusters", clusterName="blue"))
    await client.create(held("HostedControlPlane", ours, "demo", PLANE))
    await client.create(held("Machine", capi, "m-1", PLANE))
    await client.create(held("LocalMachine", kinds.LOCAL_MACHINE.api_version, "m-1", PLANE))
    return client


async def test_everything_of_the_cluster_goes_and_nothing_else(client: Client) -> None:
    await strip(client, "clusters", "demo", Progress())
    for kind in (kinds.LOCAL_MACHINE, kinds.MACHINE, kinds.HOSTED_CONTROL_PLANE):
        assert await client.list(kind, PLANE) == []
    assert await client.find(kinds.HOSTED_CLUSTER, "demo", "clusters") is None
    [pool] = await client.list(kinds.NODE_POOL, "clusters")
    assert pool["metadata"]["name"] == "other"
    assert not pool["metadata"].get("deletionTimestamp")


@pytest.mark.parametrize("changed", [{annotations.CLUSTER: "a/b"}, {ownership.CLUSTER_UID: "x"}])
async def test_a_namespace_of_others_stays(client: Client, changed: dict[str, str]) -> None:
    await client.patch(kinds.NAMESPACE, PLANE, {"metadata": {"annotations": changed}})
    await strip(client, "clusters", "demo", Progress())
    for kind in (kinds.LOCAL_MACHINE, kinds.MACHINE, kinds.HOSTED_CONTROL_PLANE):
        [kept] = await client.list(kind, PLANE)
        assert kept["metadata"]["finalizers"]
    assert not (await client.get(kinds.NAMESPACE, PLANE))["metadata"].get("deletionTimestamp")
    assert await client.find(kinds.HOSTED_CLUSTER, "demo", "clusters") is None


ENDING = destroy.Ending("demo", "clusters", timedelta(0))


async def test_without_force_the_end_of_the_grace_period_is_told(client: Client) -> None:
    await client.delete(kinds.HOSTED_CLUSTER, "demo", "clusters")
    with pytest.raises(UsageError, match=r"example\.com/held; --force strips"):
        await destroy.until_gone(client, ENDING, force=False)


async def test_with_force_the_cluster_is_gone_after_the_grace_period(client: Client) -> None:
    await client.delete(kinds.HOSTED_CLUSTER, "demo", "clusters")
    await destroy.until_gone(client, ENDING, force=True)
    assert await client.find(kinds.HOSTED_CLUSTER, "demo", "clusters") is None
