from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hypershift.cli.flags import (
    BOOL,
    DURATION,
    INT32,
    STRING_MAP,
    STRINGS,
    Flag,
    format_duration,
    parse_duration,
    read,
)
from hypershift.kit import UsageError


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("90s", 90), ("1h30m", 5400), ("1.5h", 5400), ("0", 0), ("-2m", -120), ("300ms", 0.3)],
)
def test_durations_are_read_as_go_writes_them(text: str, seconds: float) -> None:
    assert parse_duration(text) == timedelta(seconds=seconds)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("soon", 'time: invalid duration "soon"'),
        ("", 'time: invalid duration ""'),
        ("5", 'time: missing unit in duration "5"'),
        ("1h!", 'time: invalid duration "1h!"'),
    ],
)
def test_a_wrong_duration_is_refused_in_gos_words(text: str, complaint: str) -> None:
    with pytest.raises(ValueError, match="duration") as error:
        parse_duration(text)
    assert str(error.value) == complaint


@given(st.integers(min_value=0, max_value=10**7))
def test_a_duration_that_was_written_reads_back_the_same(seconds: int) -> None:
    value = timedelta(seconds=seconds)
    assert parse_duration(format_duration(value)) == value


def test_a_wrong_word_names_the_flag_and_the_reason() -> None:
    with pytest.raises(UsageError) as error:
        read(Flag("cert-rotation-scale", type=DURATION), "soon")
    assert str(error.value) == (
        'invalid argument "soon" for "--cert-rotation-scale" flag: time: invalid duration "soon"'
    )


@pytest.mark.parametrize(
    ("flag", "word", "value"),
    [
        (Flag("a", type=BOOL), "false", False),
        (Flag("a", type=INT32), "7", 7),
        (Flag("a", type=STRINGS), "x,y", ("x", "y")),
        (Flag("a", type=STRINGS), "", ()),
        (Flag("a", type=STRING_MAP), "k=v,l=w=x", {"k": "v", "l": "w=x"}),
    ],
)
def test_words_become_values_by_type(flag: Flag, word: str, value: object) -> None:
    assert read(flag, word) == value


def test_numbers_out_of_range_are_refused() -> None:
    with pytest.raises(UsageError, match="value out of range"):
        read(Flag("replicas", type=INT32), str(2**31))
