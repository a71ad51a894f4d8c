import asyncio
import random
from typing import Any, cast

import pytest
import yaml
from tests.lib.memory import MemoryClient

from hypershift.kit import Key, Manifest, SystemClock
from hypershift.kube import kinds
from hypershift.local.controllers.families import families
from hypershift.local.provider import health
from hypershift.local.provider.balancer import mirror_services, show_addresses
from hypershift.local.provider.cloud import reachable
from hypershift.local.provider.fleet import Addresses
from hypershift.local.provider.guest import GuestScope
from hypershift.local.provider.mirror import (
    EXCLUDED,
    endpoints,
    mirror_name,
    mirrored,
    node_addresses,
    wants_address,
)
from hypershift.runtime import Context, Wait
from hypershift.runtime.logs import logger

GROUND: Manifest = {
    "apiVersion": "infrastructure.local.hypershift.io/v1beta1",
    "kind": "LocalCluster",
    "metadata": {"name": "demo", "namespace": "clusters-demo", "uid": "u1"},
    "spec": {"controlPlaneEndpoint": {"host": "10.0.32.1", "port": 6443}},
}


def a_service(name: str = "web", **spec: Any) -> Manifest:
    plain = {
        "type": "LoadBalancer",
        "ports": [
            {"port": 80, "nodePort": 30080},
            {"name": "dns", "port": 53, "protocol": "UDP", "nodePort": 30053},
        ],
    }
    return {
        "apiVersion": "v1",
        "kind": "Service",
        "metadata": {"name": name, "namespace": "shop"},
        "spec": plain | spec,
    }


def a_node(
    name: str, address: str, *, ready: bool = True, labels: dict[str, str] | None = None
) -> Manifest:
    return {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {"name": name, "labels": labels or {}},
        "status": {
            "addresses": [{"type": "InternalIP", "address": address}],
            "conditions": [{"type": "Ready", "status": str(ready)}],
        },
    }


class Machines:
    """The guest's machines on this host, whatever its Node objects say."""

    def addresses(self, namespace: str) -> dict[str, Addresses]:
        assert namespace == "clusters-demo"
        return {name: Addresses(f"10.0.16.{at}", f"fd00::{at}") for at, name in enumerate("abc", 1)}


def a_scope(kube: MemoryClient, guest: MemoryClient, *unwell: str) -> GuestScope:
    context = Context(
        kube=kube,
        live=kube,
        clock=SystemClock(),
        events=cast("Any", None),
        log=logger(),
        remotes=cast("Any", None),
        rng=random.Random(0),  # noqa: S311 - a test's own
    )

    async def probe(address: str) -> bool:
        return address not in unwell

    scope = GuestScope(GROUND, context, cast("Any", Machines()), probe=probe)
    scope.connected = guest
    return scope


def test_the_mirror_has_the_guests_ports_and_wishes_and_no_selector() -> None:
    service = a_service(loadBalancerSourceRanges=["10.0.0.0/8"], sessionAffinity="ClientIP")
    spec = mirrored(service, GROUND)["spec"]
    assert [(port["name"], port["port"]) for port in spec["ports"]] == [("tcp-80", 80), ("dns", 53)]
    assert spec["loadBalancerSourceRanges"] == ["10.0.0.0/8"]
    assert spec["sessionAffinity"] == "ClientIP"
    assert "selector" not in spec


def test_the_endpoints_are_the_nodes_at_their_node_ports() -> None:
    (part,) = endpoints(a_service(), GROUND, [Addresses("10.0.16.9"), Addresses("10.0.16.3")])
    assert [one["addresses"] for one in part["endpoints"]] == [["10.0.16.3"], ["10.0.16.9"]]
    assert [(port["name"], port["port"]) for port in part["ports"]] == [
        ("tcp-80", 30080),
        ("dns", 30053),
    ]
    assert part["metadata"]["labels"]["kubernetes.io/service-name"] == part["metadata"]["name"]


def test_a_service_of_both_families_has_endpoints_of_both() -> None:
    service = a_service(ipFamilies=["IPv6", "IPv4"])
    hosts = [Addresses("10.0.16.9", "fd00::9"), Addresses("10.0.16.3")]
    parts = {one["addressType"]: one for one in endpoints(service, GROUND, hosts)}
    found = {kind: [one["addresses"] for one in parts[kind]["endpoints"]] for kind in parts}
    assert found == {"IPv4": [["10.0.16.3"], ["10.0.16.9"]], "IPv6": [["fd00::9"]]}
    names = {one["metadata"]["name"] for one in parts.values()}
    labels = {one["metadata"]["labels"]["kubernetes.io/service-name"] for one in parts.values()}
    ours = mirrored(service, GROUND)
    assert len(names) == 2
    assert labels == {ours["metadata"]["name"]}
    assert families(ours) == ("IPv6", "IPv4")
    assert "ipFamilies" not in ours["spec"]


def test_names_of_mirrors_differ_for_every_guest_service_and_fit() -> None:
    keys = [Key("a", "web"), Key("b", "web"), Key("a", "w" * 63)]
    names = {mirror_name(key) for key in keys}
    assert len(names) == len(keys)
    assert all(len(name) <= 63 for name in names)


def test_only_ready_nodes_take_traffic() -> None:
    nodes = [
        a_node("a", "10.0.16.1"),
        a_node("b", "10.0.16.2", ready=False),
        a_node("c", "10.0.16.3", labels={EXCLUDED: ""}),
    ]
    machines = Machines().addresses("clusters-demo")
    assert node_addresses(nodes, machines) == {"a": Addresses("10.0.16.1", "fd00::1")}


async def test_a_node_that_is_emptied_takes_traffic_only_where_nobody_else_can() -> None:
    leaving = a_node("a", "10.0.16.1") | {"spec": {"unschedulable": True}}
    kube, guest = MemoryClient(), MemoryClient(a_service(), leaving, a_node("b", "10.0.16.2"))
    await mirror_services(a_scope(kube, guest))
    assert await targets(kube) == ["10.0.16.2"]
    await guest.delete(kinds.NODE, "b")
    await mirror_services(a_scope(kube, guest))
    assert await targets(kube) == ["10.0.16.1"]


async def test_a_node_whose_proxy_does_not_answer_waits_until_it_does() -> None:
    kube = MemoryClient()
    guest = MemoryClient(a_service(), a_node("a", "10.0.16.1"), a_node("b", "10.0.16.2"))
    scope = a_scope(kube, guest, "10.0.16.1")
    await mirror_services(scope)
    assert await targets(kube) == ["10.0.16.2"]
    assert await show_addresses(scope) == Wait("Watching", after=health.SOON)
    await mirror_services(a_scope(kube, guest))
    assert await targets(kube) == ["10.0.16.1", "10.0.16.2"]


async def test_where_no_proxy_answers_every_node_is_asked() -> None:
    kube = MemoryClient()
    guest = MemoryClient(a_service(), a_node("a", "10.0.16.1"), a_node("b", "10.0.16.2"))
    await mirror_services(a_scope(kube, guest, "10.0.16.1", "10.0.16.2"))
    assert await targets(kube) == ["10.0.16.1", "10.0.16.2"]


async def test_a_node_is_asked_over_the_network_whether_it_takes_traffic(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    answers = [b"HTTP/1.0 200 OK\r\n\r\n", b"HTTP/1.0 503 Service Unavailable\r\n\r\n", b""]

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readline()
        writer.write(answers.pop(0))
        writer.close()

    async with await asyncio.start_server(answer, "127.0.0.1", 0) as server:
        monkeypatch.setattr(health, "PORT", server.sockets[0].getsockname()[1])
        assert [await health.takes_traffic("127.0.0.1") for _ in range(3)] == [True, False, False]
    assert not await health.takes_traffic("127.0.0.1")


async def targets(kube: MemoryClient) -> list[str]:
    """Where the balancer sends connections."""
    (found,) = await kube.list(kinds.ENDPOINT_SLICE)
    return [address for one in found["endpoints"] for address in one["addresses"]]


def test_a_service_with_another_balancer_or_type_is_left_alone() -> None:
    assert wants_address(a_service())
    assert not wants_address(a_service(type="ClusterIP"))
    assert not wants_address(a_service(loadBalancerClass="other"))


def test_the_guest_is_reached_where_its_machines_reach_it() -> None:
    config = {
        "clusters": [{"name": "c", "cluster": {"server": "https://kube-apiserver:6443"}}],
        "contexts": [{"name": "c", "context": {"cluster": "c", "user": "u"}}],
        "users": [{"name": "u", "user": {"token": "t"}}],
        "current-context": "c",
    }
    changed = yaml.safe_load(reachable(yaml.safe_dump(config).encode(), {"host": "h", "port": 1}))
    assert changed["clusters"][0]["cluster"]["server"] == "https://h:1"


async def test_a_guest_service_gets_the_address_of_its_mirror_and_both_go_together() -> None:
    kube, guest = MemoryClient(), MemoryClient(a_service(), a_node("a", "10.0.16.1"))
    scope = a_scope(kube, guest)
    await mirror_services(scope)
    assert isinstance(await show_addresses(scope), Wait)
    ours = await kube.get(kinds.SERVICE, mirror_name(Key("shop", "web")), "clusters-demo")
    ours["status"] = {"loadBalancer": {"ingress": [{"ip": "10.0.32.7", "ipMode": "Proxy"}]}}
    kube.put(ours)
    assert await show_addresses(scope) == Wait("Watching", after=health.EVERY)
    found = await guest.get(kinds.SERVICE, "web", "shop")
    assert found["status"]["loadBalancer"]["ingress"] == [{"ip": "10.0.32.7"}]
    await guest.delete(kinds.SERVICE, "web", "shop")
    await mirror_services(a_scope(kube, guest))
    assert await kube.list(kinds.SERVICE) == []
    assert await kube.list(kinds.ENDPOINT_SLICE) == []


async def test_a_second_pass_writes_nothing() -> None:
    kube, guest = MemoryClient(), MemoryClient(a_service(), a_node("a", "10.0.16.1"))
    await mirror_services(a_scope(kube, guest))
    kube.writes.clear()
    await mirror_services(a_scope(kube, guest))
    assert kube.writes == []


async def test_where_the_clients_address_is_kept_only_nodes_with_pods_are_asked() -> None:
    slice_of = {
        "apiVersion": "discovery.k8s.io/v1",
        "kind": "EndpointSlice",
        "metadata": {
            "name": "web-1",
            "namespace": "shop",
            "labels": {"kubernetes.io/service-name": "web"},
        },
        "endpoints": [{"addresses": ["10.1.0.1"], "nodeName": "b", "conditions": {"ready": True}}],
    }
    guest = MemoryClient(
        a_service(externalTrafficPolicy="Local"),
        a_node("a", "10.0.16.1"),
        a_node("b", "10.0.16.2"),
        slice_of,
    )
    kube = MemoryClient()
    await mirror_services(a_scope(kube, guest))
    (part,) = await kube.list(kinds.ENDPOINT_SLICE)
    assert [one["addresses"] for one in part["endpoints"]] == [["10.0.16.2"]]
