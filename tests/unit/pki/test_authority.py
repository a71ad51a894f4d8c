"""Authorities issue certificates that verify, and say what they were asked to say."""

from datetime import UTC, datetime, timedelta

import pytest
from cryptography import x509
from cryptography.x509.verification import PolicyBuilder, Store

from hypershift.pki import (
    Algorithm,
    Leaf,
    Usage,
    certificate_from_pem,
    described,
    key_from_pem,
    new_authority,
    new_key,
    read_authority,
    self_signed,
)

NOW = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
SERVING = Leaf(
    "kubernetes",
    ("kubernetes", "second"),
    Usage.SERVER,
    frozenset({"localhost", "api.example.org"}),
    frozenset({"127.0.0.1", "::1"}),
)


@pytest.mark.parametrize("algorithm", list(Algorithm))
def test_an_issued_certificate_says_what_the_leaf_says(algorithm: Algorithm) -> None:
    authority = new_authority("root-ca", NOW, algorithm=algorithm)
    pair = authority.issue(SERVING, NOW, algorithm=algorithm)
    certificate = certificate_from_pem(pair.certificate)
    assert certificate is not None
    assert described(certificate) == SERVING
    assert authority.issued(certificate)


def test_a_tls_client_accepts_the_chain() -> None:
    authority = new_authority("root-ca", NOW)
    certificate = certificate_from_pem(authority.issue(SERVING, NOW).certificate)
    assert certificate is not None
    policy = PolicyBuilder().store(Store([authority.certificate])).time(NOW)
    verifier = policy.build_server_verifier(x509.DNSName("api.example.org"))
    assert len(verifier.verify(certificate, [])) == 2


def test_another_authority_of_the_same_name_did_not_issue_it() -> None:
    authority, other = new_authority("root-ca", NOW), new_authority("root-ca", NOW)
    certificate = certificate_from_pem(authority.issue(SERVING, NOW).certificate)
    assert certificate is not None
    assert not other.issued(certificate)


def test_a_renewed_authority_still_vouches_for_what_it_issued_before() -> None:
    authority = new_authority("root-ca", NOW)
    certificate = certificate_from_pem(authority.issue(SERVING, NOW).certificate)
    renewed = self_signed("root-ca", "openshift", authority.key, NOW + timedelta(days=3000))
    assert certificate is not None
    assert renewed.issued(certificate)


def test_an_authority_survives_its_secret() -> None:
    authority = new_authority("root-ca", NOW)
    pair = authority.pair
    read = read_authority(pair.certificate, pair.key.reveal())
    assert read is not None
    assert read.pem == authority.pem


def test_a_certificate_with_the_key_of_another_is_no_authority() -> None:
    one, two = new_authority("a", NOW), new_authority("b", NOW)
    assert read_authority(one.pem, two.pair.key.reveal()) is None
    assert read_authority(b"nonsense", b"nonsense") is None


def test_keys_never_show_themselves() -> None:
    authority = new_authority("root-ca", NOW)
    assert "BEGIN" not in repr(authority.pair.key)
    assert "PrivateKey" not in repr(authority)
    assert key_from_pem(authority.pair.key.reveal()) is not None


def test_a_prepared_key_is_used_when_the_source_gives_one() -> None:
    prepared = new_key()
    authority = new_authority("root-ca", NOW, keys=lambda _: prepared)
    assert authority.key is prepared
