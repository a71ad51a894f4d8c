"""Durations in Go's words."""

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hypershift.kit import InvalidSpec, go_duration
from hypershift.kit.duration import format_duration, parse_duration


@pytest.mark.parametrize(
    ("text", "duration"),
    [
        ("8760h", timedelta(days=365)),
        ("1h30m", timedelta(minutes=90)),
        ("1.5s", timedelta(seconds=1.5)),
        ("250ms", timedelta(milliseconds=250)),
        ("10m0s", timedelta(minutes=10)),
    ],
)
def test_a_duration_is_read(text: str, duration: timedelta) -> None:
    assert go_duration(text) == duration


@pytest.mark.parametrize("text", ["", "1", "h", "1d", "-1h"])
def test_what_is_no_duration_is_refused(text: str) -> None:
    with pytest.raises(InvalidSpec):
        go_duration(text)


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
        ("1h!", 'time: unknown unit "h!" in duration "1h!"'),
        ("1d", 'time: unknown unit "d" in duration "1d"'),
        ("1h30", 'time: missing unit in duration "1h30"'),
        (".s", 'time: invalid duration ".s"'),
    ],
)
def test_a_wrong_duration_is_refused_in_gos_words(text: str, complaint: str) -> None:
    with pytest.raises(ValueError, match="duration") as error:
        parse_duration(text)
    assert str(error.value) == complaint


@given(st.integers(min_value=-(10**12), max_value=10**12))
def test_a_duration_that_was_written_reads_back_the_same(microseconds: int) -> None:
    value = timedelta(microseconds=microseconds)
    assert parse_duration(format_duration(value)) == value


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (timedelta(0), "0s"),
        (timedelta(hours=24), "24h0m0s"),
        (timedelta(seconds=90), "1m30s"),
        (timedelta(seconds=1.5), "1.5s"),
        (timedelta(milliseconds=500), "500ms"),
        (timedelta(microseconds=1500), "1.5ms"),
        (timedelta(microseconds=-7), "-7µs"),
    ],
)
def test_durations_are_printed_as_go_prints_them(value: timedelta, text: str) -> None:
    assert format_duration(value) == text
