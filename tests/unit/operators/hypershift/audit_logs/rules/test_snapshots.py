"""When a snapshot of a log is due, and which ones go."""

from datetime import UTC, datetime, timedelta

import pytest
from tests.unit.operators.hypershift.audit_logs.rules.test_wanted import asked

from hypershift.kit import Manifest, rfc3339
from hypershift.operators.hypershift.audit_logs.rules.snapshots import (
    ended,
    is_due,
    observed,
    restarts,
    snapshot,
    superfluous,
)

NOW = datetime(2026, 5, 6, 7, 8, 9, tzinfo=UTC)


def a_pod(restart_count: int = 0, finished: str = "", **notes: str) -> Manifest:
    prefix = "hypershift.openshift.io"
    marks = {f"{prefix}/{name.replace('_', '-')}": value for name, value in notes.items()}
    state = {"terminated": {"finishedAt": finished}} if finished else {}
    server = {"name": "kube-apiserver", "restartCount": restart_count, "lastState": state}
    other = {"name": "konnectivity-server", "restartCount": 7}
    return {
        "metadata": {"name": "kube-apiserver-1-a", "namespace": "n", "annotations": marks},
        "status": {"containerStatuses": [other, server]},
    }


def a_snapshot(name: str, claim: str, made: str) -> Manifest:
    marks = {"hypershift.openshift.io/audit-logs-pvc": claim}
    return {"metadata": {"name": name, "creationTimestamp": made, "labels": marks}}


def test_restarts_are_those_of_the_api_server_alone() -> None:
    assert restarts(a_pod(2)) == 2
    assert restarts({"metadata": {}}) == 0


@pytest.mark.parametrize(
    ("note", "count"), [("3", 3), ("", 0), ("many", 0), ("-1", 0), ("9" * 4000, 0), ("٣", 0)]
)
def test_a_note_that_is_no_number_counts_as_none(note: str, count: int) -> None:
    assert observed(a_pod(last_observed_restart_count=note)) == count


def test_two_snapshots_are_at_least_the_interval_apart() -> None:
    config = asked(enabled=True, snapshots={"enabled": True, "minInterval": "30m"})
    before = rfc3339(NOW - timedelta(minutes=29))
    assert not is_due(a_pod(last_snapshot_time=before), config, NOW)
    assert is_due(a_pod(last_snapshot_time=rfc3339(NOW - timedelta(minutes=30))), config, NOW)
    assert is_due(a_pod(), config, NOW)
    assert is_due(a_pod(last_snapshot_time="yesterday"), config, NOW)


def test_every_pass_after_one_restart_names_the_same_snapshot() -> None:
    pod = a_pod(1, finished="2026-05-06T07:00:01Z")
    config = asked(enabled=True, snapshots={"enabled": True, "volumeSnapshotClassName": "csi"})
    first, later = (
        snapshot(pod, "c", config, ended(pod, now)) for now in (NOW, NOW + timedelta(1))
    )
    assert first == later
    assert first["metadata"]["name"] == "c-snapshot-20260506-070001"
    assert first["spec"] == {
        "source": {"persistentVolumeClaimName": "c"},
        "volumeSnapshotClassName": "csi",
    }


def test_the_oldest_go_first_of_the_pod_and_then_of_the_namespace() -> None:
    limits = {"enabled": True, "perPodRetentionCount": 2, "namespaceRetentionCount": 3}
    config = asked(enabled=True, snapshots=limits)
    found = [
        a_snapshot("a3", "a", "2026-01-05T00:00:00Z"),
        a_snapshot("a1", "a", "2026-01-01T00:00:00Z"),
        a_snapshot("a2", "a", "2026-01-04T00:00:00Z"),
        a_snapshot("b1", "b", "2026-01-02T00:00:00Z"),
        a_snapshot("b2", "b", "2026-01-03T00:00:00Z"),
    ]
    assert superfluous(found, "a", config) == ["a1", "b1"]
    assert superfluous(found[:2], "a", config) == []
