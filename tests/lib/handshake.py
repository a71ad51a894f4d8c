"""A TLS handshake in memory: whether two parties with these files would talk to each other."""

import ssl
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

ROUNDS = 6


def shakes(
    server: Mapping[str, bytes], client: Mapping[str, bytes], name: str, stem: str = "tls"
) -> str:
    """Why a client does not get through to a server that asks for certificates; empty if it does.

    Both have `crt`, `key` and `trust`, all PEM.
    """
    inside = _context(ssl.PROTOCOL_TLS_SERVER, server)
    inside.verify_mode = ssl.CERT_REQUIRED
    outside = _context(ssl.PROTOCOL_TLS_CLIENT, client)
    to_server, to_client = ssl.MemoryBIO(), ssl.MemoryBIO()
    one = inside.wrap_bio(to_server, to_client, server_side=True)
    other = outside.wrap_bio(to_client, to_server, server_hostname=name)
    try:
        for _ in range(ROUNDS):
            for party in (other, one):
                with suppress(ssl.SSLWantReadError):
                    party.do_handshake()
        # TLS 1.3 tells a client that it was refused with its first answer.
        one.write(stem.encode())
        other.read(1)
    except ssl.SSLError as error:
        return str(error)
    return ""


def _context(side: int, files: Mapping[str, bytes]) -> ssl.SSLContext:
    context = ssl.SSLContext(side)
    context.load_verify_locations(cadata=files["trust"].decode())
    with tempfile.TemporaryDirectory() as folder:
        certificate, key = (Path(folder) / part for part in ("crt", "key"))
        for path in (certificate, key):
            path.write_bytes(files[path.name])
        context.load_cert_chain(certificate, key)
    return context
