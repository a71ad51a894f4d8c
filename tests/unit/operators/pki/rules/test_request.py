"""Which requests a break-glass signer signs, and with what it refuses the others."""

from base64 import b64decode, b64encode
from datetime import timedelta

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.serialization import Encoding
from tests.lib.signers import NAMESPACE, NOW, a_request, pkcs10

from hypershift.kit import InvalidSpec, Manifest
from hypershift.operators.pki import CUSTOMER, SRE
from hypershift.operators.pki.rules import signing
from hypershift.operators.pki.rules.request import LARGEST, Pending, parsed, pending
from hypershift.operators.pki.rules.signer import namespace_of
from hypershift.pki import described, new_authority

DAY_AND_A_HALF = timedelta(hours=36)


def one(manifest: Manifest) -> Pending:
    (found,) = pending([manifest], NAMESPACE)
    return found


def test_signer_names_tell_the_namespace_of_a_control_plane() -> None:
    assert CUSTOMER.signer_name("clusters-blue") == (
        "hypershift.openshift.io/clusters-blue.customer-break-glass"
    )
    assert namespace_of(SRE.signer_name("clusters-blue")) == "clusters-blue"
    assert namespace_of("hypershift.openshift.io/clusters-blue.other") == ""
    assert namespace_of("example.com/clusters-blue.sre-break-glass") == ""


def test_requests_for_other_clusters_signers_are_not_looked_at() -> None:
    others = [a_request(CUSTOMER, namespace="clusters-green"), a_request(SRE, namespace="")]
    assert pending(others, NAMESPACE) == []


@pytest.mark.parametrize(
    ("request_", "why"),
    [
        (a_request(CUSTOMER, common_name="system:admin"), "must begin with"),
        (a_request(CUSTOMER, common_name="system:sre-break-glass:x"), "must begin with"),
        (a_request(CUSTOMER, usages=("server auth",)), "must include"),
        (a_request(CUSTOMER, usages=("client auth", "server auth")), "must not include server"),
        (a_request(CUSTOMER, usages=("client auth", "cert sign")), "must not include cert"),
        (a_request(CUSTOMER, request=b"nothing"), "not a PEM-encoded"),
        (
            a_request(CUSTOMER, request=pkcs10("system:customer-break-glass:a", alternative="a.b")),
            "alternative names",
        ),
        (
            a_request(
                CUSTOMER,
                request=pkcs10(
                    "system:customer-break-glass:a",
                    key=rsa.generate_private_key(65537, 1024),  # noqa: S505 - it shall be refused
                ),
            ),
            "1024 bits",
        ),
        (a_request(CUSTOMER, request=b"x" * LARGEST), "more than"),
    ],
)
def test_a_request_that_asks_for_too_much_is_refused(request_: Manifest, why: str) -> None:
    with pytest.raises(InvalidSpec, match=why):
        parsed(one(request_))


def test_a_request_signed_with_another_key_is_refused() -> None:
    manifest = a_request(CUSTOMER)
    honest = x509.load_pem_x509_csr(b64decode(manifest["spec"]["request"]))
    body = bytearray(honest.public_bytes(Encoding.DER))
    body[-1] ^= 1
    broken = x509.load_der_x509_csr(bytes(body)).public_bytes(Encoding.PEM)
    manifest["spec"]["request"] = b64encode(broken).decode()
    with pytest.raises(InvalidSpec):
        parsed(one(manifest))


@pytest.mark.parametrize(
    ("asked", "given"),
    [
        (None, DAY_AND_A_HALF),
        (60, timedelta(minutes=10)),
        (7200, timedelta(hours=2)),
        (10**9, DAY_AND_A_HALF),
    ],
)
def test_a_lifetime_is_kept_within_the_bounds_of_the_signer(
    asked: int | None, given: timedelta
) -> None:
    assert signing.lifetime(asked, DAY_AND_A_HALF) == given


@pytest.mark.parametrize(
    ("life", "left"),
    [
        (timedelta(hours=2), timedelta(hours=2)),
        (timedelta(hours=36), timedelta(hours=35, minutes=55)),
    ],
)
def test_a_certificate_says_what_was_asked_and_is_dated_back(
    life: timedelta, left: timedelta
) -> None:
    authority = new_authority("signer", NOW, timedelta(days=7))
    made = signing.certificate(parsed(one(a_request(CUSTOMER))), authority, NOW, life)
    read = x509.load_pem_x509_certificate(made)
    assert authority.issued(read)
    assert read.not_valid_before_utc == NOW - timedelta(minutes=5)
    assert read.not_valid_after_utc == NOW + left
    leaf = described(read)
    assert (leaf.common_name, leaf.organizations) == (
        "system:customer-break-glass:alice",
        ("system:masters",),
    )
    assert not read.extensions.get_extension_for_class(x509.BasicConstraints).value.ca


def test_a_certificate_does_not_outlive_its_signer() -> None:
    authority = new_authority("signer", NOW, timedelta(hours=1))
    csr = parsed(one(a_request(CUSTOMER)))
    read = x509.load_pem_x509_certificate(signing.certificate(csr, authority, NOW, DAY_AND_A_HALF))
    assert read.not_valid_after_utc == authority.certificate.not_valid_after_utc
