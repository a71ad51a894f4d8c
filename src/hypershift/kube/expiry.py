"""Until when a certificate is valid, read from its bytes alone.

A client asks nothing else of certificates, and the library for all the rest costs every process
that talks to an API server its memory and a tenth of a second.
"""

import base64
from collections.abc import Iterator
from datetime import UTC, datetime

_BEGIN, _END = b"-----BEGIN CERTIFICATE-----", b"-----END CERTIFICATE-----"
_VERSION, _UTC_TIME, _GENERALIZED_TIME = 0xA0, 0x17, 0x18
_LONG = 0x80
#: Behind the version: serial number, algorithm, issuer, validity.
_VALIDITY = 3
_CENTURY = 50  # a year of two digits below this one belongs to this century (RFC 5280)


def not_after(pem: bytes) -> datetime:
    """The last moment of the first certificate in a PEM text; ValueError when there is none."""
    # No regular expression: one would look for the end again from each of many beginnings.
    block, end, _ = pem.partition(_BEGIN)[2].partition(_END)
    if not block or not end:
        raise ValueError("no certificate")
    try:
        certificate = next(_elements(base64.b64decode(block)))[1]
        fields = list(_elements(next(_elements(certificate))[1]))
        if fields[0][0] == _VERSION:
            fields.pop(0)
        _, (kind, text) = _elements(fields[_VALIDITY][1])
    except (IndexError, StopIteration) as error:
        raise ValueError("not a certificate") from error
    return _moment(kind, text.decode("ascii"))


def _elements(der: bytes) -> Iterator[tuple[int, bytes]]:
    """Tag and content of the elements that stand one after the other."""
    at = 0
    while at < len(der):
        tag, length = der[at], der[at + 1]
        at += 2
        if length & _LONG:
            size = length & ~_LONG
            length = int.from_bytes(der[at : at + size])
            at += size
        yield tag, der[at : at + length]
        at += length


def _moment(kind: int, text: str) -> datetime:
    if kind == _UTC_TIME:
        century = "20" if int(text[:2]) < _CENTURY else "19"
        text = century + text
    elif kind != _GENERALIZED_TIME:
        raise ValueError("not a certificate")
    return datetime.strptime(text, "%Y%m%d%H%M%SZ").replace(tzinfo=UTC)
