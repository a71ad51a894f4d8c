"""A condition is one value; what other objects show becomes that value."""

from hypershift.api.conditions import (
    Condition,
    ConditionStatus,
    ControlPlaneCondition,
    ControlPlaneReason,
    ForeignReason,
    HostedClusterCondition,
    Reason,
    copied,
    decided,
    fails,
    false,
    holds,
    status_of,
    true,
    unknown,
)

AVAILABLE = HostedClusterCondition.AVAILABLE


def test_a_true_condition_needs_no_reason() -> None:
    made = true(AVAILABLE, "fine")
    assert made == Condition(AVAILABLE, ConditionStatus.TRUE, Reason.AS_EXPECTED, "fine")
    assert made.is_true


def test_a_condition_is_written_with_plain_strings() -> None:
    written = false(AVAILABLE, ControlPlaneReason.SLOW_DISK, "wait").manifest()
    assert written == {
        "type": "Available",
        "status": "False",
        "reason": "SlowDisk",
        "message": "wait",
    }
    assert {type(value) for value in written.values()} == {str}


def test_a_condition_can_be_unknown_or_decided_by_a_fact() -> None:
    assert unknown(AVAILABLE).manifest()["reason"] == "StatusUnknown"
    assert decided(AVAILABLE, so=True).is_true
    assert decided(AVAILABLE, so=False).status is ConditionStatus.FALSE


def test_a_copy_keeps_status_reason_and_message_under_its_own_type() -> None:
    found = {"type": "EtcdAvailable", "status": "False", "reason": "Lost", "message": "gone"}
    assert copied(found, ControlPlaneCondition.ETCD_AVAILABLE) == false(
        ControlPlaneCondition.ETCD_AVAILABLE, ForeignReason("Lost"), "gone"
    )


def test_a_status_that_kubernetes_would_refuse_is_unknown() -> None:
    assert status_of({"status": "maybe"}) is ConditionStatus.UNKNOWN
    assert status_of({}) is ConditionStatus.UNKNOWN
    assert status_of(None) is ConditionStatus.UNKNOWN
    assert holds({"status": "True"})
    assert fails({"status": "False"})
    assert not fails(None)
    assert not holds(None)
