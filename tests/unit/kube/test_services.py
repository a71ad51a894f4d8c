"""What the status of a Service says."""

import pytest

from hypershift.kit import Manifest
from hypershift.kube.services import load_balancer_address


@pytest.mark.parametrize(
    ("ingress", "address"),
    [
        ([{"hostname": "lb.example.org", "ip": "192.0.2.7"}], "lb.example.org"),
        ([{"ip": "192.0.2.7"}], "192.0.2.7"),
        ([{}, {"ip": "192.0.2.8"}], "192.0.2.8"),
        ([], ""),
        (None, ""),
    ],
)
def test_the_first_address_of_a_load_balancer_counts(
    ingress: list[Manifest] | None, address: str
) -> None:
    assert load_balancer_address({"status": {"loadBalancer": {"ingress": ingress}}}) == address


def test_a_service_without_a_status_has_no_address() -> None:
    assert load_balancer_address(None) == load_balancer_address({}) == ""
