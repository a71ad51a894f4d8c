"""Ask a hosted API server through the address that its users have, not through a side door."""

import asyncio
import re
import socket
import ssl
from collections.abc import Awaitable, Callable, Mapping
from functools import lru_cache

import aiohttp

from hypershift.api.hosted_control_plane import HostedControlPlaneSpec
from hypershift.api.publishing import hostname, is_public, published_by, uses_shared_ingress
from hypershift.api.values import PublishingStrategyType, ServiceType
from hypershift.api.well_known import HTTPS_PORT, KUBE_APISERVER, ROUTER
from hypershift.kit import Manifest
from hypershift.kube.services import load_balancer_address
from hypershift.operators.controlplane.rules.infrastructure import shared_ingress_address
from hypershift.operators.controlplane.rules.services import api_port, api_service

TIMEOUT = 10.0
RESOLVE_TIMEOUT = 1.0
SUCCESS = 200
#: The verbose answer of a health check has some 5 KiB; a foreign server may send any amount.
MOST = 64 << 10
MOST_CHECKS = 20
_CHECK = re.compile(r"\[-\]([A-Za-z0-9./_-]{1,100}) failed:")
#: The one name that the API server's own certificate always has. A client that asks for it never
#: gets a certificate of the user's: those may not have a name of ours.
SERVER_NAME = "kubernetes.default.svc"
#: Host, port, the authority of the cluster (PEM) and the name to ask for, to what is wrong there.
Check = Callable[[str, int, str, str], Awaitable[str]]
#: A name, to why it leads nowhere.
Resolve = Callable[[str], Awaitable[str]]


def health_address(
    spec: HostedControlPlaneSpec,
    namespace: str,
    services: Mapping[str, Manifest],
    annotations: Mapping[str, str],
) -> tuple[str, int]:
    """Where to ask: behind a name that users have, since their DNS may not be ours.

    Nowhere for an API server on ports of nodes, which need not be reachable from here.
    """
    name, port = api_service(spec, annotations)
    if not is_public(spec):
        return f"{KUBE_APISERVER}.{namespace}.svc", api_port(spec)
    if published_by(spec, ServiceType.API_SERVER, PublishingStrategyType.LOAD_BALANCER):
        return load_balancer_address(services.get(name)), port
    if published_by(spec, ServiceType.API_SERVER, PublishingStrategyType.ROUTE):
        if uses_shared_ingress(spec, annotations):
            return shared_ingress_address(services), HTTPS_PORT
        # The router sends requests for unknown names to the API server.
        return load_balancer_address(services.get(ROUTER)), HTTPS_PORT
    return "", 0


def server_name(spec: HostedControlPlaneSpec, annotations: Mapping[str, str]) -> str:
    """The name to ask for: behind an address that clusters share it has to be this cluster's."""
    if uses_shared_ingress(spec, annotations):
        return hostname(spec, ServiceType.API_SERVER)
    return SERVER_NAME


async def resolve(host: str) -> str:
    """Return why a name leads nowhere, as seen from here; empty when it leads somewhere."""
    try:
        async with asyncio.timeout(RESOLVE_TIMEOUT):
            await asyncio.get_running_loop().getaddrinfo(host, None, type=socket.SOCK_STREAM)
    except TimeoutError:
        return f"lookup {host}: i/o timeout"
    except OSError:
        return f"lookup {host}: no such host"
    return ""


async def check_endpoint(host: str, port: int, authority: str, name: str = SERVER_NAME) -> str:
    """Return why the API server of this cluster does not answer there; empty when it does.

    The server must show a certificate of the cluster's own authority: after an address moved, the
    API server of another cluster may answer there.
    """
    shown = f"[{host}]" if ":" in host else host
    url = f"https://{shown}:{port}/healthz?verbose"
    timeout = aiohttp.ClientTimeout(total=TIMEOUT)
    try:
        trust = _trusting(authority)
    except (ssl.SSLError, ValueError):
        return f"health check to APIServer endpoint {host} failed: root-ca has no certificate"
    try:
        async with (
            aiohttp.ClientSession(timeout=timeout, auto_decompress=False) as session,
            session.get(url, ssl=trust, server_hostname=name, allow_redirects=False) as answer,
        ):
            status, body = answer.status, await _beginning(answer)
    except (aiohttp.ClientError, OSError) as error:
        return f"health check to APIServer endpoint {host} failed: {_failure_text(error)}"
    if status == SUCCESS:
        return ""
    failing = ", ".join(failing_checks(body))
    told = f": failing health checks: {failing}" if failing else ""
    return f"APIServer endpoint {host} is not healthy (status {status}){told}"


async def _beginning(answer: aiohttp.ClientResponse) -> str:
    """As much of an answer as a health check has."""
    if answer.status == SUCCESS:
        return ""  # nothing of it is read
    body = bytearray()
    async for chunk in answer.content.iter_any():
        body += chunk
        if len(body) >= MOST:
            break
    return bytes(body[:MOST]).decode(errors="replace")


def failing_checks(body: str) -> list[str]:
    """The names of the checks that an API server's verbose answer marks as failed."""
    found = (_CHECK.match(line) for line in body.splitlines())
    return [one.group(1) for one in found if one][:MOST_CHECKS]


def _failure_text(error: Exception) -> str:
    """Why a connection failed, with the same text every time, because it becomes a condition."""
    if isinstance(error, aiohttp.ClientConnectorCertificateError):
        return "certificate is not one of this cluster"
    if isinstance(error, aiohttp.ClientConnectorError):
        return error.os_error.strerror or type(error.os_error).__name__
    return (isinstance(error, OSError) and error.strerror) or type(error).__name__


@lru_cache(maxsize=256)
def _trusting(authority: str) -> ssl.SSLContext:
    """What trusts one authority and no other; kept, since a pass asks every minute."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.load_verify_locations(cadata=authority)
    return context
