"""Every row of the reference table about certificates that are renewed."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from tests.unit.operators.machine_approver.requests import (
    BASE,
    EXHAUSTED,
    KEY,
    MACHINE,
    SERVING,
    SERVING_DNS,
    SERVING_IPS,
    alternative,
    pem,
    serving,
    subject,
)

from hypershift.operators.machine_approver.rules.decision import Approved, Retry, World, decide
from hypershift.operators.machine_approver.rules.renewal import Presented, why_no_renewal
from hypershift.pki.kubelet_request import Content, Names

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
