"""Whether AWS' key service encrypts for a control plane, against a test cloud."""

import asyncio
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from tests.cloud.aws.faults import Faults
from tests.cloud.aws.server import Cloud

from hypershift.api import HostedControlPlane, read
from hypershift.kit import Secret, TransientError
from hypershift.platforms import AccountFacts
from hypershift.platforms.aws.key_service import KeyService

pytestmark = pytest.mark.integration

NOW = datetime(2026, 1, 1, tzinfo=UTC)
ROLE = "arn:aws:iam::123456789012:role/demo-kms"
TOKENS: list[str] = []


async def token(namespace: str, account: str, audience: str) -> Secret[str]:
    TOKENS.append(f"{namespace}/{account} for {audience}")
    return Secret("a-token")


async def no_token(namespace: str, account: str, audience: str) -> Secret[str]:
    raise TransientError(f"{namespace} {account} {audience}: the API server is away")


def facts(key: str = "", now: datetime = NOW, **more: Any) -> AccountFacts:
    wish = {"activeKey": {"arn": key}, "auth": {"awsKms": ROLE}, "region": "us-east-1"}
    spec: dict[str, Any] = {"platform": {"type": "AWS"}}
    if key:
        spec["secretEncryption"] = {"type": "kms", "kms": {"provider": "AWS", "aws": wish}}
    plane = read(HostedControlPlane, {"metadata": {"name": "demo"}, "spec": spec})
    return replace(AccountFacts(plane, now, token, serves=True), **more)


@pytest.fixture
def key(aws: Cloud) -> str:
    TOKENS.clear()
    return str(aws.client("kms").create_key()["KeyMetadata"]["Arn"])


def look(service: KeyService, given: AccountFacts) -> list[tuple[str, str, str]]:
    found = asyncio.run(service.look(given))
    assert {str(each.type) for each in found} <= {"ValidAWSKMSConfig"}
    return [(str(each.status), str(each.reason), each.message) for each in found]


def test_a_key_that_encrypts_is_valid_and_tried_again_after_a_minute(aws: Cloud, key: str) -> None:
    service = KeyService()
    assert look(service, facts(key)) == [("True", "AsExpected", "All is well")]
    assert TOKENS == ["kube-system/kms-provider for openshift"]
    aws.calls.clear()
    assert look(service, facts(key, NOW + timedelta(seconds=50)))[0][0] == "True"
    assert not aws.calls
    assert look(service, facts(key, NOW + timedelta(seconds=70)))[0][0] == "True"
    assert list(aws.calls) == ["POST /"]
    assert len(TOKENS) == 1
    look(service, facts(key, NOW + timedelta(hours=1)))
    assert len(TOKENS) == 2


def test_a_cluster_without_such_a_key_says_so(aws: Cloud) -> None:
    aws.calls.clear()
    said = look(KeyService(), facts())
    assert said == [("Unknown", "StatusUnknown", "AWS KMS is not configured")]
    assert not aws.calls


@pytest.mark.parametrize(
    ("taken", "code"), [("disabled", "DisabledException"), ("deleted", "KMSInvalidStateException")]
)
def test_a_key_that_was_taken_away_is_told_with_the_words_of_aws(
    aws: Cloud, key: str, taken: str, code: str
) -> None:
    service, kms, name = KeyService(), aws.client("kms"), key.rpartition("/")[2]
    assert look(service, facts(key))[0][0] == "True"
    if taken == "disabled":
        kms.disable_key(KeyId=name)
    else:
        kms.schedule_key_deletion(KeyId=name, PendingWindowInDays=7)
    text = f"failed to encrypt data using KMS (key: {key}), code: {code}"
    later = NOW + timedelta(minutes=2)
    assert look(service, facts(key, later)) == [("False", "AWSError", text)]
    if taken == "deleted":
        kms.cancel_key_deletion(KeyId=name)
    kms.enable_key(KeyId=name)
    assert look(service, facts(key, later + timedelta(seconds=1)))[0][0] == "True"


def test_a_key_of_somebody_else_is_told(aws: Cloud, key: str) -> None:
    del aws
    other = f"{key[:-4]}0000"
    (status, reason, text), *_ = look(KeyService(), facts(other))
    assert (status, reason) == ("False", "AWSError")
    assert text.endswith("code: NotFoundException")


def test_a_role_that_is_not_lent_is_told(
    aws: Cloud, key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hypershift.cloud.stores.http.PAUSES", ())
    aws.faults = Faults.none()
    aws.faults.only, aws.faults.fatal = "AssumeRoleWithWebIdentity", "denied"
    (status, reason, text), *_ = look(KeyService(), facts(key))
    assert (status, reason) == ("False", "InvalidIAMRole")
    assert text == f"failed to assume role web identity ({ROLE}), code: UnauthorizedOperation"


def test_a_key_service_that_is_away_is_told(
    aws: Cloud, key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hypershift.cloud.stores.http.PAUSES", ())
    service = KeyService()
    assert look(service, facts(key))[0][0] == "True"
    monkeypatch.setenv("AWS_ENDPOINT_URL_KMS", "http://127.0.0.1:9")
    (status, reason, text), *_ = look(service, facts(key, NOW + timedelta(minutes=2)))
    assert (status, reason) == ("False", "AWSError")
    assert text.endswith("code: no answer")
    del aws


def test_a_cluster_that_makes_no_token_says_nothing_new(aws: Cloud, key: str) -> None:
    aws.calls.clear()
    assert look(KeyService(), facts(key, serves=False)) == []
    (status, reason, text), *_ = look(KeyService(), facts(key, tokens=no_token))
    assert (status, reason) == ("Unknown", "StatusUnknown")
    assert "failed to create token for KMS provider service account" in text
    assert not aws.calls


def test_another_key_is_tried_at_once(aws: Cloud, key: str) -> None:
    service = KeyService()
    look(service, facts(key))
    other = str(aws.client("kms").create_key()["KeyMetadata"]["Arn"])
    aws.calls.clear()
    assert look(service, facts(other, NOW + timedelta(seconds=1)))[0][0] == "True"
    assert aws.calls
