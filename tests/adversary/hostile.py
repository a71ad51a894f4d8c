"""A hosted API server whose owner is hostile: what it answers is what it likes."""

import asyncio
import base64
import json
import ssl
import sys
import tempfile
import zlib
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from aiohttp import web

from hypershift.pki import Authority, Leaf, new_authority

MIB = 1 << 20
#: An endless answer ends here, so that a client without limits fails a test and not the machine.
ENDLESS = 256 * MIB


def tls_pair(directory: Path, authority: Authority | None = None) -> tuple[ssl.SSLContext, bytes]:
    """A server's TLS context for loopback, and the authority that vouches for it."""
    now = datetime.now(UTC)
    signer = authority or new_authority("guest", now)
    pair = signer.issue(Leaf("api", ip_addresses=frozenset({"127.0.0.1"})), now)
    certificate, key = directory / "tls.crt", directory / "tls.key"
    certificate.write_bytes(pair.certificate)
    key.write_bytes(pair.key.reveal())
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    return context, signer.pem


def kubeconfig(url: str, authority: bytes) -> bytes:
    """What the control plane namespace holds for such a server."""
    data = base64.b64encode(authority).decode()
    cluster = {"server": url, "certificate-authority-data": data}
    document = {
        "apiVersion": "v1",
        "kind": "Config",
        "current-context": "x",
        "contexts": [{"name": "x", "context": {"cluster": "x", "user": "x"}}],
        "clusters": [{"name": "x", "cluster": cluster}],
        "users": [{"name": "x", "user": {"token": "t"}}],
    }
    return json.dumps(document).encode()


class Guest:
    """Answers every request with `answer`, and counts them and what it could send."""

    def __init__(self, answer: Callable[["Guest", web.Request], Any]) -> None:
        self.answer = answer
        self.requests: list[web.Request] = []
        self.sent = 0
        self.kubeconfig = b""

    async def handle(self, request: web.Request) -> web.StreamResponse:
        self.requests.append(request)
        answer: web.StreamResponse = await self.answer(self, request)
        return answer

    async def stream(
        self, request: web.Request, *chunks: bytes, again: bytes = b"", **headers: str
    ) -> web.StreamResponse:
        """Send chunks, then `again` and again."""
        response = web.StreamResponse(headers=headers)
        await response.prepare(request)
        try:
            for chunk in chunks:
                await response.write(chunk)
            while again and self.sent < ENDLESS and _connected(request):
                await response.write(again)
                self.sent += len(again)
                await asyncio.sleep(0)  # lets the loop notice that the client hung up
            while _connected(request):  # noqa: ASYNC110 - the client decides
                await asyncio.sleep(1)
        except (ConnectionError, asyncio.CancelledError):
            pass
        return response


def _connected(request: web.Request) -> bool:
    """False once the client hung up: writing on would only keep this process busy."""
    return request.transport is not None and not request.transport.is_closing()


@asynccontextmanager
async def serving(
    directory: Path, answer: Callable[[Guest, web.Request], Any]
) -> AsyncIterator[Guest]:
    """A hostile server while the body runs."""
    guest = Guest(answer)
    app = web.Application()
    app.router.add_route("*", "/{path:.*}", guest.handle)
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
    await runner.setup()
    context, authority = tls_pair(directory)
    site = web.TCPSite(runner, "127.0.0.1", 0, ssl_context=context)
    await site.start()
    guest.kubeconfig = kubeconfig(f"https://127.0.0.1:{runner.addresses[0][1]}", authority)
    try:
        yield guest
    finally:
        await runner.cleanup()


# What it may answer


async def endless_body(guest: Guest, request: web.Request) -> web.StreamResponse:
    return await guest.stream(request, b'{"items":["', again=b"x" * MIB)


async def endless_line(guest: Guest, request: web.Request) -> web.StreamResponse:
    return await guest.stream(request, b'{"type":"ADDED","object":{"x":"', again=b"x" * MIB)


async def endless_events(guest: Guest, request: web.Request) -> web.StreamResponse:
    metadata = {"name": "n", "uid": "u", "resourceVersion": "5"}
    event = {"type": "MODIFIED", "object": {"metadata": metadata, "x": "y" * 100}}
    return await guest.stream(request, again=(json.dumps(event).encode() + b"\n") * 1000)


async def endless_pages(guest: Guest, request: web.Request) -> web.StreamResponse:
    del request
    number = len(guest.requests)
    metadata = {"name": f"n{number}", "uid": f"u{number}", "resourceVersion": "5"}
    item = {"metadata": metadata, "data": {"x": "y" * 100_000}}
    return web.json_response({"metadata": {"continue": "more"}, "items": [item]})


async def many_values(guest: Guest, request: web.Request) -> web.StreamResponse:
    del guest, request
    items = b"{}," * (MIB - 1)
    return web.Response(body=b'{"items":[' + items + b"{}]}")


async def bomb(guest: Guest, request: web.Request) -> web.StreamResponse:
    del guest, request
    packed = zlib.compressobj(9, zlib.DEFLATED, 31)
    zeros = b"0" * MIB
    body = b"".join([*(packed.compress(zeros) for _ in range(256)), packed.flush()])
    return web.Response(body=body, headers={"Content-Encoding": "gzip"})


async def deep(guest: Guest, request: web.Request) -> web.StreamResponse:
    del guest, request
    return web.Response(body=b'{"items":' + b"[" * 100_000 + b"]" * 100_000 + b"}")


async def silence(guest: Guest, request: web.Request) -> web.StreamResponse:
    del guest, request
    await asyncio.sleep(30)
    return web.json_response({})


async def drip(guest: Guest, request: web.Request) -> web.StreamResponse:
    response = web.StreamResponse()
    await response.prepare(request)
    try:
        for _ in range(60):
            await response.write(b" ")
            guest.sent += 1
            await asyncio.sleep(0.5)
    except (ConnectionError, asyncio.CancelledError):
        pass
    return response


async def lies(guest: Guest, request: web.Request) -> web.StreamResponse:
    """Versions that are no numbers, too large, or of another type."""
    version: Any = ("\u00b2\u00b2", "9" * 5000, 5, None, {"x": 1}, "-1")[len(guest.requests) % 6]
    metadata = {"name": "n", "uid": "u", "resourceVersion": version}
    if request.query.get("watch"):
        event = {"type": "ADDED", "object": {"metadata": metadata}}
        return await guest.stream(request, json.dumps(event).encode() + b"\n")
    return web.json_response({"metadata": metadata, "items": [{"metadata": metadata}]})


async def flood(guest: Guest, request: web.Request) -> web.StreamResponse:
    """Honest lists, and watches that send events as fast as they are read."""
    if request.query.get("watch"):
        return await endless_events(guest, request)
    return web.json_response({"metadata": {"resourceVersion": "5"}, "items": []})


async def endless_watch_lines(guest: Guest, request: web.Request) -> web.StreamResponse:
    """Honest lists, and watches whose only line never ends."""
    if request.query.get("watch"):
        return await endless_line(guest, request)
    return web.json_response({"metadata": {"resourceVersion": "5"}, "items": []})


#: What a hostile fleet is made of.
FLEET = (flood, endless_body, silence, endless_watch_lines)


async def main() -> None:
    """Serve the fleet from a process of its own; print the kubeconfigs as one JSON list."""
    global ENDLESS  # noqa: PLW0603 - the client under test has limits
    ENDLESS = 1 << 62
    async with AsyncExitStack() as stack:
        directory = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        guests = [await stack.enter_async_context(serving(directory, one)) for one in FLEET]
        sys.stdout.write(json.dumps([one.kubeconfig.decode() for one in guests]) + "\n")
        sys.stdout.flush()
        await asyncio.to_thread(sys.stdin.read)


if __name__ == "__main__":
    asyncio.run(main())
