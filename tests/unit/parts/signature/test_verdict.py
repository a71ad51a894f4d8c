from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hypershift.parts.errors import SignatureRefused
from hypershift.parts.signature.verdict import verdict

KEY, PRIMARY = "A" * 40, "B" * 40
NEW, GOOD = "NEWSIG", "GOODSIG AAAAAAAAAAAAAAAA Somebody <s@example.com>"
VALID = f"VALIDSIG {KEY} 2026-09-01 1788220800 0 4 0 22 8 01 {PRIMARY}"


def lines(*said: str) -> list[str]:
    return [f"[GNUPG:] {each}" for each in said]


def test_a_good_signature_is_told_by_primary_key_and_time() -> None:
    found = verdict(["noise", *lines(NEW, GOOD, VALID)])
    assert (found.key, found.created) == (PRIMARY, datetime(2026, 9, 1, tzinfo=UTC))


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ((NEW, "REVKEYSIG AAAA Somebody", VALID), "was revoked"),
        ((NEW, "EXPKEYSIG AAAA Somebody", VALID), "key has expired"),
        ((NEW, "EXPSIG AAAA Somebody", VALID), "it has expired"),
        ((NEW, "BADSIG AAAA Somebody"), "other bytes"),
        ((NEW, "ERRSIG AAAA 22 8 00 1788220800 9", "NO_PUBKEY AAAA"), "not one of upstream's"),
        ((NEW, GOOD, VALID, NEW, "ERRSIG AAAA 22 8 00 1788220800 9"), "cannot be checked"),
        ((NEW, GOOD, VALID, NEW, GOOD, VALID), "not exactly one"),
        ((NEW, GOOD), "not exactly one"),
        ((NEW, VALID), "not exactly one"),
        ((), "not exactly one"),
        ((NEW, GOOD, VALID.replace(" 22 8 01 ", " 22 2 01 ")), "too weak"),
        ((NEW, GOOD, VALID.replace(" 22 8 01 ", " 22 8 13 ")), "too weak"),
        ((NEW, GOOD, "VALIDSIG short"), "do not understand"),
        ((NEW, GOOD, VALID.replace("1788220800", "9" * 30)), "do not understand"),
    ],
)
def test_anything_else_is_refused(said: tuple[str, ...], why: str) -> None:
    with pytest.raises(SignatureRefused, match=why):
        verdict(lines(*said))


def test_lines_that_are_not_of_the_status_say_nothing() -> None:
    with pytest.raises(SignatureRefused):
        verdict([NEW, GOOD, VALID])


@given(st.lists(st.sampled_from(["", "NEWSIG", GOOD, VALID, "VALIDSIG", "BADSIG x", "X \u2028 y"])))
def test_no_lines_make_it_stumble(said: list[str]) -> None:
    try:
        found = verdict(lines(*said))
    except SignatureRefused:
        return
    assert found.key == PRIMARY
    assert [said.count(each) for each in (NEW, GOOD, VALID)] == [1, 1, 1]
