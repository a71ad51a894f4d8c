"""The transport of production against a small server on loopback that also misbehaves."""

import asyncio
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from aiohttp import web

from hypershift import pki
from hypershift.kit import Secret
from hypershift.kube import (
    Client,
    Config,
    HttpTransport,
    Impersonation,
    Request,
    Unavailable,
    kinds,
)
from hypershift.kube import http as http_module
from hypershift.kube.config import from_dict

LONG = "x" * 300_000


class Server:
    """Remembers what it was asked."""

    def __init__(self) -> None:
        self.seen: list[web.Request] = []
        self.url = ""
        self.busy = 0

    async def handle(self, request: web.Request) -> web.StreamResponse:
        self.seen.append(request)
        if request.path == "/slow":
            await asyncio.sleep(0.5)
        if request.path == "/busy" and self.busy:
            self.busy -= 1
            return web.Response(status=429, headers={"Retry-After": "0"}, text="{}")
        if request.path.endswith("/cut"):
            assert request.transport is not None
            request.transport.close()
        if request.query.get("watch"):
            return await self._stream(request)
        return web.json_response({"path": request.raw_path})

    async def _stream(self, request: web.Request) -> web.StreamResponse:
        response = web.StreamResponse()
        await response.prepare(request)
        for part in (b'{"type":"ADDED","object":{"a":"', LONG.encode(), b'"}}\n{"type":"ADD'):
            await response.write(part)
        await response.write(b'ED","object":{"b":1}}\n')
        if request.query.get("labelSelector") == "broken":
            assert request.transport is not None
            request.transport.close()
        return response


@pytest.fixture
async def server() -> AsyncIterator[Server]:
    server = Server()
    app = web.Application()
    app.router.add_route("*", "/{tail:.*}", server.handle)
    runner = web.AppRunner(app)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    server.url = f"http://127.0.0.1:{runner.addresses[0][1]}"
    yield server
    await runner.cleanup()


async def test_identity_and_request_id_travel_in_headers(server: Server) -> None:
    config = Config(
        server.url, token=Secret("word"), impersonate=Impersonation("bob", groups=("a", "b"))
    )
    async with Client.from_config(config) as client:
        await client.raw("GET", "/x", query={"q": "a b&c"})
    (request,) = server.seen
    assert request.headers["Authorization"] == "Bearer word"
    assert request.headers.getall("Impersonate-Group") == ["a", "b"]
    assert len(request.headers["Audit-ID"]) == 36
    assert request.query["q"] == "a b&c"


async def test_a_rotated_token_file_is_read_again(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(http_module, "TOKEN_REREAD", -1.0)
    token = tmp_path / "token"
    token.write_text("first\n")
    transport = HttpTransport(Config(server.url, token_file=token))
    await transport.request(Request("GET", "/x"))
    token.write_text("second\n")
    await transport.request(Request("GET", "/x"))
    token.unlink()
    await transport.request(Request("GET", "/x"))
    await transport.close()
    seen = [request.headers["Authorization"] for request in server.seen]
    assert seen == ["Bearer first", "Bearer second", "Bearer second"]


async def test_a_rotated_client_certificate_is_taken_up(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(http_module, "CERTIFICATE_REREAD", -1.0)
    now = datetime.now(UTC)
    authority = pki.new_authority("test", now)
    files = (tmp_path / "tls.crt", tmp_path / "tls.key")

    def rotate(name: str) -> None:
        pair = authority.issue(pki.Leaf(name, usage=pki.Usage.CLIENT), now)
        files[0].write_bytes(pair.certificate)
        files[1].write_bytes(pair.key.reveal())

    rotate("first")
    user = {"client-certificate": str(files[0]), "client-key": str(files[1])}
    document = {
        "current-context": "c",
        "contexts": [{"name": "c", "context": {"cluster": "c", "user": "u"}}],
        "clusters": [{"name": "c", "cluster": {"server": server.url}}],
        "users": [{"name": "u", "user": user}],
    }
    transport = HttpTransport(from_dict(document))
    await transport.request(Request("GET", "/x"))
    first = transport.config.client_cert
    rotate("second")
    await transport.request(Request("GET", "/x"))
    assert transport.config.client_cert == files[0].read_bytes() != first
    files[1].write_bytes(b"half written")
    files[0].write_bytes(b"half written")
    await transport.request(Request("GET", "/x"))
    assert transport.config.client_cert != b"half written"
    await transport.close()


async def test_no_answer_in_time_is_unavailable(server: Server) -> None:
    transport = HttpTransport(Config(server.url))
    with pytest.raises(Unavailable, match="no answer in time"):
        await transport.request(Request("GET", "/slow", timeout=0.05))
    await transport.close()


async def test_a_server_that_closes_is_unavailable(server: Server) -> None:
    async with Client.from_config(Config(server.url)) as client:
        with pytest.raises(Unavailable, match="POST /cut"):
            await client.raw("POST", "/cut")


async def test_nobody_listening_is_unavailable_with_the_address() -> None:
    async with Client.from_config(Config("http://127.0.0.1:9")) as client:
        with pytest.raises(Unavailable, match=r"127\.0\.0\.1:9"):
            await client.raw("GET", "/x")


async def test_a_busy_server_is_asked_again(server: Server) -> None:
    server.busy = 2
    async with Client.from_config(Config(server.url)) as client:
        await client.raw("GET", "/busy")
    assert len(server.seen) == 3


async def test_long_lines_and_cut_lines_are_put_together(server: Server) -> None:
    async with Client.from_config(Config(server.url)) as client:
        events = [event async for event in client.watch(kinds.POD)]
    assert [event.object for event in events] == [{"a": LONG}, {"b": 1}]


async def test_a_stream_that_breaks_is_unavailable(server: Server) -> None:
    async with Client.from_config(Config(server.url)) as client:
        with pytest.raises(Unavailable):
            async for _ in client.watch(kinds.POD, labels="broken"):
                pass
