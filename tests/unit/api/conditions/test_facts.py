"""Conditions tell the truth about time and generation."""

from datetime import UTC, datetime, timedelta

from hypershift.api.conditions import (
    HostedClusterCondition,
    Reason,
    condition,
    copied,
    find_condition,
    is_current,
    is_true,
    remove_condition,
    set_condition,
)
from hypershift.api.values import ConditionStatus
from hypershift.kit import Manifest

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)
LATER = NOON + timedelta(hours=1)
AVAILABLE = HostedClusterCondition.AVAILABLE


def available(
    status: ConditionStatus, now: datetime, generation: int = 0, message: str = ""
) -> Manifest:
    return condition(AVAILABLE, status, Reason.AS_EXPECTED, message, now=now, generation=generation)


def test_a_condition_is_written_with_plain_words() -> None:
    assert available(ConditionStatus.TRUE, NOON, 3) == {
        "type": "Available",
        "status": "True",
        "reason": "AsExpected",
        "message": "",
        "lastTransitionTime": "2026-01-01T12:00:00Z",
        "observedGeneration": 3,
    }


def test_the_transition_time_stays_while_the_status_does() -> None:
    known = set_condition([], available(ConditionStatus.TRUE, NOON))
    known = set_condition(known, available(ConditionStatus.TRUE, LATER, message="still"))
    assert known[0]["lastTransitionTime"] == "2026-01-01T12:00:00Z"
    assert known[0]["message"] == "still"


def test_the_transition_time_moves_with_the_status() -> None:
    known = set_condition([], available(ConditionStatus.TRUE, NOON))
    known = set_condition(known, available(ConditionStatus.FALSE, LATER))
    assert known[0]["lastTransitionTime"] == "2026-01-01T13:00:00Z"


def test_an_observation_of_an_older_generation_loses() -> None:
    known = set_condition([], available(ConditionStatus.TRUE, NOON, 5))
    assert set_condition(known, available(ConditionStatus.FALSE, LATER, 4)) == known


def test_other_conditions_keep_their_place() -> None:
    other = {"type": "Other", "status": "True"}
    known = set_condition([other], available(ConditionStatus.TRUE, NOON))
    known = set_condition(known, available(ConditionStatus.FALSE, LATER))
    assert [each["type"] for each in known] == ["Other", "Available"]


def test_a_condition_can_be_found_and_removed() -> None:
    known = set_condition([], available(ConditionStatus.TRUE, NOON, 2))
    assert find_condition(known, AVAILABLE) is known[0]
    assert is_true(known, AVAILABLE)
    assert is_current(known, AVAILABLE, 2)
    assert not is_current(known, AVAILABLE, 3)
    assert remove_condition(known, AVAILABLE) == []
    assert find_condition(None, AVAILABLE) is None


def test_a_copied_condition_speaks_about_the_generation_of_its_new_object() -> None:
    source = available(ConditionStatus.TRUE, NOON, 9)
    assert copied(source, generation=2)["observedGeneration"] == 2
    assert "observedGeneration" not in copied(source)
    assert copied(source, type_="Renamed")["type"] == "Renamed"
