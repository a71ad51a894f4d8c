"""What is counted of Karpenter's nodes, whatever a guest writes there."""

from typing import Any

import pytest

from hypershift.kit import Manifest
from hypershift.operators.karpenter.rules import claims


def a_claim(name: str = "", **status: Any) -> Manifest:
    return {"metadata": {"name": "c"}, "status": {"nodeName": name, **status}}


def test_nodes_of_others_are_not_counted() -> None:
    node = {"metadata": {"name": "a", "labels": {"karpenter.sh/nodepool": "p"}}}
    other = {"metadata": {"name": "b"}}
    found = claims.auto_node([node, other], [a_claim("a", capacity={"cpu": "3900m"}), a_claim()])
    assert found == {"nodeCount": 1, "nodeClaimCount": 2, "vcpus": 4}


@pytest.mark.parametrize("cpu", ["many", "-3", None, {"a": 1}, "9" * 80])
def test_cpus_that_make_no_sense_count_nothing(cpu: object) -> None:
    node = {"metadata": {"name": "a"}}
    assert claims.auto_node([node], [a_claim("a", capacity={"cpu": cpu})])["vcpus"] == 0


def test_cpus_have_a_limit() -> None:
    node = {"metadata": {"name": "a"}}
    many = [a_claim("a", capacity={"cpu": "999999"})] * 3
    assert claims.auto_node([node], many)["vcpus"] == claims.MOST_VCPUS


@pytest.mark.parametrize(
    ("given", "found"),
    [
        ("aws:///eu-west-1a/i-0123456789abcdef0", "i-0123456789abcdef0"),
        ("aws:///eu-west-1a/i-0123456789abcdef0&Action=TerminateInstances", ""),
        ("gce://project/zone/name", ""),
        ("", ""),
    ],
)
def test_an_instance_is_named_as_ec2_names_it(given: str, found: str) -> None:
    assert claims.instance(a_claim(providerID=given)) == found
