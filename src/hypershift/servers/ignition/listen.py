"""Listens with TLS, and takes up a new certificate without closing the door."""

import asyncio
import logging
import ssl
import tempfile
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from pathlib import Path

import structlog
from aiohttp import web

from hypershift.kit import Clock, HypershiftError, SystemClock
from hypershift.kit.supervise import supervised
from hypershift.kube import ApiError, Client
from hypershift.pki import KeyPair
from hypershift.release import Lookup
from hypershift.runtime import health
from hypershift.servers.ignition.app import Server
from hypershift.servers.ignition.identity import Identity, identity
from hypershift.servers.ignition.settings import Settings

REFRESH = 10.0  # seconds between looks at the Service's address and the certificate
log = structlog.get_logger()


async def serve(
    client: Client,
    releases: Lookup,
    settings: Settings,
    *,
    clock: Clock | None = None,
    started: asyncio.Event | None = None,
) -> None:
    """Answer machines until cancelled."""
    time = clock or SystemClock()
    server = Server(client, releases, settings, time)
    known = await _first(client, settings, time)
    context = tls_context(known.serving)
    runner = runner_of(server)
    await runner.setup()
    try:
        async with _figures(server, settings):
            await _listen(runner, settings, context, time)
            log.info("ignition server listens", address=settings.address, port=settings.port)
            if started:
                started.set()
            await _refresh(client, settings, time, context, known)
    finally:
        await runner.cleanup()


def runner_of(server: Server) -> web.AppRunner:
    """What runs the application; broken requests may hold a token, so they are not logged."""
    silent = logging.getLogger("hypershift.ignition.requests")
    silent.disabled = True
    return web.AppRunner(
        server.app(), access_log=None, logger=silent, shutdown_timeout=2.0, keepalive_timeout=10.0
    )


@asynccontextmanager
async def _figures(server: Server, settings: Settings) -> AsyncIterator[None]:
    """Show figures on a port of their own: machines have no business there."""
    probes = health.Probes(healthy=list, ready=list, metrics=server.metrics)
    async with AsyncExitStack() as stack:
        if settings.metrics_port:
            shown = health.serve(probes, settings.address, settings.metrics_port)
            try:
                await stack.enter_async_context(shown)
            except OSError as error:
                log.warning("figures are not shown", port=settings.metrics_port, error=str(error))
        yield


@asynccontextmanager
async def running(client: Client, releases: Lookup, settings: Settings) -> AsyncIterator[None]:
    """The server as a service of a larger process: it runs as long as the block."""
    server = partial(serve, client, releases, settings)
    task = asyncio.create_task(
        supervised("ignition server", server, SystemClock()), name="ignition server"
    )
    try:
        yield
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def _listen(
    runner: web.AppRunner, settings: Settings, context: ssl.SSLContext, clock: Clock
) -> None:
    """Open the port; a predecessor that still holds it is waited for."""
    while True:
        site = web.TCPSite(
            runner, settings.address, settings.port, ssl_context=context, backlog=1024
        )
        try:
            await site.start()
        except OSError as error:
            log.warning("port is not free", port=settings.port, error=str(error))
            await clock.sleep(1.0)
        else:
            return


async def _first(client: Client, settings: Settings, clock: Clock) -> Identity:
    """The identity to start with; a server that cannot read it yet waits."""
    while True:
        try:
            return await identity(client, settings, clock)
        except (ApiError, HypershiftError, OSError) as error:
            log.warning("identity is not available", error=str(error))
        except Exception as error:  # noqa: BLE001 - one odd object does not keep all machines out
            log.error("identity could not be made", type=type(error).__name__)  # noqa: TRY400 - may hold a key
        await clock.sleep(1.0)


async def _refresh(
    client: Client, settings: Settings, clock: Clock, context: ssl.SSLContext, known: Identity
) -> None:
    while True:
        await clock.sleep(REFRESH)
        try:
            current = await identity(client, settings, clock)
            if current != known:
                load(context, current.serving)
                known = current
                log.info("serving certificate reloaded")
        except (ApiError, HypershiftError, OSError) as error:
            log.warning("identity was not refreshed", error=str(error))
        except Exception as error:  # noqa: BLE001 - the old certificate serves on
            log.error("identity could not be refreshed", type=type(error).__name__)  # noqa: TRY400 - may hold a key


def tls_context(pair: KeyPair) -> ssl.SSLContext:
    """TLS 1.2 and later, with forward secrecy."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.set_ciphers("ECDHE+AESGCM:ECDHE+CHACHA20")
    load(context, pair)
    return context


def load(context: ssl.SSLContext, pair: KeyPair) -> None:
    """Take up a certificate; new connections see it. The library reads keys from files alone."""
    with tempfile.TemporaryDirectory(prefix="ignition-") as directory:
        certificate, key = Path(directory, "tls.crt"), Path(directory, "tls.key")
        certificate.write_bytes(pair.certificate)
        key.touch(mode=0o600)
        key.write_bytes(pair.key.reveal())
        context.load_cert_chain(certificate, key)
