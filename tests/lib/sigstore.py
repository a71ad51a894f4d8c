"""A Sigstore for tests: an authority, a log, and what release workflows publish with them."""

import hashlib
import json
from base64 import b64encode
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from hypershift.parts.signature.fulcio import Trust

NOW = datetime(2026, 9, 1, 12, tzinfo=UTC)
LIFE = timedelta(minutes=10)
WORKFLOW = "https://github.com/example/tool/.github/workflows/release.yml@refs/tags/v1.0.0"
ACCOUNT = "release@example.iam.gserviceaccount.com"
ISSUER = "https://token.example.com"
_PROVENANCE = "https://slsa.dev/provenance/v1"


def _new_key() -> ec.EllipticCurvePrivateKey:
    return ec.generate_private_key(ec.SECP256R1())


def _name(text: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, text)])


def text(raw: bytes) -> str:
    return b64encode(raw).decode()


def sign(key: ec.EllipticCurvePrivateKey, content: bytes) -> bytes:
    return key.sign(content, ec.ECDSA(hashes.SHA256()))


@dataclass(frozen=True, slots=True)
class Leaf:
    """A certificate of ten minutes, and its key."""

    certificate: x509.Certificate
    key: ec.EllipticCurvePrivateKey

    @property
    def der(self) -> bytes:
        return self.certificate.public_bytes(serialization.Encoding.DER)

    @property
    def pem(self) -> bytes:
        return self.certificate.public_bytes(serialization.Encoding.PEM)


@dataclass(frozen=True, slots=True)
class Sigstore:
    """An authority with a root above it, and a log."""

    root: ec.EllipticCurvePrivateKey = field(default_factory=_new_key)
    intermediate: ec.EllipticCurvePrivateKey = field(default_factory=_new_key)
    log: ec.EllipticCurvePrivateKey = field(default_factory=_new_key)

    @property
    def trust(self) -> Trust:
        upper = _authority(self.root, "root", self.root, "root")
        issuing = _authority(self.intermediate, "intermediate", self.root, "root")
        return Trust((issuing, upper), self._log_key)

    @property
    def _log_key(self) -> bytes:
        return self.log.public_key().public_bytes(
            serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo
        )

    def leaf(
        self,
        identity: str = WORKFLOW,
        issuer: str = ISSUER,
        made: datetime = NOW,
        usage: x509.ObjectIdentifier = ExtendedKeyUsageOID.CODE_SIGNING,
    ) -> Leaf:
        """A certificate of the authority's for an identity: an address of mail, or of a file."""
        key = _new_key()
        named = x509.RFC822Name if "@example." in identity else x509.UniformResourceIdentifier
        vouched = bytes((0x0C, len(issuer))) + issuer.encode()
        builder = (
            _builder(key, "", "intermediate", made, made + LIFE)
            .add_extension(x509.SubjectAlternativeName([named(identity)]), critical=True)
            .add_extension(x509.ExtendedKeyUsage([usage]), critical=False)
            .add_extension(
                x509.UnrecognizedExtension(x509.ObjectIdentifier("1.3.6.1.4.1.57264.1.8"), vouched),
                critical=False,
            )
        )
        return Leaf(builder.sign(self.intermediate, hashes.SHA256()), key)

    def bundle(
        self,
        subjects: dict[str, bytes],
        leaf: Leaf | None = None,
        *,
        logged: datetime = NOW + timedelta(seconds=3),
        predicate: str = _PROVENANCE,
    ) -> dict[str, Any]:
        """What GitHub's action for attestations writes about files."""
        signer = leaf or self.leaf()
        statement = {
            "_type": "https://in-toto.io/Statement/v1",
            "subject": [
                {"name": name, "digest": {"sha256": hashlib.sha256(content).hexdigest()}}
                for name, content in subjects.items()
            ],
            "predicateType": predicate,
            "predicate": {"buildDefinition": {}},
        }
        payload, kind = json.dumps(statement).encode(), "application/vnd.in-toto+json"
        signature = sign(
            signer.key, f"DSSEv1 {len(kind)} {kind} {len(payload)} ".encode() + payload
        )
        return {
            "mediaType": "application/vnd.dev.sigstore.bundle.v0.3+json",
            "verificationMaterial": {
                "certificate": {"rawBytes": text(signer.der)},
                "tlogEntries": [self._entry(payload, signature, signer, logged)],
            },
            "dsseEnvelope": {
                "payload": text(payload),
                "payloadType": kind,
                "signatures": [{"sig": text(signature), "keyid": ""}],
            },
        }

    def _entry(
        self, payload: bytes, signature: bytes, leaf: Leaf, logged: datetime
    ) -> dict[str, Any]:
        spec = {
            "payloadHash": {"algorithm": "sha256", "value": hashlib.sha256(payload).hexdigest()},
            "signatures": [{"signature": text(signature), "verifier": text(leaf.pem)}],
        }
        body = json.dumps({"apiVersion": "0.0.1", "kind": "dsse", "spec": spec}).encode()
        log, seconds = hashlib.sha256(self._log_key).digest(), int(logged.timestamp())
        promised = {
            "body": text(body),
            "integratedTime": seconds,
            "logID": log.hex(),
            "logIndex": 7,
        }
        said = json.dumps(promised, sort_keys=True, separators=(",", ":")).encode()
        return {
            "logIndex": "7",
            "logId": {"keyId": text(log)},
            "kindVersion": {"kind": "dsse", "version": "0.0.1"},
            "integratedTime": str(seconds),
            "inclusionPromise": {"signedEntryTimestamp": text(sign(self.log, said))},
            "canonicalizedBody": text(body),
        }


def _authority(
    key: ec.EllipticCurvePrivateKey, name: str, by: ec.EllipticCurvePrivateKey, issuer: str
) -> bytes:
    builder = _builder(key, name, issuer, NOW - timedelta(days=900), NOW + timedelta(days=900))
    constraints = x509.BasicConstraints(ca=True, path_length=None)
    certificate = builder.add_extension(constraints, critical=True).sign(by, hashes.SHA256())
    return certificate.public_bytes(serialization.Encoding.DER)


def _builder(
    key: ec.EllipticCurvePrivateKey, name: str, issuer: str, start: datetime, end: datetime
) -> x509.CertificateBuilder:
    return (
        x509.CertificateBuilder()
        .subject_name(_name(name) if name else x509.Name([]))
        .issuer_name(_name(issuer))
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(start)
        .not_valid_after(end)
    )
