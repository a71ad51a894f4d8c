"""The proxies carry bytes both ways through a CONNECT proxy, and say when that does not work."""

import asyncio
import socket
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import pytest

from hypershift.helpers import kubernetes_default_proxy
from hypershift.helpers.konnectivity import resolver, tunnel
from hypershift.helpers.konnectivity.https_proxy import HttpsProxy
from hypershift.helpers.konnectivity.resolver import Place, Resolver
from hypershift.helpers.konnectivity.socks5_proxy import Socks5Proxy
from hypershift.helpers.konnectivity.tunnel import Tunnel
from hypershift.helpers.streams import Stream, host_and_port, relay

Handler = Callable[[Stream], Awaitable[None]]


@asynccontextmanager
async def served(handler: Handler) -> AsyncIterator[int]:
    async def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        stream = Stream(reader, writer)
        try:
            await handler(stream)
        except (OSError, EOFError):
            pass
        finally:
            await stream.close()

    server = await asyncio.start_server(accept, "127.0.0.1", 0)
    async with server:
        yield server.sockets[0].getsockname()[1]


async def echo(client: Stream) -> None:
    while data := await client.reader.read(1000):
        client.writer.write(data.upper())
    client.writer.write_eof()


class Konnectivity:
    """A CONNECT server that remembers what it was asked for, and leads all to one port."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.heads: list[str] = []

    async def __call__(self, client: Stream) -> None:
        head = (await client.reader.readuntil(b"\r\n\r\n")).decode()
        self.heads.append(head)
        if "refused" in head:
            client.writer.write(b"HTTP/1.1 503 Service Unavailable\r\n\r\n")
            return
        client.writer.write(b"HTTP/1.1 200 Connection established\r\n\r\n")
        await relay(client, Stream(*await asyncio.open_connection("127.0.0.1", self.port)))


@asynccontextmanager
async def connected(make: Callable[[int], Handler]) -> AsyncIterator[tuple[Stream, Konnectivity]]:
    async with served(echo) as target:
        way = Konnectivity(target)
        async with served(way) as port, served(make(port)) as proxy:
            stream = Stream(*await asyncio.open_connection("127.0.0.1", proxy))
            yield stream, way
            await stream.close()


async def conversation(stream: Stream, *said: bytes) -> bytes:
    for words in said:
        stream.writer.write(words)
    stream.writer.write_eof()
    return await stream.reader.read()


async def test_the_nodes_proxy_asks_for_the_api_server_with_its_users_name() -> None:
    def make(port: int) -> Handler:
        return kubernetes_default_proxy.forward(f"user:p%40ss@127.0.0.1:{port}/", "api:6443")

    async with connected(make) as (stream, way):
        assert await conversation(stream, b"hello") == b"HELLO"
    assert way.heads[0].startswith("CONNECT api:6443 HTTP/1.1\r\n")
    assert "Proxy-Authorization: Basic dXNlcjpwQHNz" in way.heads[0]  # user:p@ss


async def test_a_refusing_proxy_closes_the_connection() -> None:
    def make(port: int) -> Handler:
        return kubernetes_default_proxy.forward(f"127.0.0.1:{port}", "refused:6443")

    async with connected(make) as (stream, _):
        assert await stream.reader.read() == b""


def test_a_proxy_of_another_kind_is_refused_at_the_start() -> None:
    with pytest.raises(ValueError, match="socks5"):
        kubernetes_default_proxy.forward("socks5://127.0.0.1:1080", "api:6443")


async def test_the_https_proxy_connects_through_the_tunnel() -> None:
    async with connected(lambda port: HttpsProxy(Tunnel("127.0.0.1", port))) as (stream, way):
        stream.writer.write(b"CONNECT pod.guest:8443 HTTP/1.1\r\nHost: pod.guest\r\n\r\n")
        assert b" 200 " in await stream.reader.readuntil(b"\r\n\r\n")
        assert await conversation(stream, b"hello") == b"HELLO"
    assert way.heads[0].startswith("CONNECT pod.guest:8443 ")


async def test_the_https_proxy_goes_through_the_guests_own_proxy_behind_the_tunnel() -> None:
    def make(port: int) -> Handler:
        return HttpsProxy(
            Tunnel("127.0.0.1", port), https_proxy="http://squid.guest:3128", no_proxy=".svc"
        )

    async with connected(make) as (stream, way):
        stream.writer.write(b"CONNECT a.example.org:443 HTTP/1.1\r\n\r\n")
        # behind the tunnel stands the echo, which is no proxy
        assert b" 502 " in await stream.reader.readuntil(b"\r\n\r\n")
    assert way.heads[0].startswith("CONNECT squid.guest:3128 ")
    async with connected(make) as (stream, way):
        stream.writer.write(b"CONNECT a.b.svc:443 HTTP/1.1\r\n\r\n")
        assert b" 200 " in await stream.reader.readuntil(b"\r\n\r\n")
    assert way.heads[0].startswith("CONNECT a.b.svc:443 ")


async def test_a_plain_request_reaches_its_server_without_the_words_for_proxies() -> None:
    async with connected(lambda port: HttpsProxy(Tunnel("127.0.0.1", port))) as (stream, way):
        answer = await conversation(
            stream,
            b"GET http://pod.guest:8080/a?b=c HTTP/1.1\r\nHost: pod.guest:8080\r\n"
            b"Proxy-Connection: keep-alive\r\nConnection: keep-alive\r\n\r\n",
        )
    assert answer == b"GET /A?B=C HTTP/1.1\r\nHOST: POD.GUEST:8080\r\nCONNECTION: CLOSE\r\n\r\n"
    assert way.heads[0].startswith("CONNECT pod.guest:8080 ")


@pytest.mark.parametrize(
    ("said", "answered"),
    [
        (b"nonsense\r\n\r\n", b" 400 "),
        (b"GET /relative HTTP/1.1\r\n\r\n", b" 400 "),
        (b"CONNECT nothing:x HTTP/1.1\r\n\r\n", b" 400 "),
        (b"CONNECT refused:1 HTTP/1.1\r\n\r\n", b" 502 "),
    ],
)
async def test_what_cannot_be_served_is_answered(said: bytes, answered: bytes) -> None:
    async with connected(lambda port: HttpsProxy(Tunnel("127.0.0.1", port))) as (stream, _):
        assert answered in await conversation(stream, said)


def socks(port: int, *, disabled: bool = True, guest: bool = False) -> Socks5Proxy:
    way = Tunnel("127.0.0.1", port)
    return Socks5Proxy(way, Resolver(way, disabled=disabled, guest=guest, management=guest))


HELLO = b"\x05\x01\x00"


@pytest.mark.parametrize(
    ("address", "asked"),
    [
        (b"\x03\x09pod.guest", "pod.guest:443"),
        (b"\x01\x0a\x00\x00\x01", "10.0.0.1:443"),
        (b"\x04" + bytes(15) + b"\x01", "[::1]:443"),
    ],
)
async def test_socks_connects_to_names_and_addresses(address: bytes, asked: str) -> None:
    async with connected(socks) as (stream, way):
        stream.writer.write(HELLO + b"\x05\x01\x00" + address + b"\x01\xbb")
        assert await stream.reader.readexactly(2) == b"\x05\x00"
        assert (await stream.reader.readexactly(10))[:2] == b"\x05\x00"
        assert await conversation(stream, b"hello") == b"HELLO"
    assert way.heads[0].startswith(f"CONNECT {asked} ")


@pytest.mark.parametrize(
    ("said", "answered"),
    [
        (b"\x05\x01\x02", b"\x05\xff"),  # only with a password
        (HELLO + b"\x05\x02\x00\x01\x0a\x00\x00\x01\x01\xbb", b"\x05\x00\x05\x07"),  # BIND
        (HELLO + b"\x05\x01\x00\x09", b"\x05\x00\x05\x08"),  # no such kind of address
        (HELLO + b"\x05\x01\x00\x03\x07refused\x01\xbb", b"\x05\x00\x05\x04"),
    ],
)
async def test_socks_says_what_it_does_not_do(said: bytes, answered: bytes) -> None:
    async with connected(socks) as (stream, _):
        assert (await conversation(stream, said)).startswith(answered)


async def test_a_service_of_the_guest_is_found_by_its_api(monkeypatch: pytest.MonkeyPatch) -> None:
    async def cluster_address(namespace: str, name: str) -> str:
        return "172.30.0.9" if (namespace, name) == ("shop", "db") else ""

    monkeypatch.setattr(resolver, "_cluster_address", cluster_address)
    found = Resolver(Tunnel("127.0.0.1", 1))
    assert await found.resolve("db.shop.svc.cluster.local") == Place("172.30.0.9")
    assert await found.resolve("10.0.0.7") == Place("10.0.0.7")


async def test_a_name_that_the_guest_does_not_know_is_asked_beside_us(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def nothing(_namespace: str, _name: str) -> str:
        return ""

    monkeypatch.setattr(resolver, "_cluster_address", nothing)
    both = Resolver(Tunnel("127.0.0.1", 1), guest=True, management=True, prefer_ipv4=True)
    assert (await both.resolve("localhost")).management
    with pytest.raises(OSError, match="does not know"):
        await Resolver(Tunnel("127.0.0.1", 1), guest=True).resolve("localhost")


@pytest.mark.parametrize(
    ("host", "cloud"),
    [
        ("ec2.eu-west-1.amazonaws.com", True),
        ("login.microsoftonline.com.", True),
        ("amazonaws.com.evil.example", False),
        ("10.0.0.1", False),
    ],
)
def test_only_hosts_of_clouds_are_called_directly(host: str, *, cloud: bool) -> None:
    assert tunnel.is_cloud(host) is cloud


async def test_a_cloud_is_called_directly_or_through_the_management_clusters_proxy() -> None:
    async with served(echo) as target:
        way = Konnectivity(target)
        async with served(way) as port:
            environ = {"HTTPS_PROXY": f"http://127.0.0.1:{port}", "NO_PROXY": "10.0.0.0/8"}
            stream = await tunnel.directly("ec2.amazonaws.com", 443, environ)
            assert await conversation(stream, b"hi") == b"HI"
            await stream.close()
        stream = await tunnel.directly("127.0.0.1", target, environ)
        assert await conversation(stream, b"hi") == b"HI"
        await stream.close()
    assert way.heads[0].startswith("CONNECT ec2.amazonaws.com:443 ")


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("a.example:1", ("a.example", 1)),
        ("[::1]:6443", ("::1", 6443)),
        ("[::1]", ("::1", 443)),
        ("a", ("a", 443)),
    ],
)
def test_hosts_and_ports_are_told_apart(text: str, found: tuple[str, int]) -> None:
    assert host_and_port(text, 443) == found
    assert socket.inet_pton(socket.AF_INET6, "::1")
