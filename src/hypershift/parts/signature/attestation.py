"""Attestations of GitHub: a workflow's signed statement of the files that it built.

bundle      one or more lines of JSON, each with certificate, entry of the log, and envelope
envelope    a statement and the signature over it (DSSE)
statement   the files by name and checksum (in-toto), and how they were built
"""

import hashlib
from typing import TypeVar

import msgspec

from hypershift.parts.errors import SignatureRefused
from hypershift.parts.signature.fulcio import (
    Trust,
    check_certificate,
    check_signature,
    is_valid_at,
    read_certificate,
)
from hypershift.parts.signature.rekor import Entry, logged_at
from hypershift.parts.signing import Attestation

_BUNDLE = "application/vnd.dev.sigstore.bundle.v0.3+json"
_PAYLOAD = "application/vnd.in-toto+json"
_STATEMENT = "https://in-toto.io/Statement/v1"
_PREDICATE = "https://slsa.dev/provenance/v1"
#: A workflow attests all files of a release at once, or each by itself.
_MOST_LINES = 64

_T = TypeVar("_T")


class _Certificate(msgspec.Struct, frozen=True, rename="camel"):
    raw_bytes: bytes


class _Material(msgspec.Struct, frozen=True, rename="camel"):
    certificate: _Certificate
    tlog_entries: tuple[Entry, ...]


class _Signature(msgspec.Struct, frozen=True):
    sig: bytes


class _Envelope(msgspec.Struct, frozen=True, rename="camel"):
    payload: bytes
    payload_type: str
    signatures: tuple[_Signature, ...]


class _Bundle(msgspec.Struct, frozen=True, rename="camel"):
    media_type: str
    verification_material: _Material
    dsse_envelope: _Envelope


class _Subject(msgspec.Struct, frozen=True):
    name: str
    digest: dict[str, str]


class _Statement(msgspec.Struct, frozen=True, rename="camel"):
    type: str = msgspec.field(name="_type")
    subject: tuple[_Subject, ...]
    predicate_type: str


def check_attestation(
    document: bytes, file: str, sha256: str, signed: Attestation, trust: Trust
) -> str:
    """See that the declared workflow built a file of this name and digest; returns the workflow."""
    refused = SignatureRefused("the signature is not valid: there is none")
    for line in document.strip().splitlines()[:_MOST_LINES]:
        try:
            _check_line(line, file, sha256, signed, trust)
        except SignatureRefused as error:
            refused = error
        else:
            return signed.identity
    raise refused


def _check_line(line: bytes, file: str, sha256: str, signed: Attestation, trust: Trust) -> None:
    bundle = _decoded(line, _Bundle)
    material, envelope = bundle.verification_material, bundle.dsse_envelope
    if bundle.media_type != _BUNDLE or envelope.payload_type != _PAYLOAD:
        raise SignatureRefused("the attestation is of a kind that we do not read")
    if len(material.tlog_entries) != 1 or len(envelope.signatures) != 1:
        raise SignatureRefused("the attestation has not exactly one signature in the log")
    signature = envelope.signatures[0].sig
    leaf = read_certificate(material.certificate.raw_bytes)
    check_certificate(leaf, trust, identity=signed.identity, issuer=signed.issuer)
    logged = logged_at(
        material.tlog_entries[0],
        trust,
        payload=envelope.payload,
        signature=signature,
        certificate=leaf,
    )
    if not is_valid_at(leaf, logged):
        raise SignatureRefused("the signature was not made in the time of its certificate")
    check_signature(leaf, signature, hashlib.sha256(_encoded(envelope)).digest())
    _check_statement(_decoded(envelope.payload, _Statement), file, sha256)


def _check_statement(statement: _Statement, file: str, sha256: str) -> None:
    if (statement.type, statement.predicate_type) != (_STATEMENT, _PREDICATE):
        raise SignatureRefused("the attestation does not say how files were built")
    found = [each.digest.get("sha256") for each in statement.subject if each.name == file]
    if sha256 not in found:
        raise SignatureRefused(f"the attestation is not of this {file}")


def _encoded(envelope: _Envelope) -> bytes:
    """What an envelope's signature is over: type and payload, each behind its length."""
    kind = envelope.payload_type.encode()
    return b"DSSEv1 %d %b %d %b" % (len(kind), kind, len(envelope.payload), envelope.payload)


def _decoded(document: bytes, kind: type[_T]) -> _T:
    try:
        # as text: members that nobody reads are passed over, whatever bytes they have
        return msgspec.json.decode(document.decode(), type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise SignatureRefused("the attestation is damaged") from error
