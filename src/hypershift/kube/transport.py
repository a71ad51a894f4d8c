"""How a request reaches an API server: one small protocol, so that a simulator can stand in."""

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Protocol

WRITES = frozenset({"POST", "PUT", "PATCH", "DELETE"})


async def _nothing() -> None:
    return None


def _always() -> None:
    return None


@dataclass(frozen=True, slots=True)
class Request:
    """One request; `stream` asks for lines as they come (watch, follow) instead of a whole body."""

    method: str
    path: str
    query: tuple[tuple[str, str], ...] = ()
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""
    stream: bool = False
    timeout: float | None = None
    permit: Callable[[], None] = field(default=_always, compare=False, repr=False)
    """Asked at the last moment before the request leaves us; raises when it must not."""

    def parameter(self, name: str, default: str = "") -> str:
        """One query parameter."""
        return dict(self.query).get(name, default)

    def __str__(self) -> str:
        return f"{self.method} {self.path}"


@dataclass(slots=True)
class Response:
    """An answer: `body` when it is whole, `lines` when it was asked to stream and succeeded."""

    status: int
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""
    lines: AsyncIterator[bytes] | None = None
    close: Callable[[], Awaitable[None]] = _nothing


class Transport(Protocol):
    """Sends requests; raises `Unavailable` when there is no answer at all."""

    async def request(self, request: Request) -> Response:
        """Send one request and return its answer, of any status."""
        ...

    async def close(self) -> None:
        """Let go of every connection."""
        ...
