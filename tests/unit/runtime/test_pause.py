"""`spec.pausedUntil` in all its spellings."""

from datetime import UTC, datetime, timedelta

import pytest

from hypershift.api.conditions import HostedClusterCondition
from hypershift.runtime.pause import FOREVER, active_condition, is_unreadable, pause_left

ACTIVE = HostedClusterCondition.RECONCILIATION_ACTIVE
NOW = datetime(2030, 1, 1, tzinfo=UTC)


@pytest.mark.parametrize(
    ("value", "left"),
    [
        ("true", FOREVER),
        ("TRUE", FOREVER),
        ("1", FOREVER),
        ("t", FOREVER),
        ("tRUE", None),
        (" true", None),
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


@pytest.mark.parametrize(
    ("value", "unreadable"),
    [
        (None, False),
        ("", True),
        ("F", False),
        ("no", True),
        ("2030-01-01", True),
        ("2030-01-01T00:05:00", True),
        ("2030-13-01T00:05:00Z", True),
        ("2020-01-01T00:05:00.5+01:00", False),
    ],
)
def test_what_is_neither_truth_nor_moment_is_unreadable(
    value: str | None, *, unreadable: bool
) -> None:
    manifest = {"spec": {"pausedUntil": value}}
    assert is_unreadable(manifest) is unreadable
    wanted = "InvalidPausedUntilValue" if unreadable else "AsExpected"
    assert active_condition(ACTIVE, manifest, NOW).reason == wanted
