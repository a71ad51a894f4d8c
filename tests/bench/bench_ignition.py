"""1,000 machines ask the ignition server at once, beside as many bare TLS handshakes."""

import asyncio
import base64
import multiprocessing
import socket
import ssl
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import timedelta
from typing import Any

from tests.bench.figure import Figure
from tests.lib.ports import free_port
from tests.unit.servers.ignition.world import HASH, TOKEN, Releases, a_token, a_world

from hypershift.kit import SystemClock
from hypershift.servers.ignition import Settings, serve
from hypershift.servers.ignition.identity import identity
from hypershift.servers.ignition.listen import tls_context

MACHINES = 1000
BACKLOG = 1024
ASK = (
    "GET /ignition HTTP/1.1\r\nHost: x\r\nConnection: close\r\n"
    f"Authorization: Bearer {base64.b64encode(TOKEN.encode()).decode()}\r\n"
    f"NodePool: clusters/workers\r\nTargetConfigVersionHash: {HASH}\r\n\r\n"
).encode()


async def _payloads(port: int, told: Any) -> None:
    """The real server, in a process of its own."""
    kube, started = a_world(a_token()), asyncio.Event()
    settings = Settings(address="127.0.0.1", port=port, memory=timedelta(seconds=5))
    running = asyncio.create_task(serve(kube, Releases(), settings, started=started))
    await started.wait()
    told.put((await identity(kube, settings, SystemClock())).authority.decode())
    await running


async def _handshakes(port: int, told: Any) -> None:
    """A server that shakes hands and says three letters."""
    known = await identity(a_world(), Settings(), SystemClock())

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(ConnectionError, ssl.SSLError):
            await reader.read(len(ASK))
            writer.write(b"HTTP/1.1 200 OK\r\n\r\nyes")
            await writer.drain()
            writer.close()

    context = tls_context(known.serving)
    server = await asyncio.start_server(answer, "127.0.0.1", port, ssl=context, backlog=BACKLOG)
    told.put(known.authority.decode())
    await server.serve_forever()


def _child(work: Any, port: int, told: Any) -> None:
    asyncio.run(work(port, told))


@contextmanager
def _beside(work: Any) -> Iterator[tuple[int, str]]:
    """A server in another process: its port, and whom to trust."""
    context, port = multiprocessing.get_context("spawn"), free_port()
    told = context.Queue()
    child = context.Process(target=_child, args=(work, port, told), daemon=True)
    child.start()
    try:
        yield port, told.get(timeout=120)
    finally:
        child.terminate()
        child.join()


async def _ask(port: int, context: ssl.SSLContext) -> tuple[float, bool]:
    """One machine: how long it took, and whether it got what it asked for."""
    begin = time.perf_counter()
    try:
        reader, writer = await asyncio.open_connection("127.0.0.1", port, ssl=context)
        writer.write(ASK)
        answer = await reader.read()
        writer.close()
    except (OSError, ssl.SSLError):
        return time.perf_counter() - begin, False
    return time.perf_counter() - begin, answer.startswith(b"HTTP/1.1 200")


async def _storm(port: int, authority: str) -> tuple[float, float, int]:
    """All machines at once: the slowest but one in a hundred, the whole, and the failures."""
    context = ssl.create_default_context(cadata=authority)
    begin = time.perf_counter()
    answers = await asyncio.gather(*(_ask(port, context) for _ in range(MACHINES)))
    whole = time.perf_counter() - begin
    taken = sorted(seconds for seconds, _ in answers)
    return taken[int(MACHINES * 0.99)], whole, sum(not good for _, good in answers)


def figures() -> Iterator[Figure]:
    """The storm on bare handshakes, then on the server."""
    socket.setdefaulttimeout(None)
    with _beside(_handshakes) as (port, authority):
        bare, bare_whole, _ = asyncio.run(_storm(port, authority))
    with _beside(_payloads) as (port, authority):
        asyncio.run(_ask(port, ssl.create_default_context(cadata=authority)))
        p99, whole, errors = asyncio.run(_storm(port, authority))
    yield Figure("ignition: 1,000 machines at once, errors", errors, "", most=0)
    yield Figure("ignition: p99", p99, "s")
    yield Figure("ignition: p99 of bare TLS handshakes", bare, "s")
    yield Figure("ignition: all machines, beside bare handshakes", whole / bare_whole, "x")
