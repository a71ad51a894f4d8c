"""The one package that talks to API servers: client, errors, kinds, reflectors and caches."""

from typing import TYPE_CHECKING, Any

from hypershift.kube import kinds
from hypershift.kube.client import Client, Event, Listing
from hypershift.kube.config import Config, Impersonation
from hypershift.kube.errors import (
    AlreadyExists,
    ApiError,
    Conflict,
    Forbidden,
    Gone,
    Invalid,
    KubeconfigError,
    LimitExceeded,
    NotFound,
    TooManyRequests,
    Unauthorized,
    Unavailable,
)
from hypershift.kube.execution import ExecResult
from hypershift.kube.limits import Limits
from hypershift.kube.resource import Resource
from hypershift.kube.transport import Request, Response, Transport

if TYPE_CHECKING:
    from hypershift.kube.http import HttpTransport


def __getattr__(name: str) -> Any:
    """The transport of production brings aiohttp along, which is imported by who asks for it."""
    if name == "HttpTransport":
        from hypershift.kube.http import HttpTransport  # noqa: PLC0415

        return HttpTransport
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


__all__ = [
    "AlreadyExists",
    "ApiError",
    "Client",
    "Config",
    "Conflict",
    "Event",
    "ExecResult",
    "Forbidden",
    "Gone",
    "HttpTransport",
    "Impersonation",
    "Invalid",
    "KubeconfigError",
    "LimitExceeded",
    "Limits",
    "Listing",
    "NotFound",
    "Request",
    "Resource",
    "Response",
    "TooManyRequests",
    "Transport",
    "Unauthorized",
    "Unavailable",
    "kinds",
]
