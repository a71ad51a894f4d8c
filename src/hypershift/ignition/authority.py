"""The Secret of an ignition server's authority: its name, its keys and what it tells others."""

from typing import Final

from hypershift.kit import Manifest, data_of

NAME: Final = "ignition-server-ca-cert"
CERT: Final = "tls.crt"
KEY: Final = "tls.key"
#: The predecessor's certificate, while machines trust both.
OLD: Final = "old.crt"
#: The replacement that was followed last.
REQUEST: Final = "request"


def trusted(secret: Manifest) -> bytes:
    """The certificates (PEM) that machines are given to trust."""
    return data_of(secret, CERT) + data_of(secret, OLD)


def has_followed(secret: Manifest, request: str) -> bool:
    """Whether a request to replace the authority is done: nothing trusts the old one."""
    return data_of(secret, REQUEST).decode() == request and not data_of(secret, OLD)
