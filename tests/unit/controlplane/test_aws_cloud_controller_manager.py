"""The cloud controller manager of AWS: its configuration file."""

from typing import Any

import pytest
from tests.unit.component.clusters import a_view

from hypershift.component import render
from hypershift.controlplane import aws_cloud_controller_manager
from hypershift.kit import InvalidSpec
from hypershift.release import Product

MODE, PROBE = "aws-load-balancer-health-probe-mode", "shared-load-balancer-health-probe"
CLOUD = {"zone": "us-east-1a", "vpc": "vpc-1", "subnet": {"id": "subnet-1"}}


def configured(**annotations: str) -> dict[str, str]:
    """The settings in the file, by name."""
    named = {name.replace("_", "-"): value for name, value in annotations.items()}
    platform: dict[str, Any] = {"type": "AWS", "aws": {"cloudProviderConfig": CLOUD}}
    view = a_view(product=Product.OPENSHIFT, platform=platform, annotations=named)
    (found,) = (
        one
        for one in render(aws_cloud_controller_manager.OPENSHIFT, view)
        if one["kind"] == "ConfigMap"
    )
    lines = found["data"]["aws.conf"].splitlines()[1:]
    return {name: value for name, _, value in (line.partition(" = ") for line in lines)}


def test_load_balancers_ask_at_one_place_unless_told_otherwise() -> None:
    found = configured()
    assert found["ClusterServiceLoadBalancerHealthProbeMode"] == "Shared"
    assert (found["Zone"], found["VPC"], found["SubnetID"]) == ("us-east-1a", "vpc-1", "subnet-1")
    assert not [name for name in found if "SharedLoadBalancer" in name]


@pytest.mark.parametrize(("mode", "told"), [("Shared", 2), ("ServiceNodePort", 0)])
def test_the_place_to_ask_at_counts_only_where_it_is_shared(mode: str, told: int) -> None:
    place = {f"{PROBE}-path": "/healthz", f"{PROBE}-port": "10256"}
    found = configured(**{MODE: mode}, **place)
    assert found["ClusterServiceLoadBalancerHealthProbeMode"] == mode
    assert len([name for name in found if "SharedLoadBalancer" in name]) == told


@pytest.mark.parametrize(
    "annotation", [{MODE: "Sometimes"}, {f"{PROBE}-port": "http"}, {f"{PROBE}-port": "65536"}]
)
def test_what_the_program_would_not_understand_is_refused(annotation: dict[str, str]) -> None:
    with pytest.raises(InvalidSpec, match="annotation"):
        configured(**annotation)
