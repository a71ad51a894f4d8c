"""HTTP clients of one transport: one for each registry, and for each reach beyond it."""

import urllib.request
from dataclasses import dataclass
from urllib.parse import urlsplit

import aiohttp

from hypershift.oci.trust import Guard, Reach

BUFFER = 1 << 20
CONNECT_SECONDS, READ_SECONDS = 10, 60


@dataclass(frozen=True, slots=True)
class Client:
    """A client, and the guard that its connections pass."""

    session: aiohttp.ClientSession
    guard: Guard


class Sessions:
    """Clients by registry and reach.

    A connection that was opened with a wide reach is never used again with a narrow one.
    """

    def __init__(self) -> None:
        self._clients: dict[tuple[str, Reach], Client] = {}

    def find(self, host: str, reach: Reach) -> Client:
        """The client for a registry; foreign hosts share one under the empty name."""
        key = (host, reach)
        if key not in self._clients:
            guard = Guard(reach)
            connector = aiohttp.TCPConnector(socket_factory=guard, use_dns_cache=False)
            # Credentials of a .netrc are not meant for registries, and the proxy is chosen below.
            session = aiohttp.ClientSession(
                connector=connector, trust_env=False, read_bufsize=BUFFER, auto_decompress=False
            )
            self._clients[key] = Client(session, guard)
        return self._clients[key]

    async def close(self) -> None:
        """Close every connection."""
        for client in self._clients.values():
            await client.session.close()


def request_timeout(total: float) -> aiohttp.ClientTimeout:
    """How long one request may take, from its start to the last byte of its answer."""
    return aiohttp.ClientTimeout(
        total=total, sock_connect=CONNECT_SECONDS, sock_read=min(READ_SECONDS, total)
    )


def proxy_for(url: str) -> str | None:
    """The proxy that the environment names for an address; it is the operator's."""
    parts = urlsplit(url)
    host = parts.hostname or ""
    if urllib.request.proxy_bypass(host):
        return None
    proxies = urllib.request.getproxies()
    return proxies.get(parts.scheme) or proxies.get("all")
