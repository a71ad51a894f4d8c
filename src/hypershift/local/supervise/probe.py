"""Looks whether a unit serves, with nothing but the standard library."""

import asyncio
import ssl

from hypershift.local.units.unit import Probe

TIMEOUT = 2.0
STATUS_WORD = 1


async def serves(probe: Probe) -> bool:
    """Whether the probe's request is answered with 200, or its port accepts when it has no path."""
    try:
        return await asyncio.wait_for(_ask(probe), TIMEOUT)
    except (OSError, TimeoutError, ssl.SSLError, asyncio.IncompleteReadError):
        return False


async def _ask(probe: Probe) -> bool:
    context = _context(probe) if probe.tls and probe.path else None
    reader, writer = await asyncio.open_connection(probe.host, probe.port, ssl=context)
    try:
        if not probe.path:
            return True
        request = f"GET {probe.path} HTTP/1.1\r\nHost: {probe.host}\r\nConnection: close\r\n\r\n"
        writer.write(request.encode())
        status = (await reader.readline()).split()
        return len(status) > STATUS_WORD and status[STATUS_WORD] == b"200"
    finally:
        writer.close()


def _context(probe: Probe) -> ssl.SSLContext:
    # Not the default context, which reads a hundred authorities of the system each time.
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    if probe.ca is None:
        # A self-made certificate on our own loopback address: does it live at all?
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
    else:
        context.load_verify_locations(probe.ca)
    if probe.certificate is not None:
        context.load_cert_chain(probe.certificate, probe.key)
    return context
