"""The HCPEtcdBackup that `create backup` makes."""

import pytest
import yaml

from hypershift.cli.main import HYPERSHIFT, execute

COMMON = ("create", "backup", "--cluster", "blue", "--credentials-secret", "store", "--render")


def test_a_backup_to_a_bucket(capsys: pytest.CaptureFixture[str]) -> None:
    s3 = ("--storage-type", "S3", "--aws-bucket", "bucket", "--aws-region", "eu-west-1")
    assert execute(HYPERSHIFT, [*COMMON, *s3]) == 0
    assert yaml.safe_load(capsys.readouterr().out) == {
        "apiVersion": "hypershift.openshift.io/v1beta1",
        "kind": "HCPEtcdBackup",
        "metadata": {"namespace": "clusters-blue", "generateName": "blue-"},
        "spec": {
            "storage": {
                "storageType": "S3",
                "s3": {
                    "bucket": "bucket",
                    "region": "eu-west-1",
                    "keyPrefix": "blue",
                    "credentials": {"name": "store"},
                },
            }
        },
    }


def test_a_store_without_a_place_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    blob = ("--storage-type", "AzureBlob", "--azure-container", "snaps")
    assert execute(HYPERSHIFT, [*COMMON, *blob]) == 1
    assert "needs --azure-storage-account" in capsys.readouterr().err


S3 = ("--storage-type", "S3", "--aws-bucket", "bucket", "--aws-region", "eu-west-1")


def test_a_row_of_backups_says_how_often_and_how_many(capsys: pytest.CaptureFixture[str]) -> None:
    assert execute(HYPERSHIFT, [*COMMON, *S3, "--every", "24h", "--keep", "7"]) == 0
    assert yaml.safe_load(capsys.readouterr().out)["metadata"]["annotations"] == {
        "hypershift.openshift.io/backup-every": "24h0m0s",
        "hypershift.openshift.io/backup-keep": "7",
    }


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("--every", "1m"), "--every 1m0s is shorter than 15m0s"),
        (("--keep", "3"), "give --every as well"),
        (("--every", "1h", "--keep", "-1"), "--keep -1"),
    ],
)
def test_a_row_that_makes_no_sense_is_refused(
    words: tuple[str, ...], why: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert execute(HYPERSHIFT, [*COMMON, *S3, *words]) == 1
    assert why in capsys.readouterr().err
