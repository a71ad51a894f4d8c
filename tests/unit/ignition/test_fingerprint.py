"""Hashes and shortened names."""

from hypothesis import given
from hypothesis import strategies as st

from hypershift.ignition import fingerprint


def test_text_is_hashed_by_fnv_1a() -> None:
    assert fingerprint.of_text("foobar") == "bf9cf968"


def test_bytes_are_hashed_as_go_prints_them() -> None:
    assert fingerprint.of_bytes(b"a") == "7bddbdf5" == fingerprint.of_text("[97]")


def test_config_map_without_data_has_no_hash() -> None:
    assert fingerprint.of_config_map({}) == ""


@given(st.text("abcdef-", max_size=90), st.text("abcdef-", max_size=90), st.integers(0, 80))
def test_a_name_never_exceeds_its_limit(base: str, suffix: str, limit: int) -> None:
    assert len(fingerprint.name(base, suffix, limit)) <= limit


@given(st.text("abc", min_size=60, max_size=90), st.text("abc", min_size=60, max_size=90))
def test_long_names_that_differ_stay_different(first: str, second: str) -> None:
    shortened = [fingerprint.name(base, "pool", 43) for base in (first, second)]
    assert (shortened[0] == shortened[1]) == (first == second)
