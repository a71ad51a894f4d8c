"""One call to an API server: request ids, JSON both ways, errors by name, patience on demand."""

import asyncio
import random
import uuid
from collections.abc import AsyncGenerator, Mapping
from typing import Any

import msgspec

from hypershift.kit import Manifest
from hypershift.kube.errors import ApiError, Unavailable, error_of
from hypershift.kube.limits import TRUSTED, Limits
from hypershift.kube.transport import Request, Response, Transport

SUCCESS = range(200, 300)
ATTEMPTS = 5
LONGEST_PATIENCE = 30.0
_BUSY = frozenset({429, 503})


class Caller:
    """Sends requests over a transport and gives what the API meant by the answer."""

    def __init__(
        self, transport: Transport, agent: str, rng: random.Random, limits: Limits = TRUSTED
    ) -> None:
        """Name ourselves to the server as `agent`; decode no more than `limits` allow."""
        self._transport, self._limits = transport, limits
        self._agent = f"hypershift/{agent}"
        self._rng = rng

    async def object(
        self,
        method: str,
        path: str,
        *,
        query: Mapping[str, str] | None = None,
        headers: Mapping[str, str] | None = None,
        body: Any = None,
        content: str = "application/json",
        escape: bool = False,
    ) -> Manifest:
        """Send, and decode the one object that comes back."""
        encoded = b"" if body is None else msgspec.json.encode(body)
        answer = await self.answer(
            method,
            path,
            query=query,
            headers=headers,
            body=msgspec.Raw(html_escaped(encoded) if escape else encoded) if encoded else None,
            content=content,
        )
        return self.decoded(answer.body, f"{method} {path}", answer.status)

    def decoded(self, body: bytes, attempt: str, status: int = 0) -> Manifest:
        """The JSON object of a body, which must be one and within the limits."""
        self._limits.check(body, attempt)
        try:
            decoded = msgspec.json.decode(body)
        except (msgspec.DecodeError, RecursionError) as error:
            raise Unavailable(status, "NotJSON", str(error), attempt=attempt) from error
        if not isinstance(decoded, dict):
            raise Unavailable(status, "NotAnObject", attempt=attempt)
        return decoded

    async def answer(
        self,
        method: str,
        path: str,
        *,
        query: Mapping[str, str] | None = None,
        headers: Mapping[str, str] | None = None,
        body: Any = None,
        content: str = "application/json",
        stream: bool = False,
    ) -> Response:
        """Send, wait and send again while the server asks for it, raise what is not success."""
        request = Request(
            method,
            path,
            tuple((name, value) for name, value in (query or {}).items() if value),
            self._headers(headers, content if body is not None else ""),
            b"" if body is None else msgspec.json.encode(body),
            stream=stream,
        )
        for attempt in range(1, ATTEMPTS + 1):
            answer = await self._transport.request(request)
            if answer.status in SUCCESS:
                return answer
            error = _error(request, answer)
            if attempt == ATTEMPTS or not _asks_to_wait(error):
                raise error
            await asyncio.sleep(self._patience(error))
        raise AssertionError("unreachable")

    async def lines(
        self,
        method: str,
        path: str,
        *,
        query: Mapping[str, str] | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> AsyncGenerator[bytes, None]:
        """Send, and yield the lines of the answer as they come."""
        answer = await self.answer(method, path, query=query, headers=headers, stream=True)
        try:
            if answer.lines is None:
                for line in answer.body.splitlines():
                    yield line
                return
            async for line in answer.lines:
                if line:
                    yield line
        finally:
            await answer.close()

    def _headers(self, extra: Mapping[str, str] | None, content: str) -> dict[str, str]:
        number = uuid.UUID(int=self._rng.getrandbits(128), version=4)
        headers = {
            "Accept": "application/json",
            "User-Agent": self._agent,
            "Audit-ID": str(number),
        }
        if content:
            headers["Content-Type"] = content
        return headers | dict(extra or {})

    def _patience(self, error: ApiError) -> float:
        # The server gave many clients the same delay; jitter keeps them from returning together.
        return min(error.retry_after or 1.0, LONGEST_PATIENCE) * self._rng.uniform(1.0, 1.2)


def html_escaped(body: bytes) -> bytes:
    """The same JSON, spelled as Go spells it.

    The `test` of a JSON patch compares strings byte by byte with the server's own spelling. These
    characters occur inside strings only, so the meaning stays.
    """
    for character, code in ((b"&", b"\\u0026"), (b"<", b"\\u003c"), (b">", b"\\u003e")):
        body = body.replace(character, code)
    return body.replace("\u2028".encode(), b"\\u2028").replace("\u2029".encode(), b"\\u2029")


def _asks_to_wait(error: ApiError) -> bool:
    return error.status in _BUSY and error.retry_after is not None


def _error(request: Request, answer: Response) -> ApiError:
    after = answer.headers.get("Retry-After", "")
    patience = float(after) if after.isdigit() else None
    return error_of(answer.status, answer.body, attempt=str(request), retry_after=patience)
