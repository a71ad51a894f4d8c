"""HTTP to registries: mirrors, credentials, redirects, and errors in our own words.

A registry is a server of another party. Redirects and token services never lead to plain HTTP
(unless the operator's settings have the registry there) or beyond the reach that
`hypershift.oci.trust` gives; credentials stay with the registry; an error shows the status and
nothing else of an answer.
"""

from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, field
from http import HTTPStatus
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self
from urllib.parse import urljoin, urlsplit

from hypershift.oci.auth import PullSecret, read_challenge
from hypershift.oci.errors import (
    ImageNotFound,
    InvalidImage,
    RegistryDenied,
    RegistryUnavailable,
)
from hypershift.oci.limits import TOKEN_BYTES
from hypershift.oci.reference import Reference
from hypershift.oci.token import authorization, read_token
from hypershift.oci.trust import Reach, Trust, bare, hosts_of, is_local_name, literal_reach

if TYPE_CHECKING:  # most that know images ask no registry, and half a second is long at a start
    import aiohttp

    from hypershift.oci.sessions import Client, Sessions

CHUNK = 1 << 20
#: How long a request for a document may take in all.
SECONDS = 60.0
#: The slowest transfer that we wait for, in bytes for each second.
SLOWEST = 128 << 10
#: Redirects of one request: registry, storage, content network.
MOST_HOPS = 5
_REDIRECTS = frozenset({301, 302, 303, 307, 308})
#: Where Docker Hub's API is, unlike its name.
_HOSTS = {"docker.io": "registry-1.docker.io"}


def no_body() -> None:
    """The body of a request that has none."""


def seconds_for(size: int) -> float:
    """How long a transfer of that size may take."""
    return SECONDS + size / SLOWEST


@dataclass(frozen=True, slots=True)
class Order:
    """One request to a registry, wherever redirects lead it."""

    method: str
    url: str
    reference: Reference
    headers: Mapping[str, str] = field(default_factory=dict)
    body: Callable[[], Any] = no_body
    seconds: float = SECONDS

    def __str__(self) -> str:
        return f"{self.method} {self.url.partition('?')[0]} for {self.reference}"


class Transport(AbstractAsyncContextManager["Transport"]):
    """A session with registries.

    `mirrors` maps a registry's name to the address that serves it, such as
    `{"registry.example": "http://10.0.0.1:5000"}`. Without one, a registry is asked over HTTPS.
    """

    def __init__(
        self,
        mirrors: Mapping[str, str] | None = None,
        secret: PullSecret | None = None,
        trust: Trust | None = None,
    ) -> None:
        self._mirrors = dict(mirrors or {})
        self._secret = secret or PullSecret()
        self._trust = (trust or Trust()).naming(hosts_of(self._mirrors.values()))
        self._tokens: dict[str, str] = {}
        self._sessions: Sessions | None = None

    async def __aenter__(self) -> Self:
        from hypershift.oci.sessions import Sessions  # noqa: PLC0415 - see above

        self._sessions = Sessions()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._sessions:
            await self._sessions.close()

    def address(self, host: str) -> str:
        """Where a registry is reached."""
        if mirror := self._mirrors.get(host):
            return mirror.rstrip("/")
        scheme = "http" if self._trust.loopback and is_local_name(host) else "https"
        return f"{scheme}://{_HOSTS.get(host, host)}"

    def request(
        self, method: str, reference: Reference, path: str, **options: Any
    ) -> "AbstractAsyncContextManager[aiohttp.ClientResponse]":
        """Ask a reference's registry about its repository."""
        url = f"{self.address(reference.host)}/v2/{reference.repository}/{path}"
        return self.send(Order(method, url, reference, **options))

    @asynccontextmanager
    async def send(self, order: Order) -> "AsyncIterator[aiohttp.ClientResponse]":
        """Send a request, and send it again when the registry wants credentials first."""
        import aiohttp  # noqa: PLC0415 - see above

        self._trust.check(order.reference)
        try:
            response = await self._follow(order)
            if response.status == HTTPStatus.UNAUTHORIZED:
                challenge = response.headers.get("WWW-Authenticate", "")
                response.close()
                await self._authorize(challenge, order)
                response = await self._follow(order)
            async with response:
                _check(response.status, order)
                yield response
        except (aiohttp.ClientError, TimeoutError, UnicodeError) as error:
            raise RegistryUnavailable(f"{order}: {_safe_text(error)}") from error

    async def _follow(self, order: Order) -> "aiohttp.ClientResponse":
        """Send a request where the registry says; only what reads is sent elsewhere."""
        url = order.url
        for _ in range(MOST_HOPS):
            response = await self._once(order, url)
            location = response.headers.get("Location", "")
            if response.status not in _REDIRECTS or order.method not in {"GET", "HEAD"}:
                return response
            response.close()
            url = urljoin(url, location)
        raise RegistryDenied(f"{order}: the registry redirects too often")

    async def _once(self, order: Order, url: str) -> "aiohttp.ClientResponse":
        home = self.address(order.reference.host)
        self._check_target(order, home, url)
        headers = dict(order.headers)
        token = self._tokens.get(order.reference.name)
        if token and _origin(url) == _origin(home):
            headers["Authorization"] = token
        return await self._get(order, home, url, headers, data=order.body())

    async def _get(
        self, order: Order, home: str, url: str, headers: Mapping[str, str], **options: Any
    ) -> "aiohttp.ClientResponse":
        """One request within the reach that its target has."""
        import aiohttp  # noqa: PLC0415 - see above

        from hypershift.oci.sessions import proxy_for, request_timeout  # noqa: PLC0415 - see above

        method = options.pop("method", order.method)
        client, proxy = self._client(order, home, url), proxy_for(url)
        if proxy:
            # The proxy connects for us, and is where the operator put it.
            client = self._open.find("proxy", Reach.ANYWHERE)
        try:
            return await client.session.request(
                method,
                url,
                headers=headers,
                proxy=proxy,
                allow_redirects=False,
                timeout=request_timeout(order.seconds),
                **options,
            )
        except aiohttp.ClientConnectorError as error:
            if client.guard.refused:
                why = "an address that is not allowed for it"
                raise RegistryDenied(f"{order}: the registry leads to {why}") from error
            raise

    def _client(self, order: Order, home: str, url: str) -> "Client":
        """The client for a target: the registry's own, or one of a reach that follows from it."""
        host = urlsplit(home).netloc
        own = self._open.find(host, self._trust.reach(host))
        if literal_reach(host) > own.guard.reach:
            raise RegistryDenied(f"{order}: a registry at this address is not allowed")
        if _origin(url) == _origin(home):
            return own
        there = urlsplit(url).netloc
        reach = Reach.ANYWHERE if self._trust.names(there) else own.guard.farthest
        if literal_reach(there) > reach:
            raise RegistryDenied(f"{order}: the registry leads to an address of a private network")
        return self._open.find("", reach)

    def _check_target(self, order: Order, home: str, url: str) -> None:
        """Refuse what is no HTTPS, but for plain HTTP where the operator has the registry."""
        there, start = urlsplit(url), urlsplit(home)
        plain = start.scheme == "http" and bare(there.netloc) == bare(start.netloc)
        if there.scheme != "https" and not (there.scheme == "http" and plain):
            raise RegistryDenied(f"{order}: the registry leads to an address that is not HTTPS")
        if "@" in there.netloc or not there.hostname:
            raise RegistryDenied(f"{order}: the registry leads to an address that is none")

    @property
    def _open(self) -> "Sessions":
        if self._sessions is None:
            raise RuntimeError("a registry is used before it was entered")
        return self._sessions

    async def _authorize(self, header: str, order: Order) -> None:
        """Get what the registry's challenge asks for, and keep it for the repository."""
        challenge = read_challenge(header)
        reference = order.reference
        credential = self._secret.find(reference.host, reference.repository)
        if challenge.scheme == "bearer":
            headers = authorization(credential)
            token = await self._bearer(challenge.parameters, headers, order)
            self._tokens[reference.name] = token
        elif challenge.scheme == "basic" and credential:
            self._tokens[reference.name] = credential.basic()

    async def _bearer(
        self, challenge: Mapping[str, str], headers: Mapping[str, str], order: Order
    ) -> str:
        realm, home = challenge.get("realm", ""), self.address(order.reference.host)
        self._check_target(order, home, realm)
        if not self._trust.gives_tokens(urlsplit(home).netloc, urlsplit(realm).netloc):
            host = urlsplit(realm).hostname
            raise RegistryDenied(
                f"{order}: the registry asks for a token of {host}, which is not of its domain; "
                f"an operator may allow that host (--allowed-registries)"
            )
        query = {name: challenge[name] for name in ("service", "scope") if name in challenge}
        response = await self._get(order, home, realm, headers, method="GET", params=query)
        async with response:
            if response.status != HTTPStatus.OK:
                raise RegistryDenied(f"{order}: the token service answers {response.status}")
            return read_token(await read_bounded(response, TOKEN_BYTES, "a token"))


async def read_bounded(response: "aiohttp.ClientResponse", most: int, what: str) -> bytes:
    """An answer that fits in memory; a longer one is left."""
    parts, left = [], most
    async for chunk in response.content.iter_chunked(CHUNK):
        left -= len(chunk)
        if left < 0:
            raise InvalidImage(f"{what} is larger than {most} bytes")
        parts.append(chunk)
    return b"".join(parts)


def _origin(url: str) -> tuple[str, str, int | None]:
    """Scheme, host and port: who would get a header."""
    parts = urlsplit(url)
    default = {"http": 80, "https": 443}.get(parts.scheme)
    return parts.scheme, parts.hostname or "", parts.port or default


def _check(status: int, order: Order) -> None:
    """Turn a registry's refusal into an error of its kind, with nothing of its words."""
    if status < HTTPStatus.MULTIPLE_CHOICES:
        return
    what = f"{order}: {status}"
    if status == HTTPStatus.NOT_FOUND:
        raise ImageNotFound(what)
    if status in {HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN}:
        raise RegistryDenied(what)
    if status >= HTTPStatus.INTERNAL_SERVER_ERROR or status == HTTPStatus.TOO_MANY_REQUESTS:
        raise RegistryUnavailable(what)
    raise InvalidImage(what)


def _safe_text(error: Exception) -> str:
    """What happened, without anything that the other side sent."""
    import aiohttp  # noqa: PLC0415 - see above

    if isinstance(error, TimeoutError):
        return "no answer in time"
    if isinstance(error, aiohttp.ClientSSLError):
        return "its TLS certificate is not trusted"
    if isinstance(error, aiohttp.ClientConnectorError):
        return "it cannot be reached"
    return "its answer is broken"
