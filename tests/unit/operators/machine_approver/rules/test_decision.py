"""Every row of the reference table about serving certificates: input and verdict."""

import pytest
from tests.unit.operators.machine_approver.requests import (
    ADDRESSES,
    EXHAUSTED,
    MACHINE,
    ONE,
    SERVING,
    SERVING_DNS,
    SERVING_IPS,
    SERVING_USAGES,
    a_machine,
    changed,
    pem,
    serving,
)

from hypershift.kit import Manifest
from hypershift.operators.machine_approver.rules.decision import (
    Approved,
    Refused,
    Retry,
    World,
    decide,
)
from hypershift.pki.kubelet_request import Csr


@pytest.mark.parametrize(
    "csr",
    [
        SERVING,
        serving(usages=("digital signature", "server auth")),
        serving(groups=(*SERVING.groups, "more")),
    ],
)
def test_serving_requests_of_our_machines_are_approved(csr: Csr) -> None:
    assert decide(csr, ONE) == Approved()


def test_a_trailing_dot_of_a_machines_name_does_not_matter() -> None:
    machine = a_machine(*changed("node1.local", "node1.local."), node="test")
    assert decide(SERVING, World((machine,), frozenset())) == Approved()


@pytest.mark.parametrize(
    "csr",
    [
        serving(user="test"),
        serving(user="system:node:"),
        serving(groups=("system:authenticated",)),
        serving(groups=("system:nodes",)),
        serving(groups=("system:authenticated", "foreign")),
        serving(usages=()),
        serving(usages=("digital signature", "key encipherment", "client auth")),
        serving(usages=("key encipherment", "server auth")),
        serving(usages=("digital signature", "key encipherment")),
        serving(usages=(*SERVING_USAGES, "client auth")),
        serving(request=pem("system:node:other", dns=SERVING_DNS, ips=SERVING_IPS)),
        serving(request=pem("test", dns=SERVING_DNS, ips=SERVING_IPS)),
        serving(request=pem("system:node:test", (), SERVING_DNS, SERVING_IPS)),
    ],
)
def test_serving_requests_with_wrong_content_are_left_alone(csr: Csr) -> None:
    assert isinstance(decide(csr, ONE), Refused)


def test_a_request_that_is_no_pem_is_an_error() -> None:
    assert decide(serving(request=b"x"), ONE) == Retry("PEM block type must be CERTIFICATE REQUEST")


@pytest.mark.parametrize(
    ("csr", "machine", "why"),
    [
        (SERVING, a_machine(*ADDRESSES), "unable to find machine for node"),
        (
            serving(
                request=pem("system:node:test", dns=SERVING_DNS, ips=(*SERVING_IPS, "99.0.1.1"))
            ),
            MACHINE,
            "IP address '99.0.1.1' not in machine addresses: 127.0.0.1 10.0.0.1",
        ),
        (
            SERVING,
            a_machine(*changed("10.0.0.1", "10.0.0.2"), node="test"),
            "IP address '10.0.0.1' not in machine addresses: 127.0.0.1 10.0.0.2",
        ),
        (
            SERVING,
            a_machine(*changed("node1", "node2"), node="test"),
            "DNS name 'node1' not in machine names: node1.local node2",
        ),
    ],
)
def test_names_that_the_machine_does_not_have_are_an_error(
    csr: Csr, machine: Manifest, why: str
) -> None:
    assert decide(csr, World((machine,), frozenset())) == Retry(EXHAUSTED + why)
