"""Getting a configuration from where it is: following references, inside the machine's network."""

import ssl
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from http.client import HTTPException
from http.client import responses as PHRASES  # noqa: N812 - a table of constants, named so by us
from typing import Final
from urllib.parse import urlsplit

import msgspec

from hypershift.ignition import (
    Config,
    ConfigError,
    File,
    Header,
    Ignition,
    Resource,
    decode,
    inline,
    inline_contents,
    merge,
    unpacked,
    without_references,
)
from hypershift.kit import TransientError, no_proxy

Say = Callable[[str], None]
Pause = Callable[[float], None]

#: References within references end somewhere.
MAX_DEPTH: Final = 10
MAX_BYTES: Final = 64 * 1024 * 1024
#: Seconds between attempts: short where a server is starting, long where it refuses.
FIRST_PAUSE: Final = 0.2
LONGEST_PAUSE: Final = 5.0
REFUSED_PAUSE: Final = 10.0
ATTEMPT: Final = 30.0
HTTP_PORT: Final = 80
HTTPS_PORT: Final = 443
_CLIENT_ERROR: Final = 400
_SERVER_ERROR: Final = 500
ACCEPT: Final = "application/vnd.coreos.ignition+json;version=3.2.0, */*;q=0.1"


class Fetcher:
    """Fetches sources until it has them; logs every failed attempt, without secrets."""

    def __init__(
        self, say: Say, pause: Pause = time.sleep, now: Callable[[], float] = time.monotonic
    ) -> None:
        self._say = say
        self._pause = pause
        self._now = now
        self._authorities: list[str] = []

    def trust(self, authority: bytes) -> None:
        """Accept servers that this authority vouches for, beside the system's."""
        self._authorities.append(authority.decode())

    def contents(self, resource: Resource, path: str, ignition: Ignition) -> bytes:
        """The content of a resource."""
        source = resource.source or "data:,"
        if source.startswith("data:"):
            return unpacked(resource, inline_contents(source, path), path)
        return unpacked(resource, self._persist(source, resource.http_headers, ignition), path)

    def _persist(self, url: str, headers: tuple[Header, ...], ignition: Ignition) -> bytes:
        pause, attempt, began = FIRST_PAUSE, 0, self._now()
        while True:
            attempt += 1
            try:
                body = self._get(url, headers, ignition)
            except urllib.error.HTTPError as error:
                error.close()
                reason = f"HTTP {error.code} {PHRASES.get(error.code, '')}".strip()
                refused = _CLIENT_ERROR <= error.code < _SERVER_ERROR
            except (OSError, HTTPException) as error:
                reason, refused = str(getattr(error, "reason", error)), False
            else:
                self._say(f"ignition: GET {_public(url)}: {len(body)} bytes (attempt {attempt})")
                return body
            self._say(f"ignition: GET {_public(url)} failed (attempt {attempt}): {reason}")
            if 0 < (ignition.timeouts.http_total or 0) < self._now() - began:
                raise TransientError(f"GET {_public(url)} took too long: {reason}")
            self._pause(REFUSED_PAUSE if refused else pause)
            pause = min(pause * 2, LONGEST_PAUSE)

    def _get(self, url: str, headers: tuple[Header, ...], ignition: Ignition) -> bytes:
        context = ssl.create_default_context()
        for authority in self._authorities:
            context.load_verify_locations(cadata=authority)
        opener = urllib.request.build_opener(
            urllib.request.ProxyHandler(proxies(url, ignition)),
            urllib.request.HTTPSHandler(context=context),
        )
        own = {"Accept": ACCEPT, "User-Agent": "Ignition/2.20.0"}
        wanted = own | {header.name: header.value for header in headers if header.value is not None}
        request = urllib.request.Request(url, headers=wanted)  # noqa: S310 - schemes were checked
        timeout = ignition.timeouts.http_response_headers or ATTEMPT
        with opener.open(request, timeout=timeout) as answer:
            body: bytes = answer.read(MAX_BYTES + 1)
        if len(body) > MAX_BYTES:
            raise OSError(f"more than {MAX_BYTES} bytes")
        return body


def resolve(config: Config, fetcher: Fetcher, depth: int = 0) -> Config:
    """The whole configuration: references fetched and laid over it, contents all inline."""
    if depth > MAX_DEPTH:
        raise ConfigError(f"more than {MAX_DEPTH} references deep", path="$.ignition.config")
    tls = config.ignition.security.tls.certificate_authorities
    for at, authority in enumerate(tls):
        path = f"$.ignition.security.tls.certificateAuthorities[{at}]"
        fetcher.trust(fetcher.contents(authority, path, config.ignition))
    references = config.ignition.config
    if references.replace.source is not None:
        replace = fetcher.contents(references.replace, "$.ignition.config.replace", config.ignition)
        return resolve(decode(replace), fetcher, depth + 1)
    whole = _inlined(without_references(config), fetcher)
    for at, reference in enumerate(references.merge):
        path = f"$.ignition.config.merge[{at}]"
        child = decode(fetcher.contents(reference, path, config.ignition))
        whole = merge(whole, resolve(child, fetcher, depth + 1))
    return whole


def proxies(url: str, ignition: Ignition) -> dict[str, str]:
    """The proxy for a URL, by scheme; empty when it is reached directly."""
    target = urlsplit(url)
    proxy = ignition.proxy
    port = target.port or (HTTPS_PORT if target.scheme == "https" else HTTP_PORT)
    if no_proxy.exempts(",".join(proxy.no_proxy), target.hostname or "", port):
        return {}
    chosen = proxy.https_proxy if target.scheme == "https" else proxy.http_proxy
    return {target.scheme: chosen} if chosen else {}


def _inlined(config: Config, fetcher: Fetcher) -> Config:
    def inner(resource: Resource, path: str) -> Resource:
        if resource.source is None or resource.source.startswith("data:"):
            return resource
        return inline(fetcher.contents(resource, path, config.ignition))

    def file(one: File) -> File:
        append = tuple(inner(part, f"{one.path} append") for part in one.append)
        contents = inner(one.contents, one.path)
        return msgspec.structs.replace(one, contents=contents, append=append)

    files = tuple(file(one) for one in config.storage.files)
    storage = msgspec.structs.replace(config.storage, files=files)
    return msgspec.structs.replace(config, storage=storage)


def _public(url: str) -> str:
    """A URL without what may be secret in it."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.hostname}{f':{parts.port}' if parts.port else ''}{parts.path}"
