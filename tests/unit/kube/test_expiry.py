from datetime import UTC, datetime, timedelta

import pytest
from cryptography import x509
from hypothesis import given, settings
from hypothesis import strategies as st

from hypershift.kube.expiry import not_after
from hypershift.pki import Leaf, new_authority

NOW = datetime(2026, 1, 1, tzinfo=UTC)
AUTHORITY = new_authority("ca", NOW)


@settings(max_examples=20)
@given(days=st.integers(1, 40_000), names=st.sets(st.from_regex(r"[a-z]{1,40}", fullmatch=True)))
def test_any_certificate_says_the_same_as_to_the_library(days: int, names: set[str]) -> None:
    leaf = Leaf("user", dns_names=frozenset(names), validity=timedelta(days=days))
    pair = AUTHORITY.issue(leaf, NOW)
    known = x509.load_pem_x509_certificate(pair.certificate)
    assert not_after(pair.certificate) == known.not_valid_after_utc


def test_of_a_chain_the_first_counts() -> None:
    short = AUTHORITY.issue(Leaf("user", validity=timedelta(days=1)), NOW).certificate
    assert not_after(short + AUTHORITY.pem) == not_after(short)


@pytest.mark.parametrize(
    "text",
    [
        b"",
        b"rubbish",
        b"-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n",
        b"-----BEGIN CERTIFICATE-----\nMAA=\n-----END CERTIFICATE-----\n",
        b"-----BEGIN CERTIFICATE-----\n!\n-----END CERTIFICATE-----\n",
    ],
)
def test_what_is_no_certificate_is_a_value_error(text: bytes) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 - the caller knows what it asked
        not_after(text)
