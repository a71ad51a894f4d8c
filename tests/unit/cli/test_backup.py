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
