from typing import Any

import pytest
from tests.lib.decoded import a_decoded_spec

from hypershift.operators.hypershift.hosted_cluster.rules.validation import stack_problems

PODS, SERVICES = {"cidr": "10.132.0.0/14"}, {"cidr": "172.31.0.0/16"}
PODS_V6, SERVICES_V6 = {"cidr": "fd01::/48"}, {"cidr": "fd02::/112"}


def problems(pods: list[Any], services: list[Any]) -> list[str]:
    networking = {"clusterNetwork": pods, "serviceNetwork": services}
    spec = {"platform": {"type": "Local"}, "networking": networking}
    return list(stack_problems(a_decoded_spec(spec)))


@pytest.mark.parametrize(
    ("pods", "services"),
    [
        ([PODS], [SERVICES]),
        ([PODS, PODS_V6], [SERVICES, SERVICES_V6]),
        ([PODS_V6], [SERVICES_V6]),
        ([{"cidr": "fd01::/40", "hostPrefix": 56}], [{"cidr": "fd02::/64"}]),
    ],
)
def test_what_a_kubernetes_release_takes(pods: list[Any], services: list[Any]) -> None:
    assert problems(pods, services) == []


def test_two_ranges_of_one_version_are_refused() -> None:
    (said,) = problems([PODS, {"cidr": "10.0.0.0/16"}], [SERVICES])
    assert said == (
        "spec.networking.clusterNetwork: 10.132.0.0/14 and 10.0.0.0/16 are of one IP version; a"
        " Kubernetes release takes one range of each"
    )


def test_pods_and_services_have_the_same_versions() -> None:
    (said,) = problems([PODS], [SERVICES, SERVICES_V6])
    assert said == (
        "spec.networking.clusterNetwork: Services have a range of IPv6 and pods have none; a"
        " Kubernetes release needs both or neither"
    )
    (said,) = problems([PODS, PODS_V6], [SERVICES])
    assert said.startswith("spec.networking.serviceNetwork: pods have a range of IPv6")


@pytest.mark.parametrize(
    ("entry", "why"),
    [
        ({"cidr": "fd01::/40"}, "by /64: hostPrefix may be 56 at most"),
        ({"cidr": "10.0.0.0/26"}, "by /24: a node's share is larger than the whole"),
        ({"cidr": "10.0.0.0/16", "hostPrefix": 33}, "by /33: a node's share is larger"),
    ],
)
def test_a_range_has_shares_for_nodes(entry: dict[str, Any], why: str) -> None:
    services = SERVICES_V6 if ":" in entry["cidr"] else SERVICES
    (said,) = problems([entry], [services])
    assert said.startswith(f"spec.networking.clusterNetwork: {entry['cidr']} cannot be shared out")
    assert why in said


@pytest.mark.parametrize("cidr", ["fd02::/48", "fd02::/126", "10.0.0.0/30"])
def test_a_range_of_services_is_neither_too_large_nor_too_small(cidr: str) -> None:
    pods = PODS_V6 if ":" in cidr else PODS
    (said,) = problems([pods], [{"cidr": cidr}])
    assert said.startswith(f"spec.networking.serviceNetwork: {cidr} has another size than")


def test_what_is_no_range_is_told_elsewhere() -> None:
    assert problems([{"cidr": "10.0.0.0/99"}], [SERVICES]) == []
