"""Velero's objects as `create oadp-*` prints them."""

import hashlib

import pytest
import yaml

from hypershift.cli.main import HYPERSHIFT, execute
from hypershift.cli.oadp import objects
from hypershift.cli.oadp.objects import Keeping, Subject
from hypershift.cli.oadp.pace import cron
from hypershift.kit import UsageError

CLUSTER = ("--hc-name", "blue", "--hc-namespace", "clusters", "--render")


@pytest.fixture(autouse=True)
def _no_cluster(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KUBECONFIG", "/nowhere")


def printed(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, object]:
    assert execute(HYPERSHIFT, ["create", *words, *CLUSTER]) == 0
    text = capsys.readouterr().out
    assert text.startswith("\n---\n")
    [found] = yaml.safe_load_all(text)
    assert isinstance(found, dict)
    return found


def test_a_backup_is_rendered_without_a_cluster(capsys: pytest.CaptureFixture[str]) -> None:
    found = printed(capsys, "oadp-backup", "--name", "one")
    assert found["metadata"] == {
        "name": "one",
        "namespace": "openshift-adp",
        "labels": {"velero.io/storage-location": "default"},
    }
    spec = found["spec"]
    assert isinstance(spec, dict)
    assert spec.pop("includedResources")[-3:] == [
        "awsclusters.infrastructure.cluster.x-k8s.io",
        "awsmachinetemplates.infrastructure.cluster.x-k8s.io",
        "awsmachines.infrastructure.cluster.x-k8s.io",
    ]
    assert spec == {
        "includedNamespaces": ["clusters", "clusters-blue"],
        "storageLocation": "default",
        "ttl": "2h0m0s",
        "csiSnapshotTimeout": "10m0s",
        "snapshotMoveData": True,
        "defaultVolumesToFsBackup": False,
        "dataMover": "velero",
        "snapshotVolumes": True,
    }


def test_with_a_snapshot_of_etcd_no_volume_is_kept(capsys: pytest.CaptureFixture[str]) -> None:
    spec = printed(capsys, "oadp-backup", "--use-etcd-snapshot")["spec"]
    assert isinstance(spec, dict)
    kept = spec["includedResources"]
    assert "namespaces" in kept
    assert not {"persistentvolumes", "persistentvolumeclaims", "statefulsets"} & set(kept)
    assert (spec["snapshotVolumes"], spec["itemOperationTimeout"]) == (False, "4h0m0s")
    assert spec["excludedResources"] == []


def test_a_restore_names_its_backup(capsys: pytest.CaptureFixture[str]) -> None:
    found = printed(capsys, "oadp-restore", "--from-backup", "one", "--use-etcd-snapshot")
    assert found["spec"] == {
        "includedNamespaces": ["clusters", "clusters-blue"],
        "excludedResources": list(objects.EXCLUDED_WITH_SNAPSHOT),
        "existingResourcePolicy": "update",
        "preserveNodePorts": True,
        "restorePVs": False,
        "cleanupBeforeRestore": "CleanupRestored",
        "backupName": "one",
        "veleroManagedClustersBackupName": "one",
        "veleroCredentialsBackupName": "one",
        "veleroResourcesBackupName": "one",
    }


def test_a_schedule_knows_its_cluster(capsys: pytest.CaptureFixture[str]) -> None:
    found = printed(capsys, "oadp-schedule", "--schedule", "Daily-2am", "--paused")
    metadata, spec = found["metadata"], found["spec"]
    assert isinstance(metadata, dict)
    assert isinstance(spec, dict)
    assert metadata["name"].startswith("blue-clusters-")
    assert metadata["labels"]["hypershift.openshift.io/hosted-cluster-namespace"] == "clusters"
    assert (spec["schedule"], spec["paused"], spec["skipImmediately"]) == ("0 2 * * *", True, False)
    assert spec["template"]["snapshotMoveData"] is False


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("oadp-restore",), "either --from-backup or --from-schedule must be specified"),
        (
            ("oadp-restore", "--from-backup", "a", "--from-schedule", "b"),
            "--from-backup and --from-schedule are mutually exclusive, specify only one",
        ),
        (
            ("oadp-backup", "--use-etcd-snapshot", "--snapshot-move-data"),
            "--snapshot-move-data cannot be used with --use-etcd-snapshot",
        ),
        (("oadp-backup", "--name", "A_b"), "backup name 'A_b' is invalid: a lowercase RFC 1123"),
        (("oadp-backup", "--name", "a" * 64), "is too long (64 characters)"),
        (
            ("oadp-restore", "--from-backup", "a", "--existing-resource-policy", "x"),
            "invalid existing-resource-policy 'x'. Valid values are: none, update",
        ),
    ],
)
def test_what_cannot_be_is_refused(
    words: tuple[str, ...], why: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert execute(HYPERSHIFT, ["create", *words, *CLUSTER]) == 1
    assert why in capsys.readouterr().err


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("* * * *", "Must be in format 'minute hour day month weekday'"),
        ("60 * * * *", "minute field '60': must be between 0 and 59, inclusive"),
        ("* * * * 7", "weekday field '7': must be between 0 and 6, inclusive"),
        ("5-1 * * * *", "minute field '5-1' range start cannot be greater than end"),
        ("*/0 * * * *", "minute field '*/0' step value must be positive"),
        ("1,,2 * * * *", "minute field '1,,2' has empty list element"),
        ("x * * * *", "minute field 'x' must be a number"),
    ],
)
def test_a_schedule_that_is_none_is_refused(text: str, why: str) -> None:
    with pytest.raises(UsageError) as caught:
        cron(text)
    assert why in str(caught.value)


@pytest.mark.parametrize("text", ["*/5 1-3 1,15 * 0", "@midnight", "weekly-friday"])
def test_usual_schedules_are_taken(text: str) -> None:
    assert len(cron(text).split()) == 5


def test_boot_volumes_of_virtual_machines_are_left_out() -> None:
    subject = Subject(name="blue", namespace="clusters", velero="adp", platform="KubeVirt")
    spec = objects.backup_spec(subject, Keeping(location="default", ttl="2h0m0s"))
    digest = hashlib.sha256(b"blue-clusters").hexdigest()[:6]
    assert spec["resourcePolicy"] == {"kind": "configmap", "name": f"blue-clusters-{digest}"}
    assert objects.policy(subject)["metadata"]["name"] == f"blue-clusters-{digest}"
    assert spec["labelSelector"]["matchExpressions"][0]["operator"] == "DoesNotExist"
