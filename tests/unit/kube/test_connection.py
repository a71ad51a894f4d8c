"""How a server is reached: through a proxy, by another name, and whom we trust."""

import asyncio
import gc
import ssl
from asyncio import sslproto
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web

from hypershift import pki
from hypershift.kube import Client, Unavailable
from hypershift.kube.config import from_dict

NAME = "api.shop.internal"
NOW = datetime.now(UTC)


class Proxy:
    """Forwards what CONNECT asks for, and remembers it."""

    def __init__(self) -> None:
        self.url = ""
        self.asked: list[str] = []
        self._pipes: list[asyncio.Task[None]] = []

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        self.asked.append(head.splitlines()[0])
        host, _, port = head.split()[1].rpartition(":")
        far_reader, far_writer = await asyncio.open_connection(host, int(port))
        writer.write(b"HTTP/1.1 200 Connection established\r\n\r\n")
        ways = ((reader, far_writer), (far_reader, writer))
        self._pipes += [asyncio.create_task(_pipe(*way)) for way in ways]

    async def close(self) -> None:
        for pipe in self._pipes:
            pipe.cancel()
        await asyncio.gather(*self._pipes, return_exceptions=True)


async def _pipe(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    try:
        while data := await reader.read(65536):
            writer.write(data)
            await writer.drain()
    finally:
        writer.close()


@pytest.fixture
async def proxy() -> AsyncIterator[Proxy]:
    proxy = Proxy()
    server = await asyncio.start_server(proxy.serve, "127.0.0.1", 0)
    proxy.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    async with server:
        yield proxy
        await proxy.close()


@asynccontextmanager
async def api(authority: pki.Authority, folder: Path, ends: timedelta) -> AsyncIterator[int]:
    """A TLS server whose certificate is for `NAME` alone; yields its port."""
    leaf = pki.Leaf("api", dns_names=frozenset({NAME}), validity=ends)
    pair = authority.issue(leaf, NOW - timedelta(hours=2))
    (folder / "tls.crt").write_bytes(pair.certificate)
    (folder / "tls.key").write_bytes(pair.key.reveal())
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(folder / "tls.crt", folder / "tls.key")
    app = web.Application()
    app.router.add_get("/version", _version)
    runner = web.AppRunner(app)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0, ssl_context=context).start()
    try:
        yield int(runner.addresses[0][1])
    finally:
        await runner.cleanup()


async def _version(_: web.Request) -> web.Response:
    return web.json_response({"minor": "35"})


def client(port: int, authority: pki.Authority, **cluster: Any) -> Client:
    data = pki.kubeconfig(f"https://127.0.0.1:{port}", authority.pem, token="word")
    data["clusters"][0]["cluster"] |= cluster
    return Client.from_config(from_dict(data))


@pytest.fixture
def authority() -> pki.Authority:
    return pki.new_authority("test", NOW - timedelta(days=1))


YEAR = timedelta(days=365)


async def test_a_server_is_checked_by_the_name_that_the_kubeconfig_gives(
    authority: pki.Authority, tmp_path: Path
) -> None:
    async with api(authority, tmp_path, YEAR) as port:
        async with client(port, authority, **{"tls-server-name": NAME}) as named:
            assert b"35" in await named.raw("GET", "/version")
        async with client(port, authority) as unnamed:
            with pytest.raises(Unavailable, match="certificate"):
                await unnamed.raw("GET", "/version")


async def test_a_server_of_another_authority_is_not_trusted(
    authority: pki.Authority, tmp_path: Path
) -> None:
    other = pki.new_authority("other", NOW - timedelta(days=1))
    async with (
        api(authority, tmp_path, YEAR) as port,
        client(port, other, **{"tls-server-name": NAME}) as wrong,
    ):
        with pytest.raises(Unavailable, match="certificate"):
            await wrong.raw("GET", "/version")


async def test_an_expired_server_certificate_is_named(
    authority: pki.Authority, tmp_path: Path
) -> None:
    async with (
        api(authority, tmp_path, timedelta(hours=1)) as port,
        client(port, authority, **{"tls-server-name": NAME}) as late,
    ):
        with pytest.raises(Unavailable, match="expired"):
            await late.raw("GET", "/version")


async def test_requests_go_through_the_proxy_of_the_kubeconfig(
    authority: pki.Authority, tmp_path: Path, proxy: Proxy
) -> None:
    options = {"tls-server-name": NAME, "proxy-url": proxy.url}
    async with api(authority, tmp_path, YEAR) as port:
        async with client(port, authority, **options) as through:
            assert b"35" in await through.raw("GET", "/version")
        assert proxy.asked == [f"CONNECT 127.0.0.1:{port} HTTP/1.1"]


async def test_a_proxy_that_is_not_there_is_unavailable(
    authority: pki.Authority, tmp_path: Path
) -> None:
    async with (
        api(authority, tmp_path, YEAR) as port,
        client(port, authority, **{"proxy-url": "http://127.0.0.1:9"}) as lost,
    ):
        with pytest.raises(Unavailable, match=r"127\.0\.0\.1:9"):
            await lost.raw("GET", "/version")


async def test_a_connection_that_waits_holds_little_memory(
    authority: pki.Authority, tmp_path: Path
) -> None:
    async with (
        api(authority, tmp_path, YEAR) as port,
        client(port, authority, **{"tls-server-name": NAME}) as ours,
    ):
        await ours.raw("GET", "/version")
        connections = [one for one in gc.get_objects() if isinstance(one, sslproto.SSLProtocol)]
        assert connections
        assert {len(one.get_buffer(-1)) for one in connections} == {32 << 10}
