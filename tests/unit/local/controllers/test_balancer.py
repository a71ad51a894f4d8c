from ipaddress import IPv4Address, IPv4Network
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from hypershift.kit import Key, Manifest, key_of
from hypershift.local.cluster.plan import Plan
from hypershift.local.controllers.balancer import (
    assign,
    both,
    forwards,
    held,
    is_ours,
    problem,
    targets,
)
from hypershift.local.controllers.families import FAMILIES

POOL = IPv4Network("10.80.32.0/27")
PLAN, PLAN_V4 = Plan(0, ipv6=True), Plan(0)


def a_service(name: str, *, held_ip: str = "", asks: str = "", **spec: Any) -> Manifest:
    ingress = [{"ip": held_ip}] if held_ip else []
    wish = {"loadBalancerIP": asks} if asks else {}
    ports = [{"port": 80, "targetPort": 8080}]
    return {
        "metadata": {"name": name, "namespace": "default"},
        "spec": {"type": "LoadBalancer", "ports": ports, **wish, **spec},
        "status": {"loadBalancer": {"ingress": ingress}},
    }


def a_slice(service: str, *endpoints: Manifest, port: int = 8080, name: str = "") -> Manifest:
    return {
        "metadata": {
            "name": f"{service}-1",
            "namespace": "default",
            "labels": {"kubernetes.io/service-name": service},
        },
        "addressType": "IPv4",
        "ports": [{"name": name, "port": port, "protocol": "TCP"}],
        "endpoints": list(endpoints),
    }


def an_endpoint(ip: str, node: str = "n1", **conditions: bool) -> Manifest:
    return {"addresses": [ip], "nodeName": node, "conditions": conditions}


def addresses_of(service: Manifest, plan: Plan = PLAN_V4) -> dict[Key, tuple[str, ...]]:
    chosen = assign([service], plan.balancers)
    return {key: both(address, service, plan) for key, address in chosen.items()}


addresses = st.one_of(
    st.just(""),
    st.just("10.99.0.1"),
    st.integers(1, 30).map(lambda number: str(POOL[number])),
)
services = st.lists(st.tuples(addresses, addresses), min_size=0, max_size=20).map(
    lambda pairs: [
        a_service(f"s{number}", held_ip=has, asks=asks) for number, (has, asks) in enumerate(pairs)
    ]
)


@given(services)
def test_every_service_has_an_address_of_its_own(found: list[Manifest]) -> None:
    chosen = assign(found, POOL)
    assert len(set(chosen.values())) == len(found)
    assert all(IPv4Address(address) in POOL for address in chosen.values())


@given(services)
def test_a_second_pass_gives_the_same_addresses(found: list[Manifest]) -> None:
    chosen = assign(found, POOL)
    shown = [a_service(each["metadata"]["name"], held_ip=chosen[key_of(each)]) for each in found]
    assert assign(shown, POOL) == chosen


def test_an_address_that_was_asked_for_is_given_when_it_is_free() -> None:
    chosen = assign([a_service("a", asks="10.80.32.9"), a_service("b", asks="10.80.32.9")], POOL)
    assert chosen[Key("default", "a")] == "10.80.32.9"
    assert chosen[Key("default", "b")] != "10.80.32.9"


def test_a_service_of_another_balancer_is_not_ours() -> None:
    assert is_ours(a_service("a"))
    assert not is_ours(a_service("a", loadBalancerClass="example.com/other"))
    assert not is_ours(a_service("a", type="ClusterIP"))
    assert held(a_service("a", held_ip="10.80.32.4")) == "10.80.32.4"


def test_only_ready_pods_get_connections() -> None:
    part = a_slice("a", an_endpoint("10.0.0.1", ready=True), an_endpoint("10.0.0.2", ready=False))
    assert targets("", [part], ()) == (("10.0.0.1", 8080),)


def test_pods_of_dead_nodes_get_none_unless_there_are_no_others() -> None:
    part = a_slice("a", an_endpoint("10.0.0.1", "n1"), an_endpoint("10.0.0.2", "n2"))
    assert targets("", [part], {"n1"}) == (("10.0.0.2", 8080),)
    assert len(targets("", [part], {"n1", "n2"})) == 2


def test_while_all_terminate_those_that_serve_are_kept() -> None:
    ending = an_endpoint("10.0.0.1", ready=False, serving=True, terminating=True)
    assert targets("", [a_slice("a", ending)], ()) == (("10.0.0.1", 8080),)


def test_ports_are_matched_by_name() -> None:
    http = a_slice("a", an_endpoint("10.0.0.1"), name="http")
    other = a_slice("a", an_endpoint("10.0.0.1"), port=9, name="other")
    assert targets("http", [http, other], ()) == (("10.0.0.1", 8080),)


def test_source_ranges_and_affinity_go_with_the_rule() -> None:
    service = a_service("a", sessionAffinity="ClientIP", loadBalancerSourceRanges=["10.0.0.0/8"])
    found = forwards([service], [a_slice("a", an_endpoint("10.0.0.1"))], addresses_of(service))
    assert found[0].sticky
    assert found[0].sources == ("10.0.0.0/8",)
    assert found[0].targets == (("10.0.0.1", 8080),)


def test_a_slice_of_a_namesake_elsewhere_does_not_count() -> None:
    service, part = a_service("a"), a_slice("a", an_endpoint("10.0.0.1"))
    part["metadata"]["namespace"] = "elsewhere"
    assert forwards([service], [part], addresses_of(service))[0].targets == ()


PAIR = ("10.80.32.9", "fd68:7370:80:20::2009")


def test_a_service_of_both_families_has_two_addresses_that_lead_to_pods_of_each() -> None:
    service = a_service("a", ipFamilies=["IPv4", "IPv6"], asks=PAIR[0])
    parts = [
        a_slice("a", an_endpoint("10.0.0.1")),
        a_slice("a", an_endpoint("fd01::1")) | {"addressType": "IPv6"},
    ]
    assert addresses_of(service, PLAN) == {key_of(service): PAIR}
    found = forwards([service], parts, addresses_of(service, PLAN))
    told = {(one.address, one.targets) for one in found}
    assert told == {(PAIR[0], (("10.0.0.1", 8080),)), (PAIR[1], (("fd01::1", 8080),))}


def test_an_ipv6_address_is_kept_and_can_be_asked_for() -> None:
    for service in (a_service("a", held_ip=PAIR[1]), a_service("a", asks=PAIR[1])):
        service["metadata"]["annotations"] = {FAMILIES: "IPv6"}
        assert addresses_of(service, PLAN) == {key_of(service): PAIR[1:]}
    assert held(a_service("a", held_ip="2001:db8::1")) == "2001:db8::1"


def test_each_address_is_open_to_ranges_of_its_family_and_never_to_all() -> None:
    service = a_service("a", loadBalancerSourceRanges=["10.0.0.0/8"])
    service["spec"]["ipFamilies"] = ["IPv4", "IPv6"]
    parts = [a_slice("a", an_endpoint("10.0.0.1"))]
    assert problem(service, {key_of(service)}, PLAN) == ""
    found = forwards([service], parts, addresses_of(service, PLAN))
    assert [(one.address, one.sources) for one in found] == [("10.80.32.1", ("10.0.0.0/8",))]
    service["spec"]["ipFamilies"] = ["IPv6"]
    assert "has no IPv6 range" in problem(service, {key_of(service)}, PLAN)
    assert forwards([service], parts, addresses_of(service, PLAN)) == []


def test_a_host_without_ipv6_says_so_of_services_that_want_nothing_else() -> None:
    service = a_service("a", ipFamilies=["IPv6"])
    assert addresses_of(service) == {key_of(service): ()}
    assert "had no IPv6" in problem(service, {key_of(service)}, Plan(0))
    service["spec"]["ipFamilies"] = ["IPv6", "IPv4"]
    assert addresses_of(service) == {key_of(service): ("10.80.32.1",)}
