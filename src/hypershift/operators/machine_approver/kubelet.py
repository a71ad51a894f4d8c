"""The certificate that a kubelet serves with right now, asked of the kubelet itself."""

import asyncio
import ssl

from cryptography import x509

from hypershift.kit import Manifest, TransientError

SECONDS = 30


class NotShown(TransientError):
    """No certificate was seen; the request has to be judged without."""


async def certificate(name: str, node: Manifest | None, bundle: str) -> x509.Certificate:
    """Connect as the API server would, and take what is presented if `bundle` vouches for it."""
    if not bundle:
        raise NotShown("no CA found: will not retrieve serving cert")
    if node is None:
        raise NotShown(f'nodes "{name}" not found')
    host, port = _endpoint(name, node)
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
        writer.close()


def _endpoint(name: str, node: Manifest) -> tuple[str, int]:
    status = node.get("status") or {}
    for one in status.get("addresses") or ():
        if one["type"] == "InternalIP":
            endpoint = (status.get("daemonEndpoints") or {}).get("kubeletEndpoint") or {}
            return one["address"], int(endpoint.get("Port") or 0)
    raise NotShown(f"node {name} has no internal addresses")


def authorities(bundle: str) -> tuple[x509.Certificate, ...]:
    """The certificates of a bundle; none when it cannot be read."""
    try:
        return tuple(x509.load_pem_x509_certificates(bundle.encode()))
    except ValueError:
        return ()
