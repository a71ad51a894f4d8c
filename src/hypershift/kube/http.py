"""The transport of production: a pool of TLS connections by aiohttp."""

import asyncio
import os
import socket
import ssl
import time
from asyncio import sslproto
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import aiohttp
from multidict import CIMultiDict
from yarl import URL

from hypershift.kit import Secret
from hypershift.kube.config import Config
from hypershift.kube.errors import KubeconfigError, LimitExceeded, Unavailable
from hypershift.kube.limits import TRUSTED, Inflow, Limits, exceeded, shown
from hypershift.kube.transport import Request, Response

CONNECT_TIMEOUT = 15.0
TOKEN_REREAD = 30.0
CERTIFICATE_REREAD = 60.0
SUCCESS = range(200, 300)
RECEIVE_BUFFER = 32 << 10
#: asyncio reads TLS by way of a buffer of 256 KiB for each connection. Twenty watches of a hosted
#: cluster wait in connections of their own, so the buffers took more memory than all that they
#: brought (ADR 12). A record of TLS has 16 KiB.
sslproto.SSLProtocol.max_size = 32 << 10
#: A silent connection is tried after a minute, and given up after three tries without an answer.
KEEP_ALIVE = {socket.TCP_KEEPIDLE: 60, socket.TCP_KEEPINTVL: 20, socket.TCP_KEEPCNT: 3}


class HttpTransport:
    """Speaks HTTP to one API server with the identity that a `Config` names."""

    def __init__(self, config: Config, *, connections: int = 100, limits: Limits = TRUSTED) -> None:
        """Prepare the TLS context; the session opens with the first request."""
        self.config = config
        self._limits, self._inflow = limits, Inflow(limits)
        self._tls = tls_context(config)
        self._token = _token_source(config)
        self._connections = connections
        self._session: aiohttp.ClientSession | None = None
        self._retired: list[aiohttp.ClientSession] = []
        self._looked_at = time.monotonic()

    def _renew_certificate(self) -> None:
        """Take up a client certificate that was replaced in its files."""
        files = self.config.client_files
        if files is None or time.monotonic() - self._looked_at < CERTIFICATE_REREAD:
            return
        self._looked_at = time.monotonic()
        try:
            certificate, key = files[0].read_bytes(), files[1].read_bytes()
            if certificate == self.config.client_cert:
                return
            renewed = replace(self.config, client_cert=certificate, client_key=Secret(key))
            self._tls = tls_context(renewed)
        except (OSError, KubeconfigError):
            return  # half replaced: the old one still works, and the next look sees both
        self.config = renewed
        if self._session is not None:
            self._retired.append(self._session)  # requests that still run end on the old session
            self._session = None

    @property
    def session(self) -> aiohttp.ClientSession:
        """The connection pool, which belongs to the loop that first asks for it."""
        self._renew_certificate()
        if self._session is None:
            connector = aiohttp.TCPConnector(
                limit=self._connections,
                ssl=self._tls,
                socket_factory=_small_socket if self._limited else _honest_socket,
            )
            timeout = aiohttp.ClientTimeout(total=None, sock_connect=CONNECT_TIMEOUT)
            self._session = aiohttp.ClientSession(
                connector=connector,
                timeout=timeout,
                trace_configs=[_last_moment()],
                # A few compressed bytes can become gigabytes in one step, before any limit.
                auto_decompress=not self._limited,
                read_bufsize=1 << (14 if self._limited else 16),
            )
        return self._session

    @property
    def _limited(self) -> bool:
        """True for a server that we do not trust."""
        return self._limits.rate is not None

    def url(self, request: Request) -> URL:
        """The address of a request; the path is already quoted."""
        return URL(self.config.server + request.path, encoded=True).with_query(request.query)

    def headers(self, request: Request) -> CIMultiDict[str]:
        """The request's headers and those that say who we are."""
        headers = CIMultiDict(request.headers)
        if self._limited:
            headers["Accept-Encoding"] = "identity"
        if token := self._token():
            headers["Authorization"] = f"Bearer {token.reveal()}"
        if self.config.impersonate:
            headers.extend(self.config.impersonate.headers())
        return headers

    def socket(
        self, request: Request, protocol: str
    ) -> AbstractAsyncContextManager[aiohttp.ClientWebSocketResponse]:
        """A WebSocket to the server, which opens when it is entered."""
        return self.session.ws_connect(
            self.url(request),
            headers=self.headers(request),
            protocols=(protocol,),
            proxy=self.config.proxy_url or None,
            server_hostname=self.config.tls_server_name or None,
            max_msg_size=self._limits.line,
        )

    async def request(self, request: Request) -> Response:
        try:
            async with asyncio.timeout(request.timeout or self._limits.seconds):
                answer = await self._send(request)
                if request.stream and answer.status in SUCCESS:
                    lines = _lines(answer, self._limits, self._inflow)
                    return Response(
                        answer.status, answer.headers, lines=lines, close=_closer(answer)
                    )
                return Response(answer.status, answer.headers, await self._body(answer))
        except LimitExceeded as error:
            raise exceeded(error.message, str(request)) from error
        except TimeoutError as error:
            raise _no_answer(self.config, request, "no answer in time", "Timeout") from error
        except (aiohttp.ClientError, OSError) as error:
            raise _no_answer(self.config, request, _cause(error), "Unreachable") from error

    async def _body(self, answer: aiohttp.ClientResponse) -> bytes:
        """The whole answer, as far as the limits allow."""
        body = bytearray()
        try:
            async with answer:
                async for chunk in answer.content.iter_any():
                    body += chunk
                    self._inflow.hold(len(chunk))
                    if len(body) > self._limits.answer:
                        raise exceeded(f"the answer is longer than {shown(self._limits.answer)}")
                    await self._inflow.admit(len(chunk))
                return bytes(body)
        except (LimitExceeded, TimeoutError, asyncio.CancelledError):
            _hang_up(answer)  # the rest of the body is not read
            raise
        finally:
            self._inflow.hold(-len(body))
            body.clear()  # a kept exception would keep the body in memory

    async def _send(self, request: Request) -> aiohttp.ClientResponse:
        return await self.session.request(
            request.method,
            self.url(request),
            headers=self.headers(request),
            data=request.body or None,
            proxy=self.config.proxy_url or None,
            server_hostname=self.config.tls_server_name or None,
            allow_redirects=False,
            trace_request_ctx=request,
        )

    async def close(self) -> None:
        sessions = [*self._retired, *([self._session] if self._session else [])]
        self._retired, self._session = [], None
        for session in sessions:
            await session.close()


def _honest_socket(address: aiohttp.AddrInfoType) -> socket.socket:
    """A connection whose silent end is noticed: the kernel sends keep-alive probes."""
    family, kind, protocol, _, _ = address
    made = socket.socket(family, kind, protocol)
    made.setblocking(False)  # noqa: FBT003 - the library has no names here
    made.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for option, seconds in KEEP_ALIVE.items():
        made.setsockopt(socket.IPPROTO_TCP, option, seconds)
    return made


def _small_socket(address: aiohttp.AddrInfoType) -> socket.socket:
    """A connection on which a server can send little ahead of what we read.

    Each layer above holds as much as the kernel hands over at once: TLS, HTTP, and our own lines.
    """
    made = _honest_socket(address)
    made.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, RECEIVE_BUFFER)
    return made


def _last_moment() -> aiohttp.TraceConfig:
    """Asks for a request's permit when its connection is there, which can take a while."""

    async def ask(_session: aiohttp.ClientSession, context: Any, _parameters: Any) -> None:
        if context.trace_request_ctx is not None:  # a WebSocket has none
            context.trace_request_ctx.permit()

    trace = aiohttp.TraceConfig()
    trace.on_connection_create_end.append(ask)
    trace.on_connection_reuseconn.append(ask)
    return trace


def tls_context(config: Config) -> ssl.SSLContext:
    """The TLS settings of a config: whom we trust and the certificate that we show."""
    try:
        # The system's authorities are loaded only for a server without one of its own: that takes
        # tens of milliseconds and a megabyte for every cluster that one process knows.
        context = ssl.create_default_context(cadata=config.ca.decode() or None)
        if config.client_key:
            with _in_memory(config.client_cert + b"\n" + config.client_key.reveal()) as path:
                context.load_cert_chain(path)
    except (ssl.SSLError, ValueError) as error:
        raise KubeconfigError(f"{config.source}: certificates do not work ({error})") from error
    if config.insecure:
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
    return context


class _in_memory:  # noqa: N801 (used like a function, as contextmanager classes are)
    """A path to bytes that never touch a disk: OpenSSL takes certificates as files only."""

    def __init__(self, content: bytes) -> None:
        self._content = content

    def __enter__(self) -> str:
        self._descriptor = os.memfd_create("certificate", os.MFD_CLOEXEC)
        os.write(self._descriptor, self._content)
        return f"/proc/self/fd/{self._descriptor}"

    def __exit__(self, *_: object) -> None:
        os.close(self._descriptor)


def _token_source(config: Config) -> Callable[[], Secret[str] | None]:
    if config.token_file is None:
        return lambda: config.token
    return _RotatingToken(config.token_file, config.source)


class _RotatingToken:
    """The token in a file that the kubelet replaces from time to time."""

    def __init__(self, path: Path, source: str) -> None:
        self._path, self._source = path, source
        self._value: Secret[str] | None = None
        self._read_at = float("-inf")

    def __call__(self) -> Secret[str] | None:
        if time.monotonic() - self._read_at > TOKEN_REREAD:
            # A file that vanishes for a moment while it is replaced keeps the token we have.
            with suppress(OSError):
                self._value = Secret(self._path.read_text().strip())
                self._read_at = time.monotonic()
        if self._value is None:
            raise KubeconfigError(f"{self._source}: no token in {self._path}")
        return self._value


async def _lines(
    answer: aiohttp.ClientResponse, limits: Limits, inflow: Inflow
) -> AsyncIterator[bytes]:
    """Cut the stream into lines; objects may be far longer than aiohttp's own line limit."""
    pending = bytearray()
    try:
        async for chunk in answer.content.iter_any():
            pending += chunk
            inflow.hold(len(chunk))
            begin, size = 0, len(chunk)
            del chunk  # while we sleep, `pending` is all that is kept
            while (end := pending.find(b"\n", max(begin, len(pending) - size))) >= 0:
                await inflow.admit(end - begin, lines=1)
                yield bytes(pending[begin:end])
                begin = end + 1
            del pending[:begin]
            inflow.hold(-begin)
            if len(pending) > limits.line:
                raise exceeded(f"a line of the stream is longer than {shown(limits.line)}")
            await inflow.admit(0 if begin else size)
        if pending:
            yield bytes(pending)
    except (aiohttp.ClientError, OSError) as error:
        raise Unavailable(0, "ConnectionLost", f"the stream was cut: {_cause(error)}") from error
    finally:
        inflow.hold(-len(pending))
        pending.clear()  # a caller that keeps the error would keep it too
        _hang_up(answer)


def _hang_up(answer: aiohttp.ClientResponse) -> None:
    """End a stream at once: the farewells of TLS would outlive the pool, and maybe the loop."""
    if answer.connection is not None and answer.connection.transport is not None:
        answer.connection.transport.abort()
    answer.close()


def _closer(answer: aiohttp.ClientResponse) -> Callable[[], "asyncio.Future[None]"]:
    def close() -> "asyncio.Future[None]":
        _hang_up(answer)
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        done.set_result(None)
        return done

    return close


def _no_answer(config: Config, request: Request, cause: str, reason: str) -> Unavailable:
    return Unavailable(0, reason, f"{config.server}: {cause}", attempt=str(request))


def _cause(error: BaseException) -> str:
    return str(error) or type(error).__name__
