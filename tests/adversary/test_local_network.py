"""Hostile guests of Platform Local against other tenants' addresses and load balancers (M4, M5)."""

from ipaddress import IPv4Network
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from tests.lib.memory import MemoryClient

from hypershift.kit import Key, Manifest, key_of
from hypershift.kube import kinds
from hypershift.local.cluster.plan import Plan
from hypershift.local.controllers import sources, tell
from hypershift.local.controllers.balancer import (
    MAX_PER_NAMESPACE,
    assign,
    forwards,
    problem,
)
from hypershift.local.network import nat
from hypershift.local.network.ports import MANAGEMENT, Port, by_tenant, link_local, ruleset
from hypershift.local.provider import mirror
from hypershift.local.provider.fleet import Addresses

POOL = IPv4Network("10.80.32.0/28")


def a_service(name: str = "web", namespace: str = "default", **spec: Any) -> Manifest:
    return {
        "apiVersion": "v1",
        "kind": "Service",
        "metadata": {"name": name, "namespace": namespace, "uid": "u"},
        "spec": {"type": "LoadBalancer", "ports": [{"port": 80}], **spec},
    }


def a_slice(service: Manifest) -> Manifest:
    key = key_of(service)
    return {
        "metadata": {
            "name": f"{key.name}-1",
            "namespace": key.namespace,
            "labels": {"kubernetes.io/service-name": key.name},
        },
        "addressType": "IPv4",
        "ports": [{"port": 8080}],
        "endpoints": [{"addresses": ["10.0.0.1"]}],
    }


HOSTILE = st.one_of(
    st.text(max_size=20),
    st.sampled_from(["::/0", "2001:db8::/32", "0.0.0.0/0 } accept", "10.0.0.0/33", "10.0.0.0/8"]),
    st.ip_addresses().map(str),
)


@given(st.lists(HOSTILE, max_size=8))
def test_source_ranges_break_no_rule_but_their_own(given_ranges: list[str]) -> None:
    bad, good = a_service("bad", loadBalancerSourceRanges=given_ranges), a_service("good")
    chosen = assign([bad, good], POOL)
    addresses = {key: (address,) for key, address in chosen.items()}
    found = forwards([bad, good], [a_slice(bad), a_slice(good)], addresses)
    rules = nat.ruleset(Plan(0), found)
    assert rules.count("tcp dport 80 dnat to 10.0.0.1:8080") in (1, 2)
    for forward in found:
        networks = [IPv4Network(one) for one in forward.sources]
        assert not any(
            one.overlaps(other) for at, one in enumerate(networks) for other in networks[:at]
        )
    # A Service that names ranges is open to those alone, or to nobody.
    if given_ranges:
        assert all(one.sources for one in found if one.address == chosen[key_of(bad)])


def test_a_service_with_ipv6_ranges_alone_is_open_to_nobody_and_says_so() -> None:
    service = a_service(loadBalancerSourceRanges=["2001:db8::/32"])
    addresses = {key_of(service): ("10.80.32.1",)}
    assert forwards([service], [a_slice(service)], addresses) == []
    assert "no IPv4 range" in problem(service, addresses, Plan(0))


def test_thousands_of_ranges_are_refused_with_a_sentence() -> None:
    service = a_service(
        loadBalancerSourceRanges=[f"10.{a}.{b}.0/24" for a in range(9) for b in range(99)]
    )
    assert "at most 256" in sources.problem(service)


def test_a_pool_that_is_used_up_leaves_a_message_and_serves_the_others() -> None:
    services = [a_service(f"s{number:02}") for number in range(20)]
    chosen = assign(services, POOL)
    assert len(chosen) == 14
    assert [problem(one, chosen, Plan(0)) for one in services[:14]] == [""] * 14
    assert "no address is free" in problem(services[19], chosen, Plan(0))


def test_one_namespace_cannot_take_all_addresses() -> None:
    pool = IPv4Network("10.80.32.0/22")
    greedy = [a_service(f"s{number:04}", "greedy") for number in range(900)]
    chosen = assign([*greedy, a_service("late", "victim")], pool)
    assert Key("victim", "late") in chosen
    assert len(chosen) == MAX_PER_NAMESPACE + 1
    assert "its quota" in problem(greedy[-1], chosen, Plan(0))


def test_one_hosted_cluster_has_a_quota() -> None:
    services = [a_service(f"s{number:03}") for number in range(200)]
    assert len(mirror.within_quota(services)) == mirror.QUOTA < MAX_PER_NAMESPACE


def test_a_node_object_cannot_name_the_address_of_another_tenant() -> None:
    liar = {
        "metadata": {"name": "w1"},
        "status": {
            "addresses": [{"type": "InternalIP", "address": "10.80.0.11"}],
            "conditions": [{"type": "Ready", "status": "True"}],
        },
    }
    unknown = {**liar, "metadata": {"name": "elsewhere"}}
    machines = {"w1": Addresses("10.80.16.5", "fd68:7370:80::1005")}
    assert mirror.node_addresses([liar, unknown], machines) == machines


async def test_a_problem_is_told_once_by_condition_and_event_and_taken_back() -> None:
    client = MemoryClient(a_service())
    await tell.report(client, await client.get(kinds.SERVICE, "web", "default"), "it is full")
    service = await client.get(kinds.SERVICE, "web", "default")
    assert tell.trouble_of(service) == "it is full"
    (event,) = await client.list(kinds.EVENT)
    assert (event["reason"], event["message"]) == ("SyncLoadBalancerFailed", "it is full")
    client.writes.clear()
    await tell.report(client, service, "it is full")
    assert client.writes == []
    await tell.report(client, service, "")
    assert tell.trouble_of(await client.get(kinds.SERVICE, "web", "default")) == ""


PORTS = (
    Port("hsm", "02:00:00:00:00:01", "10.80.0.11"),
    Port("hsa1", "02:00:00:00:00:02", "10.80.16.5", "team-a"),
    Port("hsa2", "02:00:00:00:00:03", "10.80.16.6", "team-a"),
    Port("hsb1", "02:00:00:00:00:04", "10.80.16.7", "team-b", "fd68:7370:80::1007"),
)


def test_a_port_has_the_machines_own_addresses_and_its_tenants_neighbours() -> None:
    text = ruleset(Plan(0), PORTS)
    assert '"hsa1" . 02:00:00:00:00:02' in text
    assert '"hsa1" . 10.80.16.5' in text
    assert '"hsm" . 10.80.128.0/17' in text
    assert '"hsa1" . 10.80.128.0/17' not in text
    assert 'oifname { "hsa1", "hsa2" } accept' in text
    assert 'oifname { "hsb1" } accept' in text
    assert list(by_tenant(PORTS)) == [MANAGEMENT, "team-a", "team-b"]


def test_a_port_announces_its_own_ipv6_addresses_alone() -> None:
    text = ruleset(Plan(0, ipv6=True), PORTS)
    assert '"hsb1" . fe80::ff:fe00:4, "hsb1" . fd68:7370:80::1007' in text
    assert str(link_local("02:00:00:00:00:04")) == "fe80::ff:fe00:4"
    number = int(link_local("02:00:00:00:00:04"))
    assert f'iifname "hsb1" @th,64,128 != {{ 0x{number:032x}, 0xfd687370008000' in text


def test_the_table_goes_with_the_last_machine() -> None:
    assert ruleset(Plan(2), ()) == "table bridge hypershift2 {}\ndelete table bridge hypershift2\n"
