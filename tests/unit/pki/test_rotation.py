"""A certificate is made anew exactly when something about it is no longer right."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from hypershift.kit import InvalidSpec, Secret
from hypershift.pki import KeyPair, Leaf, Policy, Usage, new_authority, why_reissue

NOW = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
AUTHORITY = new_authority("root-ca", NOW)
LEAF = Leaf("kubernetes", ("kubernetes",), Usage.SERVER, frozenset({"localhost"}))
PAIR = AUTHORITY.issue(LEAF, NOW)
POLICY = Policy()


def test_a_fresh_certificate_stays() -> None:
    assert not why_reissue(PAIR, LEAF, AUTHORITY, NOW, POLICY)


@pytest.mark.parametrize(
    ("leaf", "reason"),
    [
        (replace(LEAF, common_name="other"), "common_name changed"),
        (replace(LEAF, organizations=("a", "b")), "organizations changed"),
        (replace(LEAF, usage=Usage.PEER), "usage changed"),
        (replace(LEAF, dns_names=frozenset({"localhost", "x"})), "dns_names changed"),
        (replace(LEAF, ip_addresses=frozenset({"10.0.0.1"})), "ip_addresses changed"),
        (replace(LEAF, validity=timedelta(days=1)), "validity changed"),
    ],
)
def test_a_different_wish_makes_it_anew(leaf: Leaf, reason: str) -> None:
    assert why_reissue(PAIR, leaf, AUTHORITY, NOW, POLICY) == reason


def test_another_authority_makes_it_anew() -> None:
    other = new_authority("root-ca", NOW)
    assert why_reissue(PAIR, LEAF, other, NOW, POLICY) == "signed by another authority"


def test_a_foreign_or_broken_key_makes_it_anew() -> None:
    foreign = KeyPair(PAIR.certificate, AUTHORITY.pair.key)
    broken = KeyPair(b"", Secret(b""))
    assert why_reissue(foreign, LEAF, AUTHORITY, NOW, POLICY)
    assert why_reissue(broken, LEAF, AUTHORITY, NOW, POLICY) == "missing or unreadable"


def test_it_is_renewed_thirty_days_before_its_end() -> None:
    late, early = NOW + timedelta(days=336), NOW + timedelta(days=334)
    assert not why_reissue(PAIR, LEAF, AUTHORITY, early, POLICY)
    assert why_reissue(PAIR, LEAF, AUTHORITY, late, POLICY) == "expires soon"


def test_a_configured_share_replaces_the_thirty_days() -> None:
    leaf = replace(LEAF, validity=timedelta(minutes=20))
    policy = Policy(leaf.validity, renewal=0.5)
    pair = AUTHORITY.issue(leaf, NOW)
    assert not why_reissue(pair, leaf, AUTHORITY, NOW + timedelta(minutes=8), policy)
    assert why_reissue(pair, leaf, AUTHORITY, NOW + timedelta(minutes=10), policy)


def test_a_short_lived_certificate_is_not_renewed_for_ever() -> None:
    leaf = replace(LEAF, validity=timedelta(hours=1))
    pair = AUTHORITY.issue(leaf, NOW)
    assert not why_reissue(pair, leaf, AUTHORITY, NOW, Policy(leaf.validity))


def test_annotations_make_the_policy() -> None:
    policy = Policy.from_annotations(
        {
            "hypershift.openshift.io/certificate-validity": "1h30m",
            "hypershift.openshift.io/certificate-renewal": "0.25",
            "hypershift.openshift.io/disable-pki-reconciliation": "true",
        }
    )
    assert policy == Policy(timedelta(minutes=90), 0.25, enabled=False)
    assert Policy.from_annotations({}) == Policy()


@pytest.mark.parametrize("share", ["0", "1", "2", "half"])
def test_what_is_no_share_is_refused(share: str) -> None:
    with pytest.raises(InvalidSpec):
        Policy.from_annotations({"hypershift.openshift.io/certificate-renewal": share})
