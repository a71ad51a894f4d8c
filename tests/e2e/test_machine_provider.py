"""The Local provider as Cluster API meets it: objects in, machines and nodes out."""

import base64
import json
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.e2e import machines
from tests.e2e.provider import (
    INFRA,
    NAMESPACE,
    REGISTRY,
    a_secret,
    create_machine,
    ignition_server,
    install,
    is_removed,
    mark_provisioned,
    node_settings,
    objects,
    provider,
    registry,
)

from hypershift import payload
from hypershift.kit import Manifest
from hypershift.kube import Client, kinds
from hypershift.local.machine import sweep
from hypershift.local.provider import Fleet, names

pytestmark = [pytest.mark.e2e]


@pytest.fixture(autouse=True)
def host(tmp_path: Path) -> Iterator[None]:
    machines.needs_root()
    machines.release()
    with machines.bridge():
        try:
            yield
        finally:
            sweep(machines.SCOPE)
    assert not any(machines.traces(tmp_path).values()), machines.traces(tmp_path)


async def test_a_machine_is_made_falls_is_rebooted_upgraded_in_place_and_removed(
    tmp_path: Path,
) -> None:
    async with machines.cluster(tmp_path, **node_settings()) as cluster:
        client = cluster.client
        await install(client)
        with registry(tmp_path), ignition_server(tmp_path, cluster.user_data) as user_data:
            await payload.push(machines.release(), REGISTRY)
            for manifest in objects(user_data, cluster):
                await client.create(manifest)
            await mark_provisioned(client)
            async with provider(tmp_path, cluster) as fleet:
                began = time.monotonic()
                await create_machine(client)
                await becomes_ready(client)
                machines.measured("local_machine_to_node_ready_seconds", time.monotonic() - began)
                await says_what_it_is(client)
                await guest_services_get_addresses(client)
                await falls_and_is_rebooted(client, fleet)
                await is_upgraded_in_place(client, fleet)
                await is_removed(client, fleet)


async def becomes_ready(client: Client) -> None:
    await machines.until("node ready", lambda: machines.node_ready(client, "worker-1"), seconds=90)


async def says_what_it_is(client: Client) -> None:
    await machines.until("provisioned", lambda: condition(client, "True", "Running"))
    found = await client.get(kinds.LOCAL_MACHINE, "worker-1", NAMESPACE)
    assert found["spec"]["providerID"] == f"local://{INFRA}/worker-1"
    assert found["status"]["initialization"]["provisioned"] is True
    assert found["status"]["failureDomain"] in ("a", "b")
    node = await client.get(kinds.NODE, "worker-1")
    assert node["spec"]["providerID"] == found["spec"]["providerID"]
    zone = node["metadata"]["labels"]["topology.kubernetes.io/zone"]
    assert zone == found["status"]["failureDomain"]
    addresses = {one["type"]: one["address"] for one in found["status"]["addresses"]}
    seen = {one["type"]: one["address"] for one in node["status"]["addresses"]}
    assert addresses["InternalIP"] == seen["InternalIP"]
    assert node["status"]["capacity"]["memory"] == "1Gi"
    ground = await client.get(kinds.LOCAL_CLUSTER, "demo", NAMESPACE)
    assert [one["name"] for one in ground["status"]["failureDomains"]] == ["a", "b"]
    offered = await client.get(kinds.LOCAL_MACHINE_TEMPLATE, "pool", NAMESPACE)
    assert offered["status"]["capacity"] == {"cpu": "1", "memory": "1Gi"}


async def guest_services_get_addresses(client: Client) -> None:
    """The cluster is its own guest here, and the test its management cluster's balancer."""
    ports = [{"port": 80, "nodePort": 30080}]
    await client.create(
        {
            "apiVersion": "v1",
            "kind": "Service",
            "metadata": {"name": "web", "namespace": "default"},
            "spec": {"type": "LoadBalancer", "ports": ports, "selector": {"app": "web"}},
        }
    )
    mirror = await machines.until("mirror", lambda: _mirror(client))
    (part,) = await client.list(kinds.ENDPOINT_SLICE, NAMESPACE)
    node = await client.get(kinds.NODE, "worker-1")
    assert part["endpoints"][0]["addresses"] == [node["status"]["addresses"][0]["address"]]
    assert part["ports"][0]["port"] == 30080
    shown = {"status": {"loadBalancer": {"ingress": [{"ip": "10.250.76.99"}]}}}
    name = mirror["metadata"]["name"]
    await client.patch(kinds.SERVICE, name, shown, NAMESPACE, subresource="status")
    await machines.until("address", lambda: _has_address(client, "10.250.76.99"))
    await client.delete(kinds.SERVICE, "web", "default")
    await machines.until("mirror gone", lambda: _no_mirror(client))


async def _mirror(client: Client) -> Manifest | None:
    return next(iter(await client.list(kinds.SERVICE, NAMESPACE)), None)


async def _no_mirror(client: Client) -> bool:
    return await _mirror(client) is None


async def _has_address(client: Client, address: str) -> bool:
    found = await client.get(kinds.SERVICE, "web", "default")
    ingress = found["status"]["loadBalancer"].get("ingress") or ()
    return [one["ip"] for one in ingress] == [address]


async def falls_and_is_rebooted(client: Client, fleet: Fleet) -> None:
    (made,) = fleet.all()
    await made.kill()
    await machines.until("fall reported", lambda: condition(client, "False", "MachineFell"))
    await annotate(client, {names.REBOOT: "please"})
    await machines.until("rebooted", lambda: condition(client, "True", "Running"))
    await becomes_ready(client)
    found = await client.get(kinds.LOCAL_MACHINE, "worker-1", NAMESPACE)
    assert found["metadata"]["annotations"][names.REBOOTED] == "please"


async def is_upgraded_in_place(client: Client, fleet: Fleet) -> None:
    (made,) = fleet.all()
    (made.var / "kept").write_text("by the disk")
    secret = await client.get(kinds.SECRET, "user-data", NAMESPACE)
    document = json.loads(base64.b64decode(secret["data"]["value"]))
    document["storage"] = {"files": [{"path": "/etc/motd", "contents": {"source": "data:,new"}}]}
    await client.create(a_secret("user-data-2", json.dumps(document).encode()))
    await annotate(client, {names.DESIRED_USER_DATA: "user-data-2"})
    await machines.until("upgraded", lambda: _annotated(client, "user-data-2"))
    (again,) = fleet.all()
    await again.booted()
    assert await again.exec("cat", "/etc/motd", "/var/kept") == (0, "newby the disk")


async def _annotated(client: Client, value: str) -> bool:
    found = await client.get(kinds.LOCAL_MACHINE, "worker-1", NAMESPACE)
    return bool(found["metadata"]["annotations"].get(names.CURRENT_USER_DATA) == value)


async def condition(client: Client, status: str, reason: str) -> bool:
    found = await client.get(kinds.LOCAL_MACHINE, "worker-1", NAMESPACE)
    conditions = found.get("status", {}).get("conditions") or ()
    return any((one["status"], one["reason"]) == (status, reason) for one in conditions)


async def annotate(client: Client, annotations: dict[str, str]) -> None:
    patch = {"metadata": {"annotations": annotations}}
    await client.patch(kinds.LOCAL_MACHINE, "worker-1", patch, NAMESPACE)


# The world around the provider
