"""Certificates of Sigstore: issued by its authority Fulcio to an identity, for ten minutes.

The pinned authority is Sigstore's public one, the same in its clients for Python, Go and npm.
"""

import functools
from datetime import datetime
from pathlib import Path

import msgspec
from cryptography import x509
from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import Prehashed
from cryptography.hazmat.primitives.serialization import load_der_public_key
from cryptography.x509.oid import ExtendedKeyUsageOID

from hypershift.parts.errors import SignatureRefused

TRUST_FILE = Path(__file__).parent / "sigstore.json"
#: Fulcio's extension for who vouched for the identity, as a UTF-8 string in DER.
_ISSUER = x509.ObjectIdentifier("1.3.6.1.4.1.57264.1.8")
_DER_UTF8, _DER_SHORT = 0x0C, 0x80


class Trust(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is believed: Fulcio's certificates, the issuing one first, and the log's public key."""

    fulcio: tuple[bytes, ...]
    rekor: bytes


@functools.cache
def pinned_trust() -> Trust:
    """The trust that is part of the program."""
    return msgspec.json.decode(TRUST_FILE.read_bytes(), type=Trust)


def read_certificate(der: bytes) -> x509.Certificate:
    """A certificate as it came."""
    try:
        return x509.load_der_x509_certificate(der)
    except ValueError as error:
        raise SignatureRefused("the certificate of the signature is damaged") from error


def check_certificate(
    certificate: x509.Certificate, trust: Trust, *, identity: str, issuer: str
) -> None:
    """See that Fulcio issued it for signing, to this identity, at this issuer's word.

    When it was used is for the caller to prove: it is past its end whenever we look.
    """
    _check_chain(certificate, trust)
    try:
        names = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
        usage = certificate.extensions.get_extension_for_class(x509.ExtendedKeyUsage).value
        vouched = certificate.extensions.get_extension_for_oid(_ISSUER).value
    except (x509.ExtensionNotFound, x509.DuplicateExtension, ValueError) as error:
        raise SignatureRefused("the certificate is none for signatures of Sigstore") from error
    found = [
        *names.get_values_for_type(x509.RFC822Name),
        *names.get_values_for_type(x509.UniformResourceIdentifier),
    ]
    if found != [identity] or len(names) != 1:
        raise SignatureRefused(f"the certificate is of {', '.join(found)[:200]}, not of {identity}")
    if not isinstance(vouched, x509.UnrecognizedExtension) or vouched.value != _der(issuer):
        raise SignatureRefused(f"the identity of the certificate is not at the word of {issuer}")
    if ExtendedKeyUsageOID.CODE_SIGNING not in usage:
        raise SignatureRefused("the certificate is not for signing")


def _check_chain(certificate: x509.Certificate, trust: Trust) -> None:
    authorities = [x509.load_der_x509_certificate(each) for each in trust.fulcio]
    issued = certificate
    for authority in authorities:
        try:
            issued.verify_directly_issued_by(authority)
        except (ValueError, TypeError, InvalidSignature, UnsupportedAlgorithm) as error:
            raise SignatureRefused("the certificate is not one of Sigstore's authority") from error
        if not is_valid_at(authority, certificate.not_valid_before_utc):
            raise SignatureRefused("the certificate is from after the end of its authority")
        issued = authority


def is_valid_at(certificate: x509.Certificate, moment: datetime) -> bool:
    """True if a moment lies in a certificate's time."""
    return certificate.not_valid_before_utc <= moment <= certificate.not_valid_after_utc


def check_signature(certificate: x509.Certificate, signature: bytes, sha256: bytes) -> None:
    """See that the certificate's key signed what has this digest."""
    check_by(certificate.public_key(), signature, sha256)


def check_by(key: object, signature: bytes, sha256: bytes) -> None:
    """See that an elliptic key signed what has this digest."""
    if not isinstance(key, ec.EllipticCurvePublicKey):
        raise SignatureRefused("the signature is of another kind than Sigstore's")
    try:
        key.verify(signature, sha256, ec.ECDSA(Prehashed(hashes.SHA256())))
    except InvalidSignature as error:
        raise SignatureRefused("the signature is not valid: it is of other bytes") from error


def public_key(der: bytes) -> object:
    """A pinned public key."""
    return load_der_public_key(der)


def _der(text: str) -> bytes:
    raw = text.encode()
    assert len(raw) < _DER_SHORT, "declared issuers are short"  # noqa: S101 - a constant of ours
    return bytes((_DER_UTF8, len(raw))) + raw
