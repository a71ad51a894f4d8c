"""HTTP to registries: mirrors, credentials, and errors that say what was asked of whom."""

from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from http import HTTPStatus
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from hypershift.oci.auth import Credential, PullSecret, read_challenge
from hypershift.oci.errors import (
    ImageNotFound,
    InvalidImage,
    RegistryDenied,
    RegistryUnavailable,
)
from hypershift.oci.reference import Reference

if TYPE_CHECKING:  # most that know images ask no registry, and half a second is long at a start
    import aiohttp

CHUNK = 1 << 20
CONNECT_SECONDS, READ_SECONDS = 10, 60
_LOOPBACK = ("localhost", "127.0.0.1")
#: Where Docker Hub's API is, unlike its name.
_HOSTS = {"docker.io": "registry-1.docker.io"}


def no_body() -> None:
    """The body of a request that has none."""


class Transport(AbstractAsyncContextManager["Transport"]):
    """A session with registries.

    `mirrors` maps a registry's name to the address that serves it, such as
    `{"registry.example": "http://10.0.0.1:5000"}`. Without one, a registry is asked over HTTPS,
    but for the loopback, where plain HTTP is the custom.
    """

    def __init__(
        self, mirrors: Mapping[str, str] | None = None, secret: PullSecret | None = None
    ) -> None:
        self._mirrors = dict(mirrors or {})
        self._secret = secret or PullSecret()
        self._tokens: dict[str, str] = {}
        self._session: aiohttp.ClientSession | None = None

    async def __aenter__(self) -> Self:
        import aiohttp  # noqa: PLC0415 - see above

        patience = aiohttp.ClientTimeout(
            total=None, sock_connect=CONNECT_SECONDS, sock_read=READ_SECONDS
        )
        self._session = aiohttp.ClientSession(
            timeout=patience, trust_env=True, read_bufsize=CHUNK, auto_decompress=False
        )
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._session:
            await self._session.close()

    def request(
        self, method: str, reference: Reference, path: str, **options: Any
    ) -> "AbstractAsyncContextManager[aiohttp.ClientResponse]":
        """Ask a reference's registry about its repository."""
        url = f"{self.address(reference.host)}/v2/{reference.repository}/{path}"
        return self.send(method, url, reference, **options)

    @asynccontextmanager
    async def send(
        self,
        method: str,
        url: str,
        reference: Reference,
        *,
        headers: Mapping[str, str] | None = None,
        body: Callable[[], Any] = no_body,
    ) -> "AsyncIterator[aiohttp.ClientResponse]":
        """Send a request, and send it again when the registry wants credentials first."""
        import aiohttp  # noqa: PLC0415 - see above

        try:
            response = await self._once(method, url, reference, headers, body)
            if response.status == HTTPStatus.UNAUTHORIZED:
                challenge = response.headers.get("WWW-Authenticate", "")
                response.release()
                await self._authorize(challenge, reference)
                response = await self._once(method, url, reference, headers, body)
            async with response:
                await _check(response, reference)
                yield response
        except (aiohttp.ClientError, TimeoutError) as error:
            said = str(error) or type(error).__name__
            raise RegistryUnavailable(f"{method} {url}: {said}") from error

    async def _once(
        self,
        method: str,
        url: str,
        reference: Reference,
        headers: Mapping[str, str] | None,
        body: Callable[[], Any],
    ) -> "aiohttp.ClientResponse":
        token = self._tokens.get(reference.name)
        known = {"Authorization": token} if token else {}
        return await self._open.request(
            method, url, headers={**(headers or {}), **known}, data=body()
        )

    @property
    def _open(self) -> "aiohttp.ClientSession":
        if self._session is None:
            raise RuntimeError("a registry is used before it was entered")
        return self._session

    def address(self, host: str) -> str:
        """Where a registry is reached."""
        if mirror := self._mirrors.get(host):
            return mirror.rstrip("/")
        scheme = "http" if host.partition(":")[0] in _LOOPBACK else "https"
        return f"{scheme}://{_HOSTS.get(host, host)}"

    async def _authorize(self, header: str, reference: Reference) -> None:
        """Get what the registry's challenge asks for, and keep it for the repository."""
        challenge = read_challenge(header)
        credential = self._secret.find(reference.host, reference.repository)
        if challenge.scheme == "bearer":
            self._tokens[reference.name] = await self._bearer(challenge.parameters, credential)
        elif challenge.scheme == "basic" and credential:
            self._tokens[reference.name] = credential.basic()

    async def _bearer(self, challenge: Mapping[str, str], credential: Credential | None) -> str:
        headers = {"Authorization": credential.basic()} if credential else {}
        query = {name: challenge[name] for name in ("service", "scope") if name in challenge}
        realm = challenge.get("realm", "")
        async with self._open.get(realm, params=query, headers=headers) as response:
            if response.status != HTTPStatus.OK:
                raise RegistryDenied(f"{realm} refuses to give a token: {response.status}")
            answer = await response.json(content_type=None)
        return f"Bearer {answer.get('token') or answer.get('access_token', '')}"


async def _check(response: "aiohttp.ClientResponse", reference: Reference) -> None:
    """Turn a registry's refusal into an error of its kind."""
    status = response.status
    if status < HTTPStatus.BAD_REQUEST:
        return
    said = (await response.text(errors="replace"))[:300]
    what = f"{response.method} {response.url} for {reference}: {status} {said}".rstrip()
    if status == HTTPStatus.NOT_FOUND:
        raise ImageNotFound(what)
    if status in {HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN}:
        raise RegistryDenied(what)
    if status >= HTTPStatus.INTERNAL_SERVER_ERROR or status == HTTPStatus.TOO_MANY_REQUESTS:
        raise RegistryUnavailable(what)
    raise InvalidImage(what)
