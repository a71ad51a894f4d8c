"""Conditions of a HostedCluster."""

from datetime import UTC, datetime
from typing import Any

import pytest
from tests.lib.decoded import a_decoded_spec

from hypershift.api.conditions import (
    COPIED,
    ControlPlaneCondition,
    HostedClusterReason,
    Reason,
    false,
)
from hypershift.api.conditions import HostedClusterCondition as Cluster
from hypershift.kit import SystemClock
from hypershift.operators.hypershift.hosted_cluster.rules.conditions import (
    available,
    carried_over,
    copied_conditions,
    moving,
    progressing,
    vanished,
)
from hypershift.operators.hypershift.hosted_cluster.rules.version import version_status
from hypershift.platforms import PLATFORMS
from hypershift.release import Product, Release
from hypershift.runtime import Conditions

NO_IMAGE = false(Cluster.VALID_RELEASE_IMAGE, HostedClusterReason.INVALID_IMAGE, "no such image")
NOW = datetime(2026, 1, 1, tzinfo=UTC)


def a_plane(**conditions: str) -> dict[str, Any]:
    found = [
        {"type": kind, "status": status, "reason": "Because", "message": "so"}
        for kind, status in conditions.items()
    ]
    return {"status": {"conditions": found}}


def by_type(plane: dict[str, Any] | None) -> dict[str, Any]:
    return {verdict.type: verdict for verdict in copied_conditions(plane, PLATFORMS["None"])}


def test_without_a_control_plane_everything_is_unknown() -> None:
    found = by_type(None)
    assert set(COPIED) <= set(found)
    assert {verdict.status for verdict in found.values()} == {"Unknown"}
    assert found["EtcdAvailable"].reason == "StatusUnknown"


def test_a_failing_version_is_one_that_does_not_succeed() -> None:
    assert by_type(a_plane(ClusterVersionFailing="True"))["ClusterVersionSucceeding"].status == (
        "False"
    )
    assert by_type(a_plane(ClusterVersionFailing="False"))["ClusterVersionSucceeding"].status == (
        "True"
    )


def test_a_condition_that_the_control_plane_does_not_know_vanishes() -> None:
    assert "ClusterVersionRetrievedUpdates" in set(vanished(a_plane()))
    plane = a_plane(ClusterVersionRetrievedUpdates="Unknown")
    assert "ClusterVersionRetrievedUpdates" not in set(vanished(plane))
    plane["status"]["conditions"][0]["reason"] = "StatusUnknown"
    assert "ClusterVersionRetrievedUpdates" in set(vanished(plane))


def test_what_only_one_platform_knows_is_said_there_alone() -> None:
    plane = a_plane(ValidAWSKMSConfig="Unknown", ValidAWSIdentityProvider="False")
    told: dict[str, str] = {
        one.type: one.status for one in copied_conditions(plane, PLATFORMS["AWS"])
    }
    assert told["ValidAWSKMSConfig"] == "Unknown"
    assert told["ValidAWSIdentityProvider"] == "False"
    elsewhere = {one.type for one in copied_conditions(plane, PLATFORMS["None"])}
    assert not elsewhere & {"ValidAWSKMSConfig", "ValidAWSIdentityProvider"}
    (unknown,) = (
        one
        for one in copied_conditions(None, PLATFORMS["AWS"])
        if one.type == "ValidAWSIdentityProvider"
    )
    assert (unknown.status, unknown.reason, unknown.message) == ("Unknown", "StatusUnknown", "")


def test_availability_is_the_control_planes() -> None:
    assert available(a_plane(Available="True"), None).reason == "AsExpected"
    assert available(a_plane(Available="False"), None).reason == "Because"


def test_a_cluster_without_control_plane_tells_what_blocks_it() -> None:
    blocked = {"reason": "Blocked", "message": "ValidConfiguration condition is false: x"}
    verdict = available(None, blocked)
    assert (verdict.status, verdict.reason) == ("False", "WaitingForAvailable")
    assert verdict.message == blocked["message"]


def test_a_false_gate_blocks_progress() -> None:
    conditions = Conditions({}, SystemClock())
    conditions.set(NO_IMAGE)
    verdict = progressing(conditions, refused="", rolling_out=True)
    assert (verdict.status, verdict.reason) == ("False", "Blocked")
    assert verdict.message == "ValidReleaseImage condition is false: no such image"


def test_a_refused_upgrade_blocks_progress() -> None:
    conditions = Conditions({}, SystemClock())
    conditions.set(NO_IMAGE)
    verdict = progressing(conditions, refused="not now", rolling_out=True)
    message = "ClusterVersionUpgradeable condition is false: not now"
    assert (verdict.reason, verdict.message) == ("Blocked", message)


def test_the_first_false_gate_tells_and_a_release_that_cannot_be_read_before_it() -> None:
    conditions = Conditions({}, SystemClock())
    conditions.set(NO_IMAGE)
    conditions.set(false(Cluster.VALID_CONFIGURATION, Reason.INVALID_CONFIGURATION, "wrong"))
    verdict = progressing(conditions, refused="", rolling_out=True)
    assert verdict.message == "ValidConfiguration condition is false: wrong"
    verdict = progressing(conditions, no_release="unreadable", refused="", rolling_out=True)
    assert (verdict.reason, verdict.message) == ("Blocked", "unreadable")


@pytest.mark.parametrize(
    ("desired", "word"),
    [
        ("", "moving"),
        ("r.io/k:1", "there"),
        ("r.io/k@sha256:1", "there"),
        ("r.io/k@sha256:2", "moving"),
    ],
)
def test_a_cluster_is_at_its_release_by_tag_or_by_digest(desired: str, word: str) -> None:
    release = Release("1.35.8", Product.KUBERNETES, image="r.io/k:1", resolved="r.io/k@sha256:1")
    status = {"version": {"desired": {"image": desired}}}
    assert moving(status, a_decoded_spec({"release": {"image": "r.io/k:1"}}), release) is (
        word == "moving"
    )


def test_a_release_that_cannot_be_read_is_known_by_its_tag_alone() -> None:
    spec = {"release": {"image": "r.io/k:1"}}
    assert not moving({"version": {"desired": {"image": "r.io/k:1"}}}, a_decoded_spec(spec), None)
    assert moving({}, a_decoded_spec(spec), None)


def test_the_history_opens_with_an_entry_that_is_not_complete() -> None:
    status = version_status(None, "img:1", "1.35.8", 3, NOW)
    assert status["history"][0]["state"] == "Partial"
    assert status["history"][0]["completionTime"] is None
    assert status["desired"] == {"image": "img:1", "version": "1.35.8"}
    assert status["observedGeneration"] == 3


def test_a_release_is_complete_once_the_control_plane_runs_it() -> None:
    opened = version_status(None, "img:1", "1.35.8", 1, NOW)
    done = version_status(opened, "img:1", "1.35.8", 1, NOW, rolled_out="img:1")
    assert done["history"][0]["state"] == "Completed"
    assert version_status(done, "img:1", "1.35.8", 1, NOW, rolled_out="img:1") == done


def test_an_upgrade_ends_the_entry_before_it() -> None:
    opened = version_status(None, "img:1", "1.34.0", 1, NOW)
    moved = version_status(opened, "img:2", "1.35.8", 2, NOW, rolled_out="img:1")
    assert [entry["state"] for entry in moved["history"]] == ["Partial", "Partial"]
    assert moved["history"][1]["completionTime"] == "2026-01-01T00:00:00Z"


def test_a_release_that_is_not_allowed_is_told_while_nothing_runs() -> None:
    bad = version_status(None, "img:bad", "9.9.9", 1, NOW, allowed=False)
    assert bad["desired"] == {"image": "img:bad", "version": ""}
    worse = version_status(bad, "img:worse", "", 2, NOW, allowed=False)
    assert worse["desired"] == {"image": "img:worse", "version": ""}
    good = version_status(worse, "img:1", "1.35.8", 3, NOW)
    assert good["desired"] == {"image": "img:1", "version": "1.35.8"}
    assert version_status(good, "img:bad", "9.9.9", 4, NOW, allowed=False) == good


def test_what_a_cloud_still_holds_is_told_when_it_changes() -> None:
    kind = ControlPlaneCondition.CLOUD_RESOURCES_DESTROYED
    fresh = carried_over(a_plane(), kind, None)
    assert fresh is not None
    assert (fresh.status, fresh.reason, fresh.message) == ("Unknown", "StatusUnknown", "")
    held = a_plane(CloudResourcesDestroyed="False")
    told = carried_over(held, kind, {"message": "another"})
    assert told is not None
    assert told.status == "False"
    assert carried_over(held, kind, {"message": told.message}) is None
