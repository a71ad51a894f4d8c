"""Errors of AWS in our own words: those that pass, those that wait for a user, those to expect.

AwsUnavailable      throttled, 5xx, no answer: whether the call took effect may be unknown
AwsRefusal          AWS says no, and will say no again
  CredentialsRefused  expired, wrong or absent credentials
  NotPermitted        the caller may not do this
  QuotaExceeded       the account may not have more of it
  Missing             the object is not there
"""

from typing import Any

from hypershift.kit import TerminalError, TransientError

_THROTTLES = {
    "Throttling",
    "ThrottlingException",
    "ThrottledException",
    "RequestThrottled",
    "RequestThrottledException",
    "RequestLimitExceeded",
    "TooManyRequestsException",
    "PriorRequestNotComplete",
    "SlowDown",
    "EC2ThrottledException",
    "BandwidthLimitExceeded",
}
_UNAVAILABLE = {
    "InternalError",
    "InternalFailure",
    "InternalServerError",
    "ServiceFailure",
    "ServiceUnavailable",
    "ServiceUnavailableException",
    "Unavailable",
    "RequestTimeout",
    "ConcurrentModification",
}
_CREDENTIALS = {
    "AuthFailure",
    "ExpiredToken",
    "ExpiredTokenException",
    "InvalidAccessKeyId",
    "InvalidClientTokenId",
    "RequestExpired",
    "SignatureDoesNotMatch",
    "UnrecognizedClientException",
}
_DENIED = {"AccessDenied", "AccessDeniedException", "UnauthorizedOperation", "Forbidden"}
_MISSING = {"NoSuchEntity", "NoSuchHostedZone", "NoSuchBucket", "NoSuchKey", "404", "NotFound"}
_SERVER_ERROR = 500


class AwsUnavailable(TransientError):
    """AWS did not do it now; `throttled` means that the call surely took no effect."""

    def __init__(self, message: str, *, throttled: bool = False) -> None:
        """Remember whether the call is known to have had no effect."""
        super().__init__(message)
        self.throttled = throttled


class AwsRefusal(TerminalError):
    """AWS refuses a call; `code` is its word for why, `operation` the call."""

    def __init__(self, message: str, *, code: str, operation: str) -> None:
        """Remember AWS' own word and the call."""
        super().__init__(message)
        self.code = code
        self.operation = operation


class CredentialsRefused(AwsRefusal):
    """The credentials are absent, wrong or expired."""


class NotPermitted(AwsRefusal):
    """The caller lacks a permission."""


class QuotaExceeded(AwsRefusal):
    """The account has as many objects of a kind as its quota allows."""


class Missing(AwsRefusal):
    """What the call is about is not there, or not visible yet."""


def of_response(service: str, operation: str, response: dict[str, Any]) -> Exception:
    """The error that the response of a call stands for, as the SDK carries it."""
    said = response.get("Error", {})
    status = response.get("ResponseMetadata", {}).get("HTTPStatusCode", 0)
    code, text = str(said.get("Code", "")), str(said.get("Message", ""))
    return of_answer(service, operation, code, text, status)


def of_answer(service: str, operation: str, code: str, text: str, status: int) -> Exception:
    """The error that an answer of AWS stands for."""
    call = f"{service}:{operation}"
    if code in _THROTTLES:
        return AwsUnavailable(f"AWS throttles {call}: {code}", throttled=True)
    if code in _UNAVAILABLE or status >= _SERVER_ERROR:
        return AwsUnavailable(f"AWS failed in {call}: {code}")
    if code in _CREDENTIALS:
        return CredentialsRefused(
            f"AWS refused the credentials in {call} ({code}): give others and run the same "
            "command again, it continues where it stopped",
            code=code,
            operation=call,
        )
    if code in _DENIED:
        return NotPermitted(f"permission {call} is missing ({code})", code=code, operation=call)
    if is_quota(code):
        return QuotaExceeded(
            f"the account's quota is too small for {call} ({code}: {text or code}): have it "
            "raised, or remove what is not used, and try again",
            code=code,
            operation=call,
        )
    kind = Missing if is_missing(code) else AwsRefusal
    return kind(f"AWS refused {call}: {text or code} ({code})", code=code, operation=call)


def is_quota(code: str) -> bool:
    """True for the codes by which AWS says that a quota is used up; throttles are looked at first.

    EC2 and IAM end them alike (`VpcLimitExceeded`, `LimitExceeded`), Route 53 and S3 count.
    """
    return code.endswith("LimitExceeded") or code.startswith("TooMany")


def is_missing(code: str) -> bool:
    """True for the codes by which AWS says that an object is not there."""
    return code in _MISSING or code.endswith((".NotFound", "NotFoundException", "NotFound"))
