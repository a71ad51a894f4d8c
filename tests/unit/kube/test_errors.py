"""Answers that are not success become exceptions with fields."""

import pytest

from hypershift.kit import TransientError
from hypershift.kube.errors import (
    AlreadyExists,
    ApiError,
    Conflict,
    Forbidden,
    Gone,
    Invalid,
    NotFound,
    TooManyRequests,
    Unauthorized,
    Unavailable,
    error_of,
)


@pytest.mark.parametrize(
    ("status", "reason", "kind"),
    [
        (404, "NotFound", NotFound),
        (409, "AlreadyExists", AlreadyExists),
        (409, "Conflict", Conflict),
        (409, "", Conflict),
        (410, "Expired", Gone),
        (422, "Invalid", Invalid),
        (403, "Forbidden", Forbidden),
        (401, "Unauthorized", Unauthorized),
        (429, "", TooManyRequests),
        (500, "InternalError", Unavailable),
        (503, "ServiceUnavailable", Unavailable),
        (400, "BadRequest", ApiError),
    ],
)
def test_a_status_object_becomes_its_exception(
    status: int, reason: str, kind: type[ApiError]
) -> None:
    body = f'{{"kind":"Status","reason":"{reason}","message":"why","code":{status}}}'.encode()
    error = error_of(status, body, attempt="GET /x")
    assert type(error) is kind
    assert (error.status, error.message) == (status, "why")
    assert str(error) == "GET /x: why"


@pytest.mark.parametrize("body", [b"<html>bad gateway</html>", b"", b"[1]", b"\xff\xfe"])
def test_an_answer_that_is_no_status_object_still_tells(body: bytes) -> None:
    error = error_of(502, body)
    assert isinstance(error, Unavailable)
    assert error.message


def test_what_may_succeed_later_is_transient() -> None:
    passing: tuple[type[ApiError], ...] = (Conflict, Gone, TooManyRequests, Unavailable)
    lasting: tuple[type[ApiError], ...] = (NotFound, Invalid, Forbidden)
    assert all(issubclass(kind, TransientError) for kind in passing)
    assert not any(issubclass(kind, TransientError) for kind in lasting)


def test_patience_comes_from_the_details() -> None:
    body = b'{"reason":"TooManyRequests","details":{"retryAfterSeconds":7}}'
    assert error_of(429, body).retry_after == 7
