"""Conditions: times move with the status alone, and only the owner changes one."""

from typing import Any

import pytest
from tests.lib import virtual

from hypershift.api.conditions import (
    ConditionReason,
    ConditionType,
    ControlPlaneCondition,
    HostedClusterCondition,
    Owner,
    Reason,
    false,
    true,
    unknown,
)
from hypershift.kit import SystemClock
from hypershift.runtime import Conditions, NotOwner, Writer, condition_of, is_true


class ThingCondition(ConditionType):
    READY = "Ready"
    OTHER = "Other"


class ThingReason(ConditionReason):
    ALL_GOOD = "AllGood"
    STILL_GOOD = "StillGood"
    BROKEN = "Broken"


READY, OTHER = ThingCondition.READY, ThingCondition.OTHER


def test_the_transition_time_moves_only_with_the_status() -> None:
    async def story() -> None:
        clock = virtual.VirtualClock()
        status: dict[str, Any] = {}
        conditions = Conditions(status, clock, generation=3)
        conditions.set(true(READY, "fine", ThingReason.ALL_GOOD))
        first = dict(status["conditions"][0])
        await clock.sleep(60)
        conditions.set(true(READY, "also fine", ThingReason.STILL_GOOD))
        second = dict(status["conditions"][0])
        assert second["lastTransitionTime"] == first["lastTransitionTime"]
        assert second["reason"] == "StillGood"
        await clock.sleep(60)
        conditions.set(false(READY, ThingReason.BROKEN))
        assert status["conditions"][0]["lastTransitionTime"] != first["lastTransitionTime"]
        assert status["conditions"][0]["observedGeneration"] == 3

    virtual.run(story())


def test_setting_the_same_changes_nothing() -> None:
    async def story() -> None:
        clock = virtual.VirtualClock()
        status: dict[str, Any] = {}
        conditions = Conditions(status, clock)
        conditions.set(unknown(READY, Reason.STATUS_UNKNOWN))
        before = [dict(one) for one in status["conditions"]]
        await clock.sleep(60)
        conditions.set(unknown(READY, Reason.STATUS_UNKNOWN))
        assert status["conditions"] == before

    virtual.run(story())


def test_order_is_kept_and_conditions_can_go() -> None:
    status: dict[str, Any] = {"conditions": [{"type": "Ready", "status": "True"}]}
    conditions = Conditions(status, virtual.VirtualClock())
    assert conditions.is_true(READY)
    conditions.remove(READY)
    conditions.remove(OTHER)
    assert status["conditions"] == []
    assert conditions.get(READY) is None


def test_conditions_of_other_objects_are_read() -> None:
    manifest = {"status": {"conditions": [{"type": "Ready", "status": "True"}]}}
    assert is_true(manifest, READY)
    assert not is_true(manifest, OTHER)
    assert condition_of({}, READY) is None


def written_by(controller: str, kind: str = "HostedControlPlane") -> Conditions:
    return Conditions({}, SystemClock(), writer=Writer(controller, kind))


def test_a_controller_sets_what_it_owns() -> None:
    conditions = written_by(Owner.CONTROL_PLANE)
    conditions.set(true(ControlPlaneCondition.VALID_RELEASE_INFO))
    assert conditions.is_true(ControlPlaneCondition.VALID_RELEASE_INFO)


def test_a_controller_cannot_change_what_another_owns() -> None:
    conditions = written_by(Owner.GUEST_CONFIG)
    with pytest.raises(NotOwner, match="only hostedcontrolplane does"):
        conditions.set(true(ControlPlaneCondition.VALID_RELEASE_INFO))
    with pytest.raises(NotOwner, match="only hostedcontrolplane does"):
        conditions.remove(ControlPlaneCondition.VALID_RELEASE_INFO)


def test_a_kind_shows_no_condition_of_another() -> None:
    with pytest.raises(NotOwner, match="no such condition"):
        written_by(Owner.CONTROL_PLANE).set(true(HostedClusterCondition.VALID_OIDC))
