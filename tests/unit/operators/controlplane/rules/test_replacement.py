"""Annotations ask for a replacement; a key that is not ours to replace stays."""

from datetime import timedelta

import pytest

from hypershift.api import annotations, read
from hypershift.api.hosted_control_plane import HostedControlPlaneSpec
from hypershift.kit import InvalidSpec
from hypershift.operators.controlplane.rules.replacement import (
    GRACE,
    TOKEN_LIFETIME,
    Wish,
    why_key_stays,
    wish,
)
from hypershift.pki import Part

ONLY = annotations.ROTATE_AUTHORITIES_ONLY


def test_without_more_words_everything_is_replaced_with_time_for_users() -> None:
    found = wish({annotations.ROTATE_AUTHORITIES: "first"})
    assert found == Wish("first", "", GRACE, TOKEN_LIFETIME)
    assert found.of_authorities
    assert found.of_token_keys


@pytest.mark.parametrize(
    ("only", "authorities", "keys"),
    [(Part.AUTHORITIES, True, False), (Part.TOKEN_KEYS, False, True)],
)
def test_one_part_can_be_replaced_alone(only: Part, *, authorities: bool, keys: bool) -> None:
    found = wish({ONLY: only})
    assert (found.of_authorities, found.of_token_keys) == (authorities, keys)


def test_periods_are_durations() -> None:
    marks = {
        annotations.ROTATE_AUTHORITIES_GRACE: "0s",
        annotations.ROTATE_AUTHORITIES_TOKEN_LIFETIME: "90m",
    }
    found = wish(marks)
    assert (found.grace, found.token_lifetime) == (timedelta(), timedelta(minutes=90))


@pytest.mark.parametrize(
    ("name", "text"),
    [
        (ONLY, "etcd"),
        (annotations.ROTATE_AUTHORITIES_GRACE, "soon"),
        (annotations.ROTATE_AUTHORITIES_TOKEN_LIFETIME, "a while"),
    ],
)
def test_words_that_mean_nothing_are_refused(name: str, text: str) -> None:
    with pytest.raises(InvalidSpec):
        wish({name: text})


def a_spec(**fields: object) -> HostedControlPlaneSpec:
    return read(HostedControlPlaneSpec, fields)


def test_the_users_own_key_stays() -> None:
    own = a_spec(serviceAccountSigningKey={"name": "mine"})
    assert "serviceAccountSigningKey" in why_key_stays(own, federated=True, publishes=True)


@pytest.mark.parametrize(
    ("federated", "publishes", "stays"),
    [(False, False, False), (True, True, False), (True, False, True), (False, True, False)],
)
def test_a_key_stays_where_others_would_miss_it_in_documents_that_are_not_ours(
    *, federated: bool, publishes: bool, stays: bool
) -> None:
    why = why_key_stays(a_spec(), federated=federated, publishes=publishes)
    assert bool(why) == stays
