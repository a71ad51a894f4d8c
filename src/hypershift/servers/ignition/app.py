"""The HTTP side: machines ask `/ignition` with their token and get their configuration.

Nothing here logs or answers with a token, a header or a payload. A token that is not (yet) known
gets 511, which makes Ignition try again; a missing or broken one gets 401.
"""

import json
from dataclasses import dataclass
from typing import Final

import structlog
from aiohttp import web
from prometheus_client import CollectorRegistry, Counter, generate_latest

from hypershift.ignition import ConfigError, decode
from hypershift.kit import Clock, HypershiftError, Key, Manifest
from hypershift.kit.buckets import Buckets
from hypershift.kube import ApiError, Client
from hypershift.release import Lookup
from hypershift.servers.ignition.memory import Memory
from hypershift.servers.ignition.notes import Notes
from hypershift.servers.ignition.request import PATH, PayloadRequest, Unauthenticated, read_request
from hypershift.servers.ignition.settings import Settings
from hypershift.servers.ignition.source import Source, admits, has_expired, is_token

NOT_KNOWN: Final = 511
#: Ignition tries again after any 5xx, and gives up after 429.
TOO_MANY: Final = 503
#: How many questions about unknown tokens one address may ask: at once, and seconds between more.
#: All machines of a cluster may come from one address of a load balancer.
BURST, EVERY = 1000, 0.01
MOST_GOOD = 10_000
CONTENT_TYPE: Final = "application/json; charset=utf-8"
log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Payload:
    """A document for machines, and whether one could apply it."""

    body: bytes
    valid: bool


class Server:
    """Answers machines from the current state of the API."""

    def __init__(self, kube: Client, releases: Lookup, settings: Settings, clock: Clock) -> None:
        """Serve the tokens that `kube` holds."""
        self._source, self._clock = Source(kube, releases, settings), clock
        seconds = settings.memory.total_seconds()
        self._secrets: Memory[Manifest | None] = Memory(clock, seconds)
        self._payloads: Memory[Payload] = Memory(clock, seconds)
        self._sources = Buckets(BURST, EVERY)
        self._good: dict[tuple[Key | None, str], None] = {}  # places whose token was once shown
        self._notes = Notes(kube, clock)
        self.registry = CollectorRegistry()
        self._requests = Counter(
            "ign_server_get_request", "Requests for a payload", ["nodePool"], registry=self.registry
        )

    def app(self) -> web.Application:
        """The routes; every other path is answered with 404."""
        app = web.Application(client_max_size=1024)
        app.router.add_get("/healthz", self._healthy)
        app.router.add_route("*", "/{path:.*}", self._get)
        return app

    def metrics(self) -> bytes:
        """The figures, for the door that machines do not see."""
        return generate_latest(self.registry)

    async def _healthy(self, _: web.Request) -> web.Response:
        return web.Response()

    async def _get(self, request: web.Request) -> web.Response:
        if request.method != "GET" or not PATH.fullmatch(request.path):
            return web.Response(status=404)
        try:
            asked = read_request(request.headers)
        except Unauthenticated:
            return web.Response(status=401)
        try:
            if self._is_flood(asked, request.remote or ""):
                return web.Response(status=TOO_MANY)
            return await self._answer(asked)
        except (HypershiftError, ApiError) as error:
            log.warning("payload is not available", pool=str(asked.pool), error=str(error))
        except Exception as error:  # noqa: BLE001 - a machine tries again, whatever surprised us
            # The text of the error could hold a secret, so only its type is shown.
            kind = type(error).__name__
            log.error("payload could not be made", pool=str(asked.pool), type=kind)  # noqa: TRY400 - see above
        return web.Response(status=NOT_KNOWN)

    def _is_flood(self, asked: PayloadRequest, source: str) -> bool:
        """True if an address asks for more unknown tokens than machines would.

        Machines of a pool that was served before are never cut off by a flood beside them.
        """
        if (asked.pool, asked.config_hash) in self._good:
            return False
        return not self._sources.take(source, self._clock.monotonic())

    def _remember(self, place: tuple[Key | None, str]) -> None:
        self._good[place] = None
        while len(self._good) > MOST_GOOD:
            self._good.pop(next(iter(self._good)))

    async def _answer(self, asked: PayloadRequest) -> web.Response:
        place = (asked.pool, asked.config_hash)
        secret = await self._secrets.get(place, lambda: self._source.secret_of(asked))
        if secret is None or not is_token(secret) or has_expired(secret, self._clock.now()):
            return web.Response(status=NOT_KNOWN)
        if not admits(secret, asked):
            self._notes.refused(secret)
            return web.Response(status=NOT_KNOWN)
        self._remember(place)
        metadata = secret["metadata"]
        version = (metadata.get("uid"), metadata.get("resourceVersion"))
        payload = await self._payloads.get(version, lambda: self._payload(secret))
        if not asked.preview:
            self._requests.labels(nodePool=str(asked.pool)).inc()
        if not payload.valid:
            self._notes.refused(secret)
            return web.Response(status=500)
        if not asked.preview:
            self._notes.reached(secret)
        return web.Response(body=payload.body, headers={"Content-Type": CONTENT_TYPE})

    async def _payload(self, secret: Manifest) -> Payload:
        body = await self._source.payload(secret)
        return Payload(body, is_ignition(body))


def is_ignition(payload: bytes) -> bool:
    """Whether a payload is a document that a machine can apply."""
    try:
        decode(payload)
    except (ConfigError, json.JSONDecodeError):
        return False
    return True
