"""`/healthz`, `/readyz` and `/metrics` of a process."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # a process without probes needs no web server in its memory
    from aiohttp import web


@dataclass(frozen=True, slots=True)
class Probes:
    """The questions a prober asks; each answer lists what is missing, nothing when all is well."""

    healthy: Callable[[], list[str]]
    ready: Callable[[], list[str]]
    metrics: Callable[[], bytes]


def application(probes: Probes) -> "web.Application":
    """The web application that answers probes."""
    from aiohttp import web  # noqa: PLC0415 - see above

    def check(question: Callable[[], list[str]]) -> web.Response:
        missing = question()
        return web.Response(text="\n".join(missing) or "ok", status=503 if missing else 200)

    async def healthz(_: web.Request) -> web.Response:
        return check(probes.healthy)

    async def readyz(_: web.Request) -> web.Response:
        return check(probes.ready)

    async def metrics(_: web.Request) -> web.Response:
        return web.Response(body=probes.metrics(), content_type="text/plain", charset="utf-8")

    app = web.Application()
    app.add_routes(
        [web.get("/healthz", healthz), web.get("/readyz", readyz), web.get("/metrics", metrics)]
    )
    return app


@asynccontextmanager
async def serve(probes: Probes, host: str, port: int) -> AsyncIterator[int]:
    """Answer probes while the body runs; yields the port (useful when 0 was asked for)."""
    from aiohttp import web  # noqa: PLC0415 - see above

    runner = web.AppRunner(application(probes), access_log=None)
    await runner.setup()
    try:
        site = web.TCPSite(runner, host, port)
        await site.start()
        yield int(runner.addresses[0][1])
    finally:
        await runner.cleanup()
