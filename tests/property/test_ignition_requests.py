"""Whatever is sent to the ignition server: no error of ours, and no secret in a log."""

import asyncio
import base64
import logging
import random
from datetime import timedelta

import pytest
import structlog
from aiohttp import web
from tests.unit.servers.ignition.world import HASH, TOKEN, Releases, a_token, a_world

from hypershift.kit import SystemClock
from hypershift.servers.ignition import Server, Settings
from hypershift.servers.ignition.listen import runner_of

REQUESTS = 10_000
CONNECTIONS = 20
OURS = range(500, 511)
ALPHABET = [chr(code) for code in range(32, 127)] + ["\t", "\x00", "\r", "\n", "\x80", "é", "\xff"]


def noise(rng: random.Random, most: int = 60) -> str:
    return "".join(rng.choices(ALPHABET, k=rng.randint(0, most)))


def a_bearer(rng: random.Random) -> str:
    """A token: the right one, a near one, or none at all."""
    known = base64.b64encode(TOKEN.encode()).decode()
    cut = base64.b64encode(TOKEN[: rng.randint(0, len(TOKEN))].encode()).decode()
    return rng.choice([known, cut, known[:-1], known + "=", known * 200, noise(rng), ""])


def a_request(rng: random.Random) -> bytes:
    """A request that is nearly one, or nothing like one."""
    method = rng.choice(["GET"] * 6 + ["POST", "HEAD", "OPTIONS", "get", noise(rng, 5)])
    path = rng.choice(["/ignition", "/ignition-x", "/ignition/../..", "/%2e%2e/ignition", "*"])
    path = rng.choice([path] * 4 + [f"/{noise(rng)}", "http://x/ignition", "/" * 5000])
    version = rng.choice(["HTTP/1.1"] * 8 + ["HTTP/1.0", "HTTP/9.9", noise(rng, 8)])
    lines = [f"{method} {path} {version}", "Host: x"]
    scheme = rng.choice(["Bearer", "Bearer", "Bearer", "bearer", "Basic", noise(rng, 6)])
    optional = [
        f"Authorization: {scheme} {a_bearer(rng)}",
        f"NodePool: {rng.choice(['clusters/workers', 'clusters/', '/', noise(rng)])}",
        f"TargetConfigVersionHash: {rng.choice([HASH, HASH.upper(), noise(rng, 12)])}",
        f"Content-Length: {rng.choice(['0', '-1', '99999999', noise(rng, 5)])}",
        f"Transfer-Encoding: {rng.choice(['chunked', noise(rng, 8)])}",
        f"{noise(rng, 10)}: {noise(rng)}",
    ]
    chosen = [line for line in optional if rng.random() < 0.7]
    rng.shuffle(chosen)
    end = rng.choice(["\r\n\r\n"] * 6 + ["\n\n", "\r\n", ""])
    return ("\r\n".join(lines + chosen) + end).encode("latin-1", "replace")


async def answer(port: int, request: bytes) -> int:
    """The status of one request on a connection of its own; 0 when there is no answer."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        writer.write(request + b"\r\n\r\n")  # what has no end gets one
        line = await asyncio.wait_for(reader.readline(), 10)
    except (ConnectionError, TimeoutError, ValueError):
        return 0
    finally:
        writer.close()
    words = line.split(b" ")
    return int(words[1]) if len(words) > 1 and words[1].isdigit() else 0


async def test_ten_thousand_broken_requests_meet_no_error_of_ours_and_no_open_log(
    caplog: pytest.LogCaptureFixture,
) -> None:
    rng = random.Random(7)  # noqa: S311 - a fixed seed, so that a failure repeats
    caplog.set_level(logging.DEBUG)
    settings = Settings(memory=timedelta(seconds=5))
    server = Server(a_world(a_token()), Releases(), settings, SystemClock())
    runner = runner_of(server)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0, backlog=1024)
    await site.start()
    port = runner.addresses[0][1]
    seen: set[int] = set()
    try:
        with structlog.testing.capture_logs() as logs:
            for _ in range(REQUESTS // CONNECTIONS):
                batch = [a_request(rng) for _ in range(CONNECTIONS)]
                seen.update(await asyncio.gather(*(answer(port, one) for one in batch)))
    finally:
        await runner.cleanup()
    assert not seen & set(OURS), seen
    assert {200, 400, 401, 404, 511} <= seen, seen
    told = str(logs) + caplog.text
    assert TOKEN not in told
    assert base64.b64encode(TOKEN.encode()).decode()[:-4] not in told
