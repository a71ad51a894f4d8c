"""Errors of AWS in our own words."""

import pytest

from hypershift.cloud.aws import (
    AwsRefusal,
    AwsUnavailable,
    CredentialsRefused,
    Missing,
    NotPermitted,
    QuotaExceeded,
)
from hypershift.cloud.aws.errors import of_response


def said(code: str, status: int = 400) -> Exception:
    response = {
        "Error": {"Code": code, "Message": "text"},
        "ResponseMetadata": {"HTTPStatusCode": status},
    }
    return of_response("ec2", "CreateVpc", response)


@pytest.mark.parametrize(
    ("code", "status", "kind"),
    [
        ("RequestLimitExceeded", 503, AwsUnavailable),
        ("Whatever", 500, AwsUnavailable),
        ("ExpiredToken", 403, CredentialsRefused),
        ("UnauthorizedOperation", 403, NotPermitted),
        ("InvalidVpcID.NotFound", 400, Missing),
        ("NoSuchEntity", 404, Missing),
        ("VpcLimitExceeded", 400, QuotaExceeded),
        ("LimitExceeded", 409, QuotaExceeded),
        ("TooManyHostedZones", 400, QuotaExceeded),
        ("TooManyRequestsException", 429, AwsUnavailable),
        ("InvalidParameterValue", 400, AwsRefusal),
    ],
)
def test_codes_have_kinds(code: str, status: int, kind: type[Exception]) -> None:
    found = said(code, status)
    assert type(found) is kind
    assert "ec2:CreateVpc" in str(found)


def test_only_throttling_is_known_to_have_had_no_effect() -> None:
    throttled, failed = said("Throttling"), said("InternalError", 500)
    assert isinstance(throttled, AwsUnavailable)
    assert isinstance(failed, AwsUnavailable)
    assert (throttled.throttled, failed.throttled) == (True, False)


def test_an_empty_response_is_a_refusal() -> None:
    assert isinstance(of_response("ec2", "CreateVpc", {}), AwsRefusal)
