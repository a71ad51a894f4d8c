"""`spec.pausedUntil` in all its spellings."""

from datetime import UTC, datetime, timedelta

import pytest

from hypershift.runtime.pause import FOREVER, pause_left

NOW = datetime(2030, 1, 1, tzinfo=UTC)


@pytest.mark.parametrize(
    ("value", "left"),
    [
        ("true", FOREVER),
        ("TRUE", FOREVER),
        ("2030-01-01T00:05:00Z", timedelta(minutes=5)),
        ("2029-12-31T23:59:59Z", None),
        ("false", None),
        ("", None),
        (None, None),
        ("soon", None),
        ("2030-01-01T00:05:00", None),
    ],
)
def test_a_pause_is_for_ever_until_a_moment_or_none(
    value: str | None, left: timedelta | None
) -> None:
    assert pause_left({"spec": {"pausedUntil": value}}, NOW) == left


def test_no_spec_is_no_pause() -> None:
    assert pause_left({}, NOW) is None
