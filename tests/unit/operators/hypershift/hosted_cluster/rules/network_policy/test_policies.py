"""What the policies of a control plane promise, whatever cluster it is."""

import ipaddress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.lib.decoded import a_decoded_spec

from hypershift.kit import TransientError
from hypershift.operators.hypershift.hosted_cluster.rules.network_policy import (
    Case,
    Networks,
    Surroundings,
    policies,
)

AROUND = Surroundings(api_addresses=("192.0.2.10",))


def a_spec(platform: str = "Local", way: str = "LoadBalancer") -> dict[str, Any]:
    services = ("APIServer", "Konnectivity", "Ignition", "OAuthServer")
    return {
        "platform": {"type": platform},
        "infraID": "demo-abcde",
        "services": [
            {"service": name, "servicePublishingStrategy": {"type": way}} for name in services
        ],
    }


def named(case: Case) -> dict[str, Any]:
    return {policy["metadata"]["name"]: policy for policy in policies(case)}


def blocks(policy: dict[str, Any]) -> list[dict[str, Any]]:
    peers = [peer for rule in policy["spec"].get("egress", ()) for peer in rule.get("to", ())]
    return [peer["ipBlock"] for peer in peers if "ipBlock" in peer]


@pytest.mark.parametrize("platform", ["Local", "None", "AWS", "Azure", "KubeVirt", "Agent"])
def test_no_platform_lets_a_pod_reach_the_management_api_by_default(platform: str) -> None:
    found = named(Case(a_decoded_spec(a_spec(platform)), "clusters-demo", AROUND))
    policy = found["management-kas" if platform == "AWS" else "management-egress"]
    assert blocks(policy) == [{"cidr": "0.0.0.0/0", "except": ["192.0.2.10/32"]}]


def test_konnectivity_and_ignition_by_load_balancer_are_open_to_machines() -> None:
    found = named(Case(a_decoded_spec(a_spec()), "clusters-demo", AROUND))
    ports = found["loadbalancer-konnectivity-kas"]["spec"]["ingress"]
    assert ports == [{"ports": [{"port": 8091, "protocol": "TCP"}]}]
    assert "loadbalancer-ignition" in found


def test_only_azure_clusters_have_a_leg_in_the_customers_network() -> None:
    swift = {"hypershift.openshift.io/swift-pod-network-instance": "net"}
    aws = a_spec("AWS") | {"platform": {"type": "AWS", "aws": {"endpointAccess": "Public"}}}
    assert "openshift-ingress" in named(
        Case(a_decoded_spec(aws), "clusters-demo", AROUND, annotations=swift)
    )
    azure = named(Case(a_decoded_spec(a_spec("Azure")), "clusters-demo", AROUND, annotations=swift))
    assert "openshift-ingress" not in azure


def test_machines_reach_only_the_node_ports_that_publish_something() -> None:
    spec = a_spec("KubeVirt", "NodePort")
    for service, address in zip(spec["services"], ("192.0.2.1", "192.0.2.2"), strict=False):
        service["servicePublishingStrategy"]["nodePort"] = {"address": address}
    spec["services"][1]["servicePublishingStrategy"]["type"] = "Route"
    machines = named(Case(a_decoded_spec(spec), "clusters-demo", AROUND))["virt-launcher"]
    assert {"cidr": "192.0.2.1/32"} in blocks(machines)
    assert {"cidr": "192.0.2.2/32"} not in blocks(machines)


def test_an_operator_outside_reads_etcds_metrics_and_nothing_else() -> None:
    shared = Surroundings(api_addresses=("192.0.2.10",), operator_namespace="hypershift")
    assert "operator-metrics" not in named(Case(a_decoded_spec(a_spec()), "clusters-demo", AROUND))
    found = named(Case(a_decoded_spec(a_spec()), "clusters-demo", shared))["operator-metrics"][
        "spec"
    ]
    assert found["podSelector"] == {"matchLabels": {"app": "etcd"}}
    (rule,) = found["ingress"]
    assert rule["ports"] == [{"port": 2381, "protocol": "TCP"}]
    (peer,) = rule["from"]
    assert peer["podSelector"] == {"matchLabels": {"app": "operator"}}


@pytest.mark.parametrize("platform", ["AWS", "KubeVirt", "None"])
def test_a_namespace_is_closed_even_when_the_management_endpoints_cannot_be_read(
    platform: str,
) -> None:
    made: list[dict[str, Any]] = []
    with pytest.raises(TransientError, match="kubernetes endpoints"):
        made.extend(
            policies(Case(a_decoded_spec(a_spec(platform)), "clusters-demo", Surroundings()))
        )
    names = {policy["metadata"]["name"] for policy in made}
    assert names - {"openshift-ingress"} == {"same-namespace", "kas"}


@pytest.mark.parametrize(
    ("version", "egress"), [((4, 13), False), ((4, 14), True), ((5, 0), True), ((1, 35), True)]
)
def test_only_the_oldest_routers_of_openshift_dial_where_they_like(
    version: tuple[int, int], *, egress: bool
) -> None:
    found = named(Case(a_decoded_spec(a_spec("AWS")), "clusters-demo", AROUND, version=version))
    assert ("egress" in found["private-router"]["spec"]) is egress


networks = st.one_of(
    st.ip_addresses(v=4).map(lambda a: f"{ipaddress.ip_network((a, 16), strict=False)}"),
    st.ip_addresses(v=6).map(lambda a: f"{ipaddress.ip_network((a, 64), strict=False)}"),
)


@given(
    pods=st.lists(networks, max_size=3),
    addresses=st.lists(st.ip_addresses().map(str), min_size=1, max_size=3),
    platform=st.sampled_from(["AWS", "Local", "KubeVirt", "GCP"]),
)
def test_an_exception_is_always_inside_its_block(
    pods: list[str], addresses: list[str], platform: str
) -> None:
    around = Surroundings(api_addresses=tuple(addresses), networks=Networks(tuple(pods)))
    for policy in policies(Case(a_decoded_spec(a_spec(platform)), "clusters-demo", around)):
        for block in blocks(policy):
            outer = ipaddress.ip_network(block["cidr"])
            for inner in block.get("except", ()):
                assert ipaddress.ip_network(inner).subnet_of(outer)  # type: ignore[arg-type]  # the families are equal, or this raises
