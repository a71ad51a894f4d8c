"""A signing request for a break-glass certificate: what it asks for, and why it is refused.

Its content comes from users who may create requests on the management cluster.
"""

from base64 import b64decode
from collections.abc import Iterable
from dataclasses import dataclass

from cryptography import x509
from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa
from cryptography.x509.oid import NameOID

from hypershift.api.conditions import SigningRequestCondition
from hypershift.kit import InvalidSpec, Manifest
from hypershift.operators.pki.rules.signer import CLASSES, SignerClass

CLIENT_AUTH = "client auth"
#: What a request may ask for besides.
OTHER_USAGES = frozenset({"digital signature", "key encipherment"})
#: A request with an RSA key of 8192 bits takes 3 kB.
LARGEST = 32 * 1024
SMALLEST_RSA, LARGEST_RSA = 2048, 8192


@dataclass(frozen=True, slots=True)
class Pending:
    """A request for one of our signers, and what happened to it."""

    name: str
    manifest: Manifest
    signer: SignerClass
    conditions: frozenset[str]
    signed: bool

    @property
    def is_decided(self) -> bool:
        """Whether it was approved, denied or found wrong."""
        return bool(self.conditions)

    @property
    def waits_for_certificate(self) -> bool:
        """Whether the signer is asked: approved, and neither denied, found wrong nor signed."""
        return self.conditions == {SigningRequestCondition.APPROVED.value} and not self.signed


def pending(found: Iterable[Manifest], namespace: str) -> list[Pending]:
    """The requests for signers of one control plane; those of others are not looked at."""
    signers = {one.signer_name(namespace): one for one in CLASSES}
    return [
        _read(manifest, signers[manifest["spec"]["signerName"]])
        for manifest in found
        if manifest["spec"].get("signerName") in signers
    ]


def _read(manifest: Manifest, signer: SignerClass) -> Pending:
    status = manifest.get("status") or {}
    words = (one.get("type", "") for one in status.get("conditions") or ())
    conditions = frozenset(word for word in words if word in DECISIONS)
    name = manifest["metadata"]["name"]
    return Pending(name, manifest, signer, conditions, bool(status.get("certificate")))


DECISIONS = frozenset(one.value for one in SigningRequestCondition)


def parsed(request: Pending) -> x509.CertificateSigningRequest:
    """The PKCS#10 request; raises InvalidSpec if the signer does not sign such a one."""
    text = request.manifest["spec"].get("request") or ""
    if len(text) > LARGEST:
        raise InvalidSpec(f"the request has {len(text)} characters, more than {LARGEST}")
    try:
        csr = x509.load_pem_x509_csr(b64decode(text))
        valid = csr.is_signature_valid
        _check_key(csr)
        _check_subject(csr, request.signer)
        has_names = any(one.oid == x509.SubjectAlternativeName.oid for one in csr.extensions)
    except (ValueError, TypeError, UnsupportedAlgorithm, x509.DuplicateExtension) as error:
        raise InvalidSpec("the request is not a PEM-encoded certificate request") from error
    if not valid:
        raise InvalidSpec("the request is not signed with its own key")
    if has_names:
        raise InvalidSpec("the request must not have subject alternative names")
    _check_usages(request.manifest["spec"].get("usages") or ())
    return csr


def _check_key(csr: x509.CertificateSigningRequest) -> None:
    match csr.public_key():
        case rsa.RSAPublicKey(key_size=bits) if not SMALLEST_RSA <= bits <= LARGEST_RSA:
            raise InvalidSpec(f"an RSA key of {bits} bits is not signed")
        case rsa.RSAPublicKey() | ec.EllipticCurvePublicKey() | ed25519.Ed25519PublicKey():
            return
        case _:
            raise InvalidSpec("the request's key is neither RSA, ECDSA nor Ed25519")


def _check_subject(csr: x509.CertificateSigningRequest, signer: SignerClass) -> None:
    names = csr.subject.get_attributes_for_oid(NameOID.COMMON_NAME)
    if len(names) != 1:
        raise InvalidSpec("the request must have one common name")
    if not str(names[0].value).startswith(signer.common_name_prefix):
        prefix = signer.common_name_prefix
        raise InvalidSpec(f'the common name must begin with "{prefix}"')


def _check_usages(usages: Iterable[str]) -> None:
    asked = frozenset(usages)
    if CLIENT_AUTH not in asked:
        raise InvalidSpec(f'the usages must include "{CLIENT_AUTH}"')
    if others := sorted(asked - OTHER_USAGES - {CLIENT_AUTH}):
        raise InvalidSpec(f"the usages must not include {', '.join(others)}")
