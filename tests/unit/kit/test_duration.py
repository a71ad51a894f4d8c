"""Durations in Go's words."""

from datetime import timedelta

import pytest

from hypershift.kit import InvalidSpec, go_duration


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
