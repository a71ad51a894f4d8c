"""Entries of Rekor, Sigstore's log: when it took a signature, by its own signed promise.

The promise says that the log holds the entry; that it really does is not asked of the log here.
"""

import hashlib
from base64 import b64encode
from datetime import UTC, datetime

import msgspec
from cryptography import x509

from hypershift.parts.errors import SignatureRefused
from hypershift.parts.signature.fulcio import Trust, check_by, public_key


class LogId(msgspec.Struct, frozen=True, rename="camel"):
    """Which log: the digest of its public key."""

    key_id: bytes


class Promise(msgspec.Struct, frozen=True, rename="camel"):
    """The log's signature over an entry and its time."""

    signed_entry_timestamp: bytes


class Entry(msgspec.Struct, frozen=True, rename="camel"):
    """One entry, as a bundle has it: numbers are strings there."""

    log_index: str
    log_id: LogId
    integrated_time: str
    inclusion_promise: Promise
    canonicalized_body: bytes


class _Hash(msgspec.Struct, frozen=True):
    algorithm: str
    value: str


class _Signature(msgspec.Struct, frozen=True):
    signature: bytes
    verifier: bytes


class _Spec(msgspec.Struct, frozen=True, rename="camel"):
    payload_hash: _Hash
    signatures: tuple[_Signature, ...]


class _Body(msgspec.Struct, frozen=True, rename="camel"):
    api_version: str
    kind: str
    spec: _Spec


def logged_at(
    entry: Entry, trust: Trust, *, payload: bytes, signature: bytes, certificate: x509.Certificate
) -> datetime:
    """When the log took this very signature of this payload; raises if it did not."""
    moment = _promised(entry, trust)
    try:
        body = msgspec.json.decode(entry.canonicalized_body, type=_Body)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise SignatureRefused("the log's entry is not one of an attestation") from error
    if (body.kind, body.api_version) != ("dsse", "0.0.1"):
        raise SignatureRefused("the log's entry is not one of an attestation")
    digest = _Hash("sha256", hashlib.sha256(payload).hexdigest())
    logged = [(each.signature, _certificate(each.verifier)) for each in body.spec.signatures]
    if body.spec.payload_hash != digest or logged != [(signature, certificate)]:
        raise SignatureRefused("the log's entry is of another signature")
    return moment


def _certificate(pem: bytes) -> x509.Certificate | None:
    try:
        return x509.load_pem_x509_certificate(pem)
    except ValueError:
        return None


def _promised(entry: Entry, trust: Trust) -> datetime:
    """The time of an entry, if the log signed it."""
    log = hashlib.sha256(trust.rekor).digest()
    if entry.log_id.key_id != log:
        raise SignatureRefused("the signature is in another log than Sigstore's")
    try:
        seconds, index = int(entry.integrated_time), int(entry.log_index)
        moment = datetime.fromtimestamp(seconds, UTC)
    except (ValueError, OverflowError, OSError) as error:
        raise SignatureRefused("the log's entry is damaged") from error
    # The log signs this as canonical JSON: sorted by name, without spaces.
    said = {
        "body": b64encode(entry.canonicalized_body).decode(),
        "integratedTime": seconds,
        "logID": log.hex(),
        "logIndex": index,
    }
    digest = hashlib.sha256(msgspec.json.encode(said, order="sorted")).digest()
    check_by(public_key(trust.rekor), entry.inclusion_promise.signed_entry_timestamp, digest)
    return moment
