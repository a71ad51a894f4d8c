"""What an API server may answer instead of what was asked, as exceptions with fields.

ApiError              status, reason, message and what was attempted
  NotFound, AlreadyExists, Invalid, Forbidden, Unauthorized
  Conflict, Gone, TooManyRequests, Unavailable     (also TransientError: the same may succeed later)
  LimitExceeded     the server answers more than we take from it (also TransientError)
"""

from typing import Any

import msgspec

from hypershift.kit import HypershiftError, TerminalError, TransientError


class KubeconfigError(TerminalError):
    """A kubeconfig that cannot work; the message names the file and what is wrong in it."""


class ApiError(HypershiftError):
    """An answer of the API server that is not success."""

    def __init__(
        self,
        status: int,
        reason: str = "",
        message: str = "",
        *,
        attempt: str = "",
        details: dict[str, Any] | None = None,
        retry_after: float | None = None,
    ) -> None:
        """Keep the server's message and what was attempted."""
        self.status = status
        self.reason = reason or type(self).__name__
        self.message = message or f"HTTP {status}"
        self.attempt = attempt
        self.details = details or {}
        self.retry_after = retry_after
        super().__init__(f"{attempt}: {self.message}" if attempt else self.message)


class NotFound(ApiError):
    """No such object, or no such kind."""


class AlreadyExists(ApiError):
    """An object of this name exists already."""


class Invalid(ApiError):
    """The server understood the object and refuses it."""


class Forbidden(ApiError):
    """We are known but not allowed."""


class Unauthorized(ApiError):
    """The server does not know who we are."""


class Conflict(ApiError, TransientError):
    """The object changed since it was read, or another manager owns the field."""


class Gone(ApiError, TransientError):
    """The resource version or continue token is too old."""


class TooManyRequests(ApiError, TransientError):
    """The server asks us to come back later."""


class Unavailable(ApiError, TransientError):
    """No answer: connection refused or cut, timeout, or a 5xx."""


class LimitExceeded(ApiError, TransientError):
    """The server answered more than `Limits` allows; the message names the limit."""


_BY_REASON: dict[str, type[ApiError]] = {
    "NotFound": NotFound,
    "AlreadyExists": AlreadyExists,
    "Conflict": Conflict,
    "Invalid": Invalid,
    "Forbidden": Forbidden,
    "Unauthorized": Unauthorized,
    "Expired": Gone,
    "Gone": Gone,
    "TooManyRequests": TooManyRequests,
}

_BY_STATUS: dict[int, type[ApiError]] = {
    401: Unauthorized,
    403: Forbidden,
    404: NotFound,
    409: Conflict,
    410: Gone,
    422: Invalid,
    429: TooManyRequests,
}

_SERVER_ERROR = 500
#: A Status is small; a longer body is not one of ours to parse, and its beginning is enough.
_LONGEST_STATUS = 1 << 18
_LONGEST_MESSAGE, _LONGEST_REASON = 8192, 256


def error_class(status: int, reason: str) -> type[ApiError]:
    """The exception for an answer; the reason is more exact than the HTTP code."""
    if found := _BY_REASON.get(reason) or _BY_STATUS.get(status):
        return found
    return Unavailable if status >= _SERVER_ERROR else ApiError


def error_of(
    status: int, body: bytes, *, attempt: str = "", retry_after: float | None = None
) -> ApiError:
    """Read an unsuccessful answer, which is usually but not always a Status object."""
    try:
        answer = msgspec.json.decode(body) if len(body) <= _LONGEST_STATUS else None
    except (msgspec.DecodeError, RecursionError):
        answer = None
    if not isinstance(answer, dict):
        answer = {"message": body[:500].decode(errors="replace").strip()}
    return status_error(answer, status, attempt=attempt, retry_after=retry_after)


def status_error(
    answer: dict[str, Any], status: int = 0, *, attempt: str = "", retry_after: float | None = None
) -> ApiError:
    """The exception for a Status object, as answered or as sent inside a watch."""
    code = status or _number(answer.get("code")) or _SERVER_ERROR
    details = answer.get("details")
    details = details if isinstance(details, dict) else {}
    reason = str(answer.get("reason") or "")[:_LONGEST_REASON]
    if retry_after is None and _number(details.get("retryAfterSeconds")):
        retry_after = float(_number(details["retryAfterSeconds"]))
    return error_class(code, reason)(
        code,
        reason,
        str(answer.get("message") or "")[:_LONGEST_MESSAGE],
        attempt=attempt,
        details=details,
        retry_after=retry_after,
    )


def _number(value: Any) -> int:
    """A number of a Status; 0 for anything else that a server may have written there."""
    return value if isinstance(value, int) else 0
