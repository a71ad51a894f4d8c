"""Ask a hosted API server through the address that its users have, not through a side door."""

import ssl
from collections.abc import Awaitable, Callable

import aiohttp

TIMEOUT = 10.0
SUCCESS = 200
Check = Callable[[str, int], Awaitable[str]]


async def check_endpoint(host: str, port: int) -> str:
    """Say why nobody healthy answers at the address; empty when somebody does.

    No credentials are sent and nothing is read but the status, so the certificate need not be
    known here: the user may have chosen one that only clients trust.
    """
    shown = f"[{host}]" if ":" in host else host
    url = f"https://{shown}:{port}/healthz"
    timeout = aiohttp.ClientTimeout(total=TIMEOUT)
    try:
        async with (
            aiohttp.ClientSession(timeout=timeout) as session,
            session.get(url, ssl=_unverified()) as answer,
        ):
            status = answer.status
    except (aiohttp.ClientError, OSError) as error:
        return f"{url} is not reachable: {str(error) or type(error).__name__}"
    return "" if status == SUCCESS else f"{url} answers {status}"


def _unverified() -> ssl.SSLContext:
    context = ssl.create_default_context()
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    return context
