"""A SOCKS5 proxy (RFC 1928) beside a container, into the hosted network."""

import argparse
import asyncio
import ipaddress
import os
from dataclasses import dataclass

from hypershift.helpers.konnectivity import tunnel
from hypershift.helpers.konnectivity.resolver import Resolver
from hypershift.helpers.konnectivity.tunnel import Tunnel, directly
from hypershift.helpers.streams import PATIENCE, Stream, relay, serve
from hypershift.helpers.switch import add_switch

VERSION = 5
_NO_AUTHENTICATION, _NOTHING_SUITS = 0, 255
_CONNECT = 1
_IPV4, _NAME, _IPV6 = 1, 3, 4
_GRANTED, _FAILED, _UNREACHABLE, _NO_COMMAND, _NO_ADDRESS = 0, 1, 4, 7, 8


def flags(parser: argparse.ArgumentParser) -> None:
    """Declare the flags: those of tunnels, and where names are resolved."""
    tunnel.flags(parser)
    add_switch(parser, "--resolve-from-guest-cluster-dns", "Ask the hosted cluster's DNS for names")
    add_switch(
        parser,
        "--resolve-from-management-cluster-dns",
        "Ask the management cluster's DNS for names that the hosted cluster's does not know",
    )
    add_switch(parser, "--disable-resolver", "Leave names to the other end of the tunnel")


@dataclass(frozen=True, slots=True)
class Socks5Proxy:
    """Connects clients through a tunnel."""

    tunnel: Tunnel
    resolver: Resolver

    async def __call__(self, client: Stream) -> None:
        """Serve one connection."""
        async with asyncio.timeout(PATIENCE):
            wanted = await _wanted(client)
        if wanted is None:
            return
        try:
            stream = await self._open(*wanted)
        except (OSError, TimeoutError):
            await _answer(client, _UNREACHABLE)
            raise
        await _answer(client, _GRANTED)
        await relay(client, stream)

    async def _open(self, host: str, port: int) -> Stream:
        place = await self.resolver.resolve(host)
        if place.management:
            return await directly(place.address, port, os.environ)
        return await self.tunnel.open(place.address, port)


async def _wanted(client: Stream) -> tuple[str, int] | None:
    """Read greeting and request; None if the request is unsupported and was answered so."""
    version, count = await client.reader.readexactly(2)
    methods = await client.reader.readexactly(count)
    if version != VERSION or _NO_AUTHENTICATION not in methods:
        client.writer.write(bytes((VERSION, _NOTHING_SUITS)))
        return None
    client.writer.write(bytes((VERSION, _NO_AUTHENTICATION)))
    _, command, _, kind = await client.reader.readexactly(4)
    host = await _host(client.reader, kind)
    if host is None or command != _CONNECT:
        await _answer(client, _NO_ADDRESS if host is None else _NO_COMMAND)
        return None
    port = int.from_bytes(await client.reader.readexactly(2))
    return host, port


async def _host(reader: asyncio.StreamReader, kind: int) -> str | None:
    if kind == _NAME:
        (length,) = await reader.readexactly(1)
        return (await reader.readexactly(length)).decode("ascii", "replace")
    if kind == _IPV4:
        return str(ipaddress.IPv4Address(await reader.readexactly(4)))
    if kind == _IPV6:
        return str(ipaddress.IPv6Address(await reader.readexactly(16)))
    return None


async def _answer(client: Stream, code: int) -> None:
    client.writer.write(bytes((VERSION, code, 0, _IPV4, 0, 0, 0, 0, 0, 0)))
    await client.writer.drain()


async def run(options: argparse.Namespace) -> int:
    """Serve until the pod ends."""
    way = Tunnel.of(options)
    resolver = Resolver(
        way,
        guest=options.resolve_from_guest_cluster_dns,
        management=options.resolve_from_management_cluster_dns,
        disabled=options.disable_resolver,
        prefer_ipv4=options.prefer_ipv4,
    )
    return await serve(None, options.serving_port, Socks5Proxy(way, resolver))
