"""Every row of the reference table: input and verdict."""

import ipaddress
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from hypershift.kit import Manifest, rfc3339
from hypershift.operators.machine_approver import limit
from hypershift.operators.machine_approver.decision import (
    KUBERNETES,
    OPENSHIFT,
    Approved,
    Refused,
    Retry,
    World,
    concerns_us,
    decide,
)
from hypershift.operators.machine_approver.renewal import Presented, why_no_renewal
from hypershift.operators.machine_approver.request import (
    KUBELET_CLIENT,
    KUBELET_SERVING,
    Content,
    Csr,
    Names,
)

BASE = datetime(2026, 1, 1, tzinfo=UTC)
KEY = ec.generate_private_key(ec.SECP256R1())
EXHAUSTED = "could not authorize CSR: exhausted all authorization methods: "
SERVING_USAGES = ("digital signature", "key encipherment", "server auth")
CLIENT_USAGES = ("key encipherment", "digital signature", "client auth")


def subject(common_name: str, organizations: Sequence[str]) -> x509.Name:
    parts = [x509.NameAttribute(NameOID.ORGANIZATION_NAME, one) for one in organizations]
    return x509.Name([*parts, x509.NameAttribute(NameOID.COMMON_NAME, common_name)])


def alternative(dns: Sequence[str], ips: Sequence[str]) -> x509.SubjectAlternativeName:
    return x509.SubjectAlternativeName(
        [
            *(x509.DNSName(name) for name in dns),
            *(x509.IPAddress(ipaddress.ip_address(address)) for address in ips),
        ]
    )


def pem(
    common_name: str,
    organizations: Sequence[str] = ("system:nodes",),
    dns: Sequence[str] = (),
    ips: Sequence[str] = (),
) -> bytes:
    builder = x509.CertificateSigningRequestBuilder(subject(common_name, organizations))
    if dns or ips:
        builder = builder.add_extension(alternative(dns, ips), critical=False)
    return builder.sign(KEY, hashes.SHA256()).public_bytes(serialization.Encoding.PEM)


SERVING_DNS, SERVING_IPS = ("node1", "node1.local"), ("127.0.0.1", "10.0.0.1")
SERVING = Csr(
    name="banana",
    signer=KUBELET_SERVING,
    user="system:node:test",
    groups=("system:authenticated", "system:nodes"),
    usages=SERVING_USAGES,
    created=BASE,
    request=pem("system:node:test", dns=SERVING_DNS, ips=SERVING_IPS),
    approved=False,
)
CLIENT = Csr(
    name="orange",
    signer=KUBELET_CLIENT,
    user=OPENSHIFT.user,
    groups=tuple(OPENSHIFT.groups),
    usages=CLIENT_USAGES,
    created=BASE + timedelta(minutes=10),
    request=pem("system:node:panda"),
    approved=False,
)


def a_machine(*addresses: tuple[str, str], node: str = "", created: datetime = BASE) -> Manifest:
    status: dict[str, Any] = {
        "addresses": [{"type": kind, "address": address} for kind, address in addresses]
    }
    if node:
        status["nodeRef"] = {"name": node}
    return {"metadata": {"name": "m", "creationTimestamp": rfc3339(created)}, "status": status}


ADDRESSES = (
    ("InternalIP", "127.0.0.1"),
    ("ExternalIP", "10.0.0.1"),
    ("InternalDNS", "node1.local"),
    ("ExternalDNS", "node1"),
)
MACHINE = a_machine(*ADDRESSES, node="test")
ONE = World((MACHINE,), frozenset())


def changed(old: str, new: str) -> tuple[tuple[str, str], ...]:
    return tuple((kind, new if address == old else address) for kind, address in ADDRESSES)


def serving(**changes: Any) -> Csr:
    return replace(SERVING, **changes)


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


# Renewal


AUTHORITY_KEY = ec.generate_private_key(ec.SECP256R1())


def certificate(
    common_name: str,
    dns: Sequence[str] = SERVING_DNS,
    ips: Sequence[str] = SERVING_IPS,
    key: ec.EllipticCurvePrivateKey = AUTHORITY_KEY,
    issuer: str = "ca",
) -> x509.Certificate:
    return (
        x509.CertificateBuilder()
        .subject_name(subject(common_name, ("system:nodes",)))
        .issuer_name(subject(issuer, ()))
        .public_key(KEY.public_key())
        .serial_number(1)
        .not_valid_before(BASE)
        .not_valid_after(BASE + timedelta(days=1))
        .add_extension(alternative(dns, ips), critical=False)
        .sign(key, hashes.SHA256())
    )


def authority(
    name: str = "ca", key: ec.EllipticCurvePrivateKey = AUTHORITY_KEY
) -> x509.Certificate:
    return (
        x509.CertificateBuilder()
        .subject_name(subject(name, ()))
        .issuer_name(subject(name, ()))
        .public_key(key.public_key())
        .serial_number(2)
        .not_valid_before(BASE)
        .not_valid_after(BASE + timedelta(days=10))
        .sign(key, hashes.SHA256())
    )


def presented(**changes: Any) -> Presented:
    usual = Presented(certificate("system:node:test"), (authority(),), BASE + timedelta(hours=1))
    return replace(usual, **changes)


def test_a_renewal_needs_no_machine() -> None:
    assert decide(SERVING, World((), frozenset(), presented=presented())) == Approved()


def test_a_machine_helps_where_the_kubelet_shows_nothing() -> None:
    assert decide(SERVING, World((MACHINE,), frozenset(), presented=None)) == Approved()


def test_reasons_of_both_ways_are_told() -> None:
    world = World((), frozenset(), presented=presented(certificate=certificate("test.local")))
    why = "[current serving cert has bad common name, unable to find machine for node]"
    assert decide(SERVING, world) == Retry(EXHAUSTED + why)


MORE = serving(request=pem("system:node:test", dns=SERVING_DNS, ips=(*SERVING_IPS, "99.0.1.1")))


def test_an_address_more_needs_an_egress_range() -> None:
    world = World((), frozenset(), presented=presented(), egress=frozenset())
    why = (
        "[CSR Subject Alternate Name values do not match current certificate, unable to find "
        "machine for node, CSR Subject Alternate Names includes unknown IP addresses]"
    )
    assert decide(MORE, world) == Retry(EXHAUSTED + why)
    for egress in ("99.0.1.1", "99.0.1.0/24"):
        assert decide(MORE, replace(world, egress=frozenset({egress}))) == Approved()


CONTENT = Content("system:node:test", ("system:nodes",), Names(SERVING_DNS, ips=SERVING_IPS))


@pytest.mark.parametrize(
    ("content", "shown", "why"),
    [
        (None, presented(), "CSR, serving cert, or CA not provided"),
        (CONTENT, None, "CSR, serving cert, or CA not provided"),
        (CONTENT, presented(authorities=()), "CSR, serving cert, or CA not provided"),
        (CONTENT, presented(), ""),
        (replace(CONTENT, names=Names(SERVING_DNS[::-1], ips=SERVING_IPS[::-1])), presented(), ""),
        (
            CONTENT,
            presented(now=BASE + timedelta(days=2)),
            "x509: certificate has expired or is not yet valid",
        ),
        (
            CONTENT,
            presented(authorities=(authority("other", ec.generate_private_key(ec.SECP256R1())),)),
            "x509: certificate signed by unknown authority",
        ),
        (
            replace(CONTENT, common_name="system:node:other"),
            presented(),
            "current serving cert and CSR common name mismatch",
        ),
        (
            CONTENT,
            presented(certificate=certificate("system:node:other")),
            "current serving cert has bad common name",
        ),
        (
            replace(CONTENT, names=Names(("node1",), ips=SERVING_IPS)),
            presented(),
            "CSR Subject Alternate Name values do not match current certificate",
        ),
    ],
)
def test_renewal_table(content: Content | None, shown: Presented | None, why: str) -> None:
    assert why_no_renewal("system:node:test", content, shown) == why


# Client certificates


def joining(address: tuple[str, str] = ("InternalDNS", "panda"), **machine: Any) -> World:
    machine = {"created": BASE + timedelta(minutes=2)} | machine
    return World((a_machine(("InternalDNS", "tigers")), a_machine(address, **machine)), frozenset())


def client(**changes: Any) -> Csr:
    return replace(CLIENT, **changes)


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


# Limits


RECENT = BASE + timedelta(seconds=1)


@pytest.mark.parametrize(
    ("csr", "count"),
    [
        (client(created=RECENT), 1),
        (serving(created=RECENT), 1),
        (client(created=RECENT, user="other"), 0),
        (serving(created=RECENT, groups=()), 0),
        (client(created=RECENT, signer="kubernetes.io/kube-apiserver-client"), 0),
        (client(created=RECENT, approved=True), 0),
        (client(created=BASE - timedelta(hours=1)), 0),
        (client(created=BASE + timedelta(seconds=10)), 0),
    ],
)
def test_what_counts_as_pending(csr: Csr, count: int) -> None:
    assert limit.pending([csr], OPENSHIFT, BASE) == count


def test_how_many_may_be_pending() -> None:
    assert limit.most_pending(3, 2) == 103
    assert limit.most_pending(3, 4) == 104


def test_renewals_by_nodes_are_not_ours() -> None:
    csr = client(user="system:node:panda", groups=("system:nodes",))
    assert not concerns_us(csr, OPENSHIFT)
