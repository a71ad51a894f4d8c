"""Connections of proxies: serve, relay both ways, ask a CONNECT proxy for one."""

import asyncio
import base64
import re
import ssl
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from urllib.parse import unquote

from hypershift.helpers.log_line import log_line

#: A peer that does not answer within this time is not there.
PATIENCE = 30.0
CHUNK = 65536
#: Connections at once; further ones wait in the kernel's queue.
MOST = 2000

OK = 200
#: Names, and addresses of both families, with a zone.
_HOST = re.compile(r"[A-Za-z0-9._:%-]{1,255}")


class Refused(OSError):
    """A proxy that did not connect us."""


@dataclass(frozen=True, slots=True)
class Stream:
    """One connection."""

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter

    async def close(self) -> None:
        """Close it; a connection that is broken already is closed, too."""
        self.writer.close()
        with suppress(OSError, asyncio.TimeoutError):
            async with asyncio.timeout(PATIENCE):
                await self.writer.wait_closed()


Handler = Callable[[Stream], Awaitable[None]]


async def dial(host: str, port: int, tls: ssl.SSLContext | None = None) -> Stream:
    """Open a connection."""
    async with asyncio.timeout(PATIENCE):
        name = host if tls else None
        return Stream(*await asyncio.open_connection(host, port, ssl=tls, server_hostname=name))


async def serve(host: str | None, port: int, handler: Handler) -> int:
    """Give each connection to the handler until the program ends."""
    slots = asyncio.Semaphore(MOST)

    async def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        stream = Stream(reader, writer)
        try:
            async with slots:
                await handler(stream)
        except (OSError, EOFError, TimeoutError, ValueError, asyncio.LimitOverrunError) as error:
            log_line("connection failed", error=str(error) or type(error).__name__)
        finally:
            await stream.close()

    server = await asyncio.start_server(accept, host, port)
    log_line("listening", port=port)
    async with server:
        await server.serve_forever()
    return 0


async def relay(left: Stream, right: Stream) -> None:
    """Copy both ways until both sides have ended; close the right side."""
    try:
        async with asyncio.TaskGroup() as group:
            group.create_task(_copy(left.reader, right.writer))
            group.create_task(_copy(right.reader, left.writer))
    finally:
        await right.close()


async def _copy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with suppress(OSError):
        while chunk := await reader.read(CHUNK):
            writer.write(chunk)
            await writer.drain()
    with suppress(OSError, RuntimeError):
        # TLS cannot end one direction alone.
        if writer.can_write_eof():
            writer.write_eof()
        else:
            writer.close()


async def ask_for(stream: Stream, host: str, port: int, user: str = "") -> Stream:
    """Ask a proxy at the other end for a connection to a host; Refused if it does not give one."""
    try:
        target = authority(host, port)
    except ValueError:
        await stream.close()
        raise
    lines = [f"CONNECT {target} HTTP/1.1", f"Host: {target}"]
    if user:
        lines.append(f"Proxy-Authorization: Basic {_basic(user)}")
    try:
        async with asyncio.timeout(PATIENCE):
            stream.writer.write("\r\n".join([*lines, "", ""]).encode())
            head = await stream.reader.readuntil(b"\r\n\r\n")
    except (TimeoutError, asyncio.IncompleteReadError, asyncio.LimitOverrunError) as error:
        await stream.close()
        raise Refused(f"no answer to CONNECT {target}") from error
    first = head.split(b"\r\n", 1)[0].decode("latin-1")
    words = first.split(maxsplit=2)
    if len(words) < 2 or words[1] != str(OK):  # noqa: PLR2004 - version and status
        await stream.close()
        raise Refused(f"CONNECT {target}: {first[:200]}")
    return stream


def _basic(user: str) -> str:
    name, _, password = user.partition(":")
    return base64.b64encode(f"{unquote(name)}:{unquote(password)}".encode()).decode()


def authority(host: str, port: int) -> str:
    """`host:port`, with an IPv6 address in brackets.

    A client names the host, byte by byte: a line break in it would be a header of its making.
    """
    if not _HOST.fullmatch(host):
        raise ValueError(f"{host[:80]!r} is not a host")
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def host_and_port(text: str, default: int = 0) -> tuple[str, int]:
    """Split `host:port`; ValueError if there is no port and no default."""
    host, colon, port = text.rpartition(":")
    if not colon or port.endswith("]") or (":" in host and not host.endswith("]")):
        host, port = text, str(default or "")
    if not host or not port.isdecimal():
        raise ValueError(f"{text!r} is not host:port")
    return host.strip("[]"), int(port)
