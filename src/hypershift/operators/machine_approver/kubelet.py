"""Reads the certificate that a kubelet serves with, from the kubelet itself.

Address, port and authorities come from the management side: a hosted cluster's administrators can
write any address into a Node object.
"""

import asyncio
import ipaddress
import ssl

from cryptography import x509

from hypershift.kit import Manifest, TransientError

SECONDS = 10
PORT = 10250


class NotShown(TransientError):
    """No certificate was seen; the request has to be judged without."""


async def certificate(host: str, bundle: str, port: int = PORT) -> x509.Certificate:
    """Connect as the API server would, and take what is presented if `bundle` vouches for it."""
    if not bundle:
        raise NotShown("no CA found: will not retrieve serving cert")
    try:
        context = ssl.create_default_context(cadata=bundle)
        async with asyncio.timeout(SECONDS):
            _, writer = await asyncio.open_connection(host, port, ssl=context, server_hostname=host)
    except ssl.SSLError as error:
        raise NotShown(f"tls: failed to verify certificate: {error}") from error
    except (OSError, TimeoutError) as error:
        raise NotShown(f"dial tcp {host}:{port}: {error}") from error
    try:
        shown: ssl.SSLObject = writer.get_extra_info("ssl_object")
        return x509.load_der_x509_certificate(shown.getpeercert(binary_form=True) or b"")
    finally:
        writer.transport.abort()  # do not wait for the kubelet to close the connection


def address_of(name: str, machine: Manifest | None) -> str:
    """The internal address of a node's Machine, if it is one that a machine can have."""
    if machine is None:
        raise NotShown(f"node {name} has no machine")
    for one in (machine.get("status") or {}).get("addresses") or ():
        if one.get("type") == "InternalIP" and _is_of_machine(str(one.get("address", ""))):
            return str(one["address"])
    raise NotShown(f"the machine of node {name} has no internal addresses")


def _is_of_machine(text: str) -> bool:
    try:
        found = ipaddress.ip_address(text)
    except ValueError:
        return False
    mapped = getattr(found, "ipv4_mapped", None) or found
    return not (
        mapped.is_loopback or mapped.is_link_local or mapped.is_multicast or mapped.is_unspecified
    )


def authorities(bundle: str) -> tuple[x509.Certificate, ...]:
    """The certificates of a bundle; none when it cannot be read."""
    try:
        return tuple(x509.load_pem_x509_certificates(bundle.encode()))
    except ValueError:
        return ()
