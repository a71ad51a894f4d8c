"""The HTTP side: machines ask `/ignition` with their token and get their configuration.

Nothing here logs or answers with a token, a header or a payload. A token that is not (yet) known
gets 511, which makes Ignition try again; a missing or broken one gets 401.
"""

import asyncio
import json
from typing import Final

import structlog
from aiohttp import web
from prometheus_client import CollectorRegistry, Counter, generate_latest

from hypershift.ignition import ConfigError, decode, token
from hypershift.kit import Clock, HypershiftError, Manifest, annotations_of, key_of
from hypershift.kube import ApiError, Client, kinds
from hypershift.servers.ignition.memory import Memory
from hypershift.servers.ignition.request import PATH, Ask, Unauthenticated, ask
from hypershift.servers.ignition.settings import Settings
from hypershift.servers.ignition.source import Releases, Source, admits, is_token

NOT_KNOWN: Final = 511
CONTENT_TYPE: Final = "application/json; charset=utf-8"
log = structlog.get_logger()


class Server:
    """Answers machines, out of what the API says at that moment."""

    def __init__(self, kube: Client, releases: Releases, settings: Settings, clock: Clock) -> None:
        """Serve the tokens that `kube` holds."""
        self._kube = kube
        self._source = Source(kube, releases, settings)
        seconds = settings.memory.total_seconds()
        self._secrets: Memory[Manifest | None] = Memory(clock, seconds)
        self._payloads: Memory[bytes] = Memory(clock, seconds)
        self._background: set[asyncio.Task[None]] = set()
        self._reached: set[str] = set()
        self.registry = CollectorRegistry()
        self._requests = Counter(
            "ign_server_get_request", "Requests for a payload", ["nodePool"], registry=self.registry
        )

    def app(self) -> web.Application:
        """The routes; whatever else is asked for is not there."""
        app = web.Application(client_max_size=1024)
        app.router.add_get("/healthz", self._healthy)
        app.router.add_get("/metrics", self._metrics)
        app.router.add_get("/{path:.*}", self._get)
        return app

    async def _healthy(self, _: web.Request) -> web.Response:
        return web.Response()

    async def _metrics(self, _: web.Request) -> web.Response:
        return web.Response(body=generate_latest(self.registry))

    async def _get(self, request: web.Request) -> web.Response:
        if not PATH.fullmatch(request.path):
            return web.Response(status=404)
        try:
            asked = ask(request.headers)
        except Unauthenticated:
            return web.Response(status=401)
        try:
            return await self._answer(asked)
        except (HypershiftError, ApiError) as error:
            log.warning("payload is not available", pool=str(asked.pool), error=str(error))
            return web.Response(status=NOT_KNOWN)

    async def _answer(self, asked: Ask) -> web.Response:
        place = (asked.pool, asked.config_hash)
        secret = await self._secrets.get(place, lambda: self._source.secret_of(asked))
        if secret is None or not is_token(secret) or not admits(secret, asked):
            return web.Response(status=NOT_KNOWN)
        metadata = secret["metadata"]
        version = (metadata.get("uid"), metadata.get("resourceVersion"))
        payload = await self._payloads.get(version, lambda: self._source.payload(secret))
        self._requests.labels(nodePool=str(asked.pool)).inc()
        if not is_ignition(payload):
            return web.Response(status=500)
        self._later(secret)
        return web.Response(body=payload, headers={"Content-Type": CONTENT_TYPE})

    def _later(self, secret: Manifest) -> None:
        """Note in the Secret that a machine got here, without making the machine wait for it."""
        uid = secret["metadata"].get("uid", "")
        if annotations_of(secret).get(token.REACHED) == "True" or uid in self._reached:
            return
        self._reached.add(uid)
        task = asyncio.ensure_future(self._mark(secret, uid))
        self._background.add(task)
        task.add_done_callback(self._background.discard)

    async def _mark(self, secret: Manifest, uid: str) -> None:
        key = key_of(secret)
        patch = {"metadata": {"annotations": {token.REACHED: "True"}}}
        try:
            await self._kube.patch(kinds.SECRET, key.name, patch, key.namespace)
        except ApiError as error:
            self._reached.discard(uid)
            log.warning("reaching the server was not noted", secret=str(key), error=str(error))


def is_ignition(payload: bytes) -> bool:
    """Whether a payload is a document that a machine can apply."""
    try:
        decode(payload)
    except (ConfigError, json.JSONDecodeError):
        return False
    return True
