"""Conditions: times move with the status alone."""

from typing import Any

from tests.lib import virtual

from hypershift.runtime import Conditions, condition_of, is_true


def test_the_transition_time_moves_only_with_the_status() -> None:
    async def story() -> None:
        clock = virtual.VirtualClock()
        status: dict[str, Any] = {}
        conditions = Conditions(status, clock, generation=3)
        conditions.true("Ready", "AllGood", "fine")
        first = dict(status["conditions"][0])
        await clock.sleep(60)
        conditions.true("Ready", "StillGood", "also fine")
        second = dict(status["conditions"][0])
        assert second["lastTransitionTime"] == first["lastTransitionTime"]
        assert second["reason"] == "StillGood"
        await clock.sleep(60)
        conditions.false("Ready", "Broken")
        assert status["conditions"][0]["lastTransitionTime"] != first["lastTransitionTime"]
        assert status["conditions"][0]["observedGeneration"] == 3

    virtual.run(story())


def test_setting_the_same_changes_nothing() -> None:
    async def story() -> None:
        clock = virtual.VirtualClock()
        status: dict[str, Any] = {}
        conditions = Conditions(status, clock)
        conditions.set("Ready", "Unknown", "Looking")
        before = [dict(one) for one in status["conditions"]]
        await clock.sleep(60)
        conditions.set("Ready", "Unknown", "Looking")
        assert status["conditions"] == before

    virtual.run(story())


def test_order_is_kept_and_conditions_can_go() -> None:
    status: dict[str, Any] = {"conditions": [{"type": "B", "status": "True"}]}
    conditions = Conditions(status, virtual.VirtualClock())
    assert conditions.is_true("B")
    conditions.remove("B")
    conditions.remove("none")
    assert status["conditions"] == []
    assert conditions.get("B") is None


def test_conditions_of_other_objects_are_read() -> None:
    manifest = {"status": {"conditions": [{"type": "Ready", "status": "True"}]}}
    assert is_true(manifest, "Ready")
    assert not is_true(manifest, "Other")
    assert condition_of({}, "Ready") is None
