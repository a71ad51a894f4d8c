"""Files that are signed alone: `cosign sign-blob` publishes a signature and a certificate.

What the two prove without the log: Fulcio gave the key to this identity, and that key signed these
bytes. When it did is not proven, and neither that it is in the log (ADR 39).
"""

import binascii
from base64 import b64decode

from hypershift.parts.errors import SignatureRefused
from hypershift.parts.signature.fulcio import (
    Trust,
    check_certificate,
    check_signature,
    read_certificate,
)
from hypershift.parts.signing import Keyless

_BEGIN, _END = b"-----BEGIN CERTIFICATE-----", b"-----END CERTIFICATE-----"


def check_keyless(
    signature: bytes, certificate: bytes, sha256: str, signed: Keyless, trust: Trust
) -> str:
    """See that the declared identity signed the file with this digest; returns the identity."""
    leaf = read_certificate(_der_of(certificate))
    check_certificate(leaf, trust, identity=signed.identity, issuer=signed.issuer)
    if leaf.not_valid_before_utc.date() < signed.since:
        raise SignatureRefused(
            f"the certificate is of {leaf.not_valid_before_utc:%Y-%m-%d}, from before the release"
        )
    check_signature(leaf, _decoded(signature), bytes.fromhex(sha256))
    return signed.identity


def _der_of(document: bytes) -> bytes:
    """The one certificate of a document: PEM, or PEM in base64 again, as cosign writes it."""
    text = document.strip()
    if not text.startswith(_BEGIN):
        text = _decoded(text).strip()
    if not text.startswith(_BEGIN) or not text.endswith(_END) or text.count(_BEGIN) != 1:
        raise SignatureRefused("the certificate of the signature is damaged")
    return _decoded(text.removeprefix(_BEGIN).removesuffix(_END))


def _decoded(text: bytes) -> bytes:
    try:
        return b64decode(b"".join(text.split()), validate=True)
    except binascii.Error as error:
        raise SignatureRefused("the signature is damaged") from error
