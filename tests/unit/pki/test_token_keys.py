"""A key of tokens is accepted before it signs, and for as long as tokens of it are about."""

import json
from base64 import urlsafe_b64decode
from dataclasses import replace
from datetime import timedelta
from itertools import pairwise

import pytest
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, padding, rsa
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from tests.unit.pki.test_succession import FIRST, NOW, SITE, Objects, advance, begin, follow, keys

from hypershift.kit import Manifest
from hypershift.pki import (
    SUCCESSION_SECRET,
    Algorithm,
    Part,
    Stage,
    Succession,
    by_kind_and_name,
    key_from_pem,
    key_to_pem,
    new_key,
    public_pem,
    read_succession,
    reconcile,
    secret_data,
    settled,
    wanted,
)
from hypershift.pki.inventory import SERVICE_ACCOUNT_SECRET
from hypershift.pki.token_keys import (
    KEY,
    LEGACY_ISSUER,
    PUBLIC,
    Kept,
    begun,
    digest,
    is_of,
    kept_token,
)

KEPT = Kept("shop", "robot-token", "robot", "1f3a")
SECRET = ("Secret", SERVICE_ACCOUNT_SECRET)


def state(objects: Objects) -> Succession:
    found = read_succession(secret_data(objects, SUCCESSION_SECRET))
    assert found is not None
    return found


def whole(only: str = "") -> list[Objects]:
    """What there is before, at the end of each stage, and after."""
    seen = [FIRST, follow(begin(FIRST, only=only))]
    while state(seen[-1]).under_way:
        seen.append(follow(advance(seen[-1])))
    return seen


def signer(objects: Objects) -> bytes:
    """The public half of the key that API servers sign with."""
    key = key_from_pem(secret_data(objects, SERVICE_ACCOUNT_SECRET)[KEY])
    assert key is not None
    return public_pem(key)


def accepted(objects: Objects) -> bytes:
    return secret_data(objects, SERVICE_ACCOUNT_SECRET)[PUBLIC]


@pytest.mark.parametrize("only", ["", Part.TOKEN_KEYS])
def test_what_one_server_signs_another_one_accepts_that_is_a_stage_behind_or_ahead(
    only: str,
) -> None:
    seen = whole(only)
    for before, after in pairwise(seen):
        assert signer(before) in accepted(after)
        assert signer(after) in accepted(before)


def test_tokens_of_the_old_key_are_accepted_until_it_is_dropped_and_not_afterwards() -> None:
    *others, dropped, done = whole(Part.TOKEN_KEYS)
    old = signer(FIRST)
    assert all(old in accepted(objects) for objects in others)
    for objects in (dropped, done):
        assert accepted(objects) == signer(objects) != old


def test_the_key_alone_is_replaced_where_nothing_else_was_asked_for() -> None:
    seen = whole(Part.TOKEN_KEYS)
    for objects in seen:
        changed = {key for key in objects if objects[key] != FIRST.get(key)}
        assert changed <= {SECRET, ("Secret", SUCCESSION_SECRET)}
    assert [state(one).stage for one in seen[1:]] == list(Stage)
    assert not any(state(one).mark for one in seen[1:])
    # Pods roll as their marks say: not while tokens are renewed, and not at the end.
    marks = [state(one).token_mark for one in seen[1:]]
    assert len(set(marks)) == 3
    assert (marks[1], marks[3]) == (marks[2], marks[4])
    assert not [name for name in secret_data(seen[-1], SUCCESSION_SECRET) if "." in name]


def test_authorities_alone_are_replaced_without_the_stage_of_tokens() -> None:
    seen = whole(Part.AUTHORITIES)
    assert [state(one).stage for one in seen[1:]] == [
        Stage.TRUST,
        Stage.REISSUE,
        Stage.DROP,
        Stage.DONE,
    ]
    assert all(one[SECRET] == FIRST[SECRET] for one in seen)


def test_a_replacement_of_everything_leaves_the_mark_of_the_key_alone_and_the_other_way() -> None:
    keys_alone = whole(Part.TOKEN_KEYS)[-1]
    everything = follow(begin(keys_alone))
    assert state(everything).token_mark == state(keys_alone).token_mark
    assert state(everything).mark == state(everything).word
    assert not state(everything).is_of_token_keys_alone
    done = everything
    while state(done).under_way:
        done = follow(advance(done))
    again = follow(begin(done, only=Part.TOKEN_KEYS))
    assert state(again).mark == state(done).mark
    assert state(again).is_of_token_keys_alone


@pytest.mark.parametrize("only", ["", Part.TOKEN_KEYS])
def test_a_second_pass_in_any_stage_writes_nothing(only: str) -> None:
    for objects in whole(only):
        assert follow(objects, NOW + timedelta(days=1)) == objects


def test_a_key_that_is_lost_in_the_first_stage_has_its_successor_sign() -> None:
    trusting = follow(begin(FIRST, only=Part.TOKEN_KEYS))
    healed = follow({key: one for key, one in trusting.items() if key != SECRET})
    assert signer(healed) != signer(FIRST)
    assert signer(healed) in accepted(healed)
    assert signer(FIRST) in accepted(healed)
    assert signer(follow(advance(healed))) == signer(healed)


def test_a_key_of_the_users_is_left_as_it_is_in_every_stage() -> None:
    trusting = begin(FIRST)
    own = wanted(replace(SITE, has_own_token_key=True), state(trusting))
    assert SECRET not in by_kind_and_name(reconcile(trusting, own, NOW, keys=keys))
    assert SECRET in by_kind_and_name(
        reconcile(trusting, wanted(SITE, state(trusting)), NOW, keys=keys)
    )


def test_that_the_old_key_signed_last_is_noted_for_one_stage_alone() -> None:
    reissued = follow(advance(follow(begin(FIRST))))
    assert state(reissued).settled is None
    name = ("Secret", SUCCESSION_SECRET)
    noted: Manifest = {**reissued[name], "data": {**reissued[name]["data"], **settled(NOW)}}
    assert state(reissued | {name: noted}).settled == NOW
    assert state(advance(reissued | {name: noted})).settled is None
    assert state(begin(reissued | {name: noted})).settled is None


@pytest.mark.parametrize("algorithm", list(Algorithm))
def test_the_successor_is_of_the_same_kind_as_the_key(algorithm: Algorithm) -> None:
    old = new_key(algorithm)
    data = begun({KEY: key_to_pem(old)}, new_key)
    made = key_from_pem(data[KEY])
    assert type(made) is type(old)
    assert data["service-account.old.pub"] == public_pem(old)


def test_there_is_no_successor_of_a_key_that_cannot_be_read() -> None:
    assert begun({KEY: b"nonsense"}, new_key) == {}


def decoded(part: str) -> bytes:
    return urlsafe_b64decode(part + "==")


@pytest.mark.parametrize("algorithm", list(Algorithm))
def test_a_kept_token_is_signed_and_says_whose_it_is(algorithm: Algorithm) -> None:
    key = new_key(algorithm)
    token = kept_token(key, KEPT)
    header, claims, signature = token.split(".")
    told = json.loads(decoded(claims))
    assert told["iss"] == LEGACY_ISSUER
    assert told["sub"] == "system:serviceaccount:shop:robot"
    assert told["kubernetes.io/serviceaccount/secret.name"] == "robot-token"
    assert "exp" not in told
    text, found = f"{header}.{claims}".encode(), decoded(signature)
    public = key.public_key()
    if isinstance(public, rsa.RSAPublicKey):
        public.verify(found, text, padding.PKCS1v15(), hashes.SHA256())
    else:
        assert len(found) == 64
        numbers = (int.from_bytes(found[:32]), int.from_bytes(found[32:]))
        public.verify(encode_dss_signature(*numbers), text, ec.ECDSA(hashes.SHA256()))
    assert is_of(token, key)
    assert not is_of(token, new_key())


@pytest.mark.parametrize("token", ["", "a", "e30.e30.x", "bnVsbA.x.y", "W10.x.y"])
def test_a_text_that_is_no_token_is_of_no_key(token: str) -> None:
    assert not is_of(token, new_key())


def test_a_set_of_keys_has_one_name_whatever_their_order() -> None:
    one, two = public_pem(new_key()), public_pem(new_key())
    assert digest(one + two) == digest(two + one)
    assert digest(one + two) != digest(one)


def test_no_key_is_shown() -> None:
    assert "PRIVATE" not in repr(state(begin(FIRST)).token_keys)
