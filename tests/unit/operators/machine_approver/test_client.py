"""Every row of the reference table about client certificates: input and verdict."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from tests.unit.operators.machine_approver.requests import (
    BASE,
    CLIENT,
    CLIENT_USAGES,
    ONE,
    SERVING,
    a_machine,
    client,
    pem,
)

from hypershift.operators.machine_approver.rules.decision import (
    Approved,
    Refused,
    Retry,
    World,
    decide,
)
from hypershift.pki.kubelet_request import KUBERNETES, Csr


def joining(address: tuple[str, str] = ("InternalDNS", "panda"), **machine: Any) -> World:
    machine = {"created": BASE + timedelta(minutes=2)} | machine
    return World((a_machine(("InternalDNS", "tigers")), a_machine(address, **machine)), frozenset())


@pytest.mark.parametrize(
    ("csr", "world"),
    [
        (CLIENT, joining()),
        (client(usages=("digital signature", "client auth")), joining()),
        (CLIENT, joining(("InternalDNS", "PANDA"))),
        (CLIENT, joining(("InternalDNS", "panda."))),
        (
            client(created=BASE + timedelta(minutes=2, seconds=51)),
            joining(created=BASE + timedelta(minutes=3)),
        ),
    ],
)
def test_machines_that_join_are_approved(csr: Csr, world: World) -> None:
    assert decide(csr, world) == Approved()


@pytest.mark.parametrize(
    ("csr", "world"),
    [
        (client(request=pem("system:node:panda", ("system:nodes", "more"))), joining()),
        (client(request=pem("system:node:panda", dns=("panda",))), joining()),
        (client(usages=(*CLIENT_USAGES, "server auth")), joining()),
        (client(usages=("key encipherment", "digital signature", "server auth")), joining()),
        (client(usages=("key encipherment", "client auth")), joining()),
        (client(request=pem("system:notnode:zebra")), joining()),
        (client(request=pem("system:node:")), joining()),
        (client(user="somebody"), joining()),
        (client(groups=(*CLIENT.groups, "more")), joining()),
        (CLIENT, replace(joining(), nodes=frozenset({"panda"}))),
        (CLIENT, joining(node="panda")),
        (client(created=BASE + timedelta(minutes=2)), joining(created=BASE + timedelta(minutes=3))),
        (client(created=BASE + timedelta(hours=25)), joining(created=BASE + timedelta(minutes=3))),
    ],
)
def test_client_requests_that_are_wrong_are_left_alone(csr: Csr, world: World) -> None:
    assert isinstance(decide(csr, world), Refused)


def test_only_the_internal_name_of_a_machine_counts() -> None:
    for kind in ("ExternalDNS", "Hostname"):
        decision = decide(CLIENT, joining((kind, "panda")))
        assert decision == Retry("failed to find machine for node panda")


def test_a_disabled_flow_is_an_error() -> None:
    world = replace(joining(), client_flow=False)
    why = "CSR orange for node client cert rejected as the flow is disabled"
    assert decide(CLIENT, world) == Retry(why)


def test_an_approved_request_is_left_alone() -> None:
    assert isinstance(decide(replace(SERVING, approved=True), ONE), Refused)


def test_machines_of_the_kubernetes_product_join_as_its_bootstrapper() -> None:
    csr = client(user=KUBERNETES.user, groups=tuple(KUBERNETES.groups))
    assert decide(csr, replace(joining(), bootstrapper=KUBERNETES)) == Approved()
    assert isinstance(decide(csr, joining()), Refused)
