"""Networks that can, and cannot, live together."""

from typing import Any

import pytest

from hypershift.operators.hypershift.hosted_cluster.validation import network_problems


def a_spec(platform: str = "None", **networking: Any) -> dict[str, Any]:
    base = {
        "clusterNetwork": [{"cidr": "10.132.0.0/14"}],
        "serviceNetwork": [{"cidr": "172.31.0.0/16"}],
    }
    return {"platform": {"type": platform}, "networking": base | networking}


def test_the_defaults_are_fine() -> None:
    assert list(network_problems(a_spec())) == []


def test_overlapping_ranges_are_named() -> None:
    spec = a_spec(serviceNetwork=[{"cidr": "10.132.1.0/24"}])
    assert list(network_problems(spec)) == [
        "service network 10.132.1.0/24 and cluster network 10.132.0.0/14 overlap"
    ]


def test_ibm_cloud_has_rules_of_its_own() -> None:
    spec = a_spec("IBMCloud", serviceNetwork=[{"cidr": "10.132.1.0/24"}])
    assert list(network_problems(spec)) == []


def test_families_must_not_mix() -> None:
    spec = a_spec(machineNetwork=[{"cidr": "fd01::/48"}])
    assert any("one IP family" in problem for problem in network_problems(spec))


def test_the_advertise_address_must_be_nobody_elses() -> None:
    spec = a_spec(apiServer={"advertiseAddress": "172.31.0.9"})
    (problem,) = network_problems(spec)
    assert "advertise address 172.31.0.9 lies in the service network" in problem


def test_ovn_subnets_count_as_networks() -> None:
    spec = a_spec("KubeVirt", machineNetwork=[{"cidr": "100.66.1.0/24"}])
    (problem,) = network_problems(spec)
    assert "OVN internalJoinSubnet" in problem


@pytest.mark.parametrize(
    ("node_port", "complaint"),
    [
        ({"address": "192.0.2.1", "port": 30443}, ""),
        ({"address": "192.0.2.1", "port": 6443}, "node port 6443 is not in 30000-32767"),
        ({"address": "172.31.0.7"}, "lies in the service network"),
        ({"address": "node.example.com"}, ""),
    ],
)
def test_a_node_port_must_be_one(node_port: dict[str, Any], complaint: str) -> None:
    strategy = {"type": "NodePort", "nodePort": node_port}
    services = [{"service": "APIServer", "servicePublishingStrategy": strategy}]
    problems = list(network_problems(a_spec() | {"services": services}))
    assert bool(problems) == bool(complaint)
    assert all(complaint in problem for problem in problems)


def test_a_range_that_is_none_is_a_sentence_and_not_a_crash() -> None:
    (problem,) = network_problems(a_spec(serviceNetwork=[{"cidr": "10.0.0.0/99"}]))
    assert "10.0.0.0/99" in problem
