"""Uploads to S3, against moto's server on loopback."""

import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

import boto3
import pytest
from tests.lib.moto import empty_aws

from hypershift.cloud.stores import Bucket, Keys, StoreFailed, keys_from_file, keys_from_role, s3
from hypershift.cloud.stores.http import Answer
from hypershift.kit import Secret

if TYPE_CHECKING:
    from mypy_boto3_s3 import S3Client

REGION: Final = "eu-west-1"
KEYS = Keys("AKIAEXAMPLE", Secret("do-not-repeat"))
KMS = "arn:aws:kms:eu-west-1:123456789012:key/11111111-2222-3333-4444-555555555555"


@pytest.fixture(scope="module")
def endpoint() -> Iterator[str]:
    with empty_aws() as address:
        yield address


@pytest.fixture
def client(endpoint: str) -> Iterator["S3Client"]:
    found = boto3.client(
        "s3",
        region_name=REGION,
        endpoint_url=endpoint,
        aws_access_key_id="a",
        aws_secret_access_key="b",
    )
    found.create_bucket(Bucket="backups", CreateBucketConfiguration={"LocationConstraint": REGION})
    yield found
    for each in found.list_objects_v2(Bucket="backups").get("Contents", ()):
        found.delete_object(Bucket="backups", Key=each["Key"])
    found.delete_bucket(Bucket="backups")
    found.close()


def a_file(place: Path, size: int) -> Path:
    path = place / "snapshot.db"
    path.write_bytes(os.urandom(size))
    return path


@pytest.mark.parametrize("size", [0, 1000, 5 * 1024**2, 12 * 1024**2 + 7])
def test_a_file_arrives_whole_in_one_or_several_pieces(
    endpoint: str, client: "S3Client", tmp_path: Path, size: int
) -> None:
    bucket = Bucket("backups", REGION, KEYS, endpoint=endpoint, piece=5 * 1024**2)
    path = a_file(tmp_path, size)
    url = bucket.put("demo/it's (1).db", path)
    assert url == "s3://backups/demo/it's (1).db"
    with client.get_object(Bucket="backups", Key="demo/it's (1).db")["Body"] as body:
        assert body.read() == path.read_bytes()


def test_objects_are_encrypted_with_the_key_that_is_asked_for(
    endpoint: str, client: "S3Client", tmp_path: Path
) -> None:
    bucket = Bucket("backups", REGION, KEYS, kms_key=KMS, endpoint=endpoint)
    bucket.put("demo/1.db", a_file(tmp_path, 10))
    found = client.head_object(Bucket="backups", Key="demo/1.db")
    assert (found["ServerSideEncryption"], found["SSEKMSKeyId"]) == ("aws:kms", KMS)


def test_a_missing_bucket_is_named_without_a_credential(endpoint: str, tmp_path: Path) -> None:
    bucket = Bucket("nowhere", REGION, KEYS, endpoint=endpoint)
    with pytest.raises(StoreFailed, match="404") as error:
        bucket.put("demo/1.db", a_file(tmp_path, 10))
    assert "do-not-repeat" not in f"{error.value}{bucket!r}"
    assert "AKIAEXAMPLE" not in f"{error.value}"


def test_an_upload_that_fails_leaves_no_pieces(
    endpoint: str, client: "S3Client", tmp_path: Path
) -> None:
    # Pieces below 5 MiB are refused when the upload is completed.
    bucket = Bucket("backups", REGION, KEYS, endpoint=endpoint, piece=1000)
    with pytest.raises(StoreFailed):
        bucket.put("demo/1.db", a_file(tmp_path, 2500))
    assert not client.list_multipart_uploads(Bucket="backups").get("Uploads")
    assert not client.list_objects_v2(Bucket="backups").get("Contents")


def test_a_store_that_has_other_bytes_is_found_out(
    endpoint: str, client: "S3Client", tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lie = Answer({"etag": '"00000000000000000000000000000000"'})
    monkeypatch.setattr(s3, "send", lambda _, **__: lie)
    with pytest.raises(StoreFailed, match="other bytes"):
        Bucket("backups", REGION, KEYS, endpoint=endpoint).put("k", a_file(tmp_path, 10))
    assert client.list_objects_v2(Bucket="backups")["KeyCount"] == 0


def test_keys_come_from_a_file_whose_lines_no_error_repeats(tmp_path: Path) -> None:
    path = tmp_path / "credentials"
    path.write_text("[default]\naws_access_key_id = A\naws_secret_access_key = s%x\n")
    found = keys_from_file(path)
    assert (found.access, found.secret.reveal(), found.token) == ("A", "s%x", None)
    path.write_text("aws_secret_access_key = do-not-repeat\n")
    with pytest.raises(StoreFailed) as error:
        keys_from_file(path)
    assert "do-not-repeat" not in str(error.value)


def test_a_role_is_lent_keys_for_its_token(
    endpoint: str, client: "S3Client", tmp_path: Path
) -> None:
    token = tmp_path / "token"
    token.write_text("a.b.c")
    lent = keys_from_role("arn:aws:iam::123456789012:role/backup", token, REGION, endpoint)
    assert lent.token is not None
    bucket = Bucket("backups", REGION, lent, endpoint=endpoint)
    assert bucket.put("x", a_file(tmp_path, 3)) == "s3://backups/x"
    assert client.list_objects_v2(Bucket="backups")["KeyCount"] == 1


def test_addresses_of_buckets() -> None:
    bucket = Bucket("backups", REGION, KEYS)
    assert bucket.url_of("a b") == "https://backups.s3.eu-west-1.amazonaws.com/a%20b"
    dotted = replace(bucket, name="my.backups")
    assert dotted.url_of("k") == "https://s3.eu-west-1.amazonaws.com/my.backups/k"
    china = replace(bucket, region="cn-north-1")
    assert china.url_of("k").startswith("https://backups.s3.cn-north-1.amazonaws.com.cn/")
