"""The programs of a backup's Job."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import boto3
import pytest
from tests.lib.moto import empty_aws
from tests.unit.controlplane.etcd.snapshot import databases

from hypershift.cli.main import HYPERSHIFT, execute
from hypershift.cli.roles.backup import write_private
from hypershift.controlplane.etcd.snapshot import NotASnapshot, upload

OBJECTS = databases.history(
    ("/registry/configmaps/a/one", b"1"),
    ("/registry/secrets/a/s", b"k8s:enc:aescbc:v1:key-17:sealed"),
)
NOW = datetime(2026, 11, 18, tzinfo=UTC)


@pytest.fixture
def endpoint(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    with empty_aws() as address:
        monkeypatch.setenv("AWS_ENDPOINT_URL", address)
        yield address


class Memory(dict[str, bytes]):
    def put(self, key: str, path: Path) -> str:
        self[key] = path.read_bytes()
        return f"memory:{key}"


def test_a_snapshot_is_stored_with_a_list_of_what_it_contains(tmp_path: Path) -> None:
    store = Memory()
    path = databases.snapshot(tmp_path / "s.db", OBJECTS)
    done = upload(store, path, "/demo/", NOW)
    key = f"demo/{int(NOW.timestamp())}.db"
    assert done.url == f"memory:{key}"
    assert list(store) == [f"{key}.contents.json", key]
    listed = json.loads(store[f"{key}.contents.json"])
    assert (listed["revision"], listed["keys"]) == (3, 2)
    assert listed["encryptedWith"] == ["aescbc/key-17"]
    assert listed["kinds"]["configmaps"]["count"] == 1
    assert b"sealed" not in store[f"{key}.contents.json"]
    assert [one.name for one in tmp_path.iterdir()] == ["s.db"]


def test_a_damaged_snapshot_is_not_stored(tmp_path: Path) -> None:
    store = Memory()
    path = databases.snapshot(tmp_path / "s.db", OBJECTS)
    path.write_bytes(path.read_bytes()[:-1])
    with pytest.raises(NotASnapshot):
        upload(store, path, "demo", NOW)
    assert not store


def test_the_program_prints_the_address(
    endpoint: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    client = boto3.client(
        "s3",
        region_name="us-east-1",
        endpoint_url=endpoint,
        aws_access_key_id="a",
        aws_secret_access_key="b",
    )
    client.create_bucket(Bucket="backups")
    client.close()
    path = databases.snapshot(tmp_path / "s.db", OBJECTS)
    credentials = tmp_path / "credentials"
    credentials.write_text("[default]\naws_access_key_id=a\naws_secret_access_key=b\n")
    words = [
        *("control-plane-operator", "etcd-upload", f"--snapshot-path={path}", "--storage-type=S3"),
        *("--key-prefix=demo", f"--credentials-file={credentials}"),
        *("--aws-bucket=backups", "--aws-region=us-east-1"),
    ]
    assert execute(HYPERSHIFT, words) == 0
    assert capsys.readouterr().out.startswith("s3://backups/demo/")


@pytest.mark.parametrize(
    ("flags", "why"),
    [
        (["--storage-type=Tape"], "neither S3 nor AzureBlob"),
        (["--storage-type=S3"], "needs --aws-bucket"),
        (["--storage-type=S3", "--aws-bucket=b", "--aws-region=r"], "--credentials-file is needed"),
        (["--storage-type=AzureBlob"], "needs --azure-storage-account"),
    ],
)
def test_what_is_missing_is_named(
    flags: list[str], why: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    common = [f"--snapshot-path={tmp_path / 's'}", "--key-prefix=p"]
    assert execute(HYPERSHIFT, ["control-plane-operator", "etcd-upload", *common, *flags]) == 1
    assert why in capsys.readouterr().err


def test_certificates_are_private(tmp_path: Path) -> None:
    write_private(tmp_path / "tls", {"etcd-client.key": b"k"})
    found = tmp_path / "tls" / "etcd-client.key"
    assert found.read_bytes() == b"k"
    assert found.stat().st_mode & 0o777 == 0o600
