"""An HTTP proxy beside a container: CONNECT and plain requests go into the hosted network."""

import argparse
import asyncio
from dataclasses import dataclass
from urllib.parse import urlsplit

from hypershift.helpers.konnectivity import tunnel
from hypershift.helpers.konnectivity.tunnel import Tunnel, is_cloud, proxy_for
from hypershift.helpers.streams import PATIENCE, Stream, ask_for, host_and_port, relay, serve

_ESTABLISHED = b"HTTP/1.1 200 OK\r\n\r\n"
_BAD_GATEWAY = b"HTTP/1.1 502 Bad Gateway\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"
_BAD_REQUEST = b"HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"
_HTTP_PORT = 80


def flags(parser: argparse.ArgumentParser) -> None:
    """Declare the flags; the three of a proxy are the hosted cluster's own."""
    tunnel.flags(parser)
    parser.add_argument("--http-proxy", default="", help="Proxy of the hosted cluster for HTTP")
    parser.add_argument("--https-proxy", default="", help="Proxy of the hosted cluster for HTTPS")
    parser.add_argument("--no-proxy", default="", help="What is reached without that proxy")


@dataclass(frozen=True, slots=True)
class HttpsProxy:
    """Connects clients through a tunnel, and through the hosted cluster's proxy behind it."""

    tunnel: Tunnel
    http_proxy: str = ""
    https_proxy: str = ""
    no_proxy: str = ""

    async def __call__(self, client: Stream) -> None:
        """Serve one connection."""
        async with asyncio.timeout(PATIENCE):
            head = await client.reader.readuntil(b"\r\n\r\n")
        line, _, rest = head.partition(b"\r\n")
        words = line.decode("latin-1").split(" ")
        if len(words) != 3:  # noqa: PLR2004 - method, target, version
            client.writer.write(_BAD_REQUEST)
            return
        try:
            if words[0] == "CONNECT":
                stream, first = await self._connect(words[1]), b""
            else:
                stream, first = await self._request(words, rest)
        except ValueError:
            client.writer.write(_BAD_REQUEST)
            return
        except OSError:
            client.writer.write(_BAD_GATEWAY)
            raise
        if first:
            stream.writer.write(first)
        else:
            client.writer.write(_ESTABLISHED)
        await relay(client, stream)

    async def _connect(self, target: str) -> Stream:
        host, port = host_and_port(target, 443)
        found = None if is_cloud(host) else proxy_for(host, port, self.https_proxy, self.no_proxy)
        if found is None:
            return await self.tunnel.open(host, port)
        place, user = found
        return await ask_for(await self.tunnel.open(*place), host, port, user=user)

    async def _request(self, words: list[str], rest: bytes) -> tuple[Stream, bytes]:
        """A plain request: its connection, and the request as the server wants it."""
        method, target, version = words
        parts = urlsplit(target)
        if parts.scheme != "http" or not parts.hostname:
            raise ValueError("only absolute HTTP URLs are served")
        port = parts.port or _HTTP_PORT
        found = proxy_for(parts.hostname, port, self.http_proxy, self.no_proxy)
        if found is None:
            path = parts._replace(scheme="", netloc="").geturl() or "/"
            stream = await self.tunnel.open(parts.hostname, port)
        else:
            path, stream = target, await self.tunnel.open(*found[0])
        return stream, f"{method} {path} {version}\r\n".encode("latin-1") + _one_request(rest)


def _one_request(headers: bytes) -> bytes:
    """Headers without those for a proxy; the server closes, because the next may go elsewhere."""
    lines = headers.removesuffix(b"\r\n\r\n").split(b"\r\n")
    hop = (b"proxy-", b"connection:")
    kept = [line for line in lines if line and not line.lower().startswith(hop)]
    return b"\r\n".join([*kept, b"Connection: close", b"", b""])


async def run(options: argparse.Namespace) -> int:
    """Serve until the pod ends."""
    proxy = HttpsProxy(
        Tunnel.of(options), options.http_proxy, options.https_proxy, options.no_proxy
    )
    return await serve(None, options.serving_port, proxy)
