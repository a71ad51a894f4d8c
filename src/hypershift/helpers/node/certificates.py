"""The kubelet's own certificates: who signed them, and how to get new ones as the node itself."""

import asyncio
import secrets
import time
from base64 import b64decode, b64encode
from dataclasses import dataclass
from pathlib import Path

from cryptography import x509
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from hypershift.helpers.node.files import point, put
from hypershift.kit import Manifest
from hypershift.kube import Client, kinds

PKI = Path("/var/lib/kubelet/pki")
POLL, PATIENCE = 1.0, 300.0


@dataclass(frozen=True, slots=True)
class Use:
    """What a certificate of the kubelet is for."""

    stem: str
    signer: str
    usage: str

    def current(self, folder: Path) -> Path:
        """The link that the kubelet reads at its start."""
        return folder / f"{self.stem}-current.pem"


CLIENT = Use("kubelet-client", "kubernetes.io/kube-apiserver-client-kubelet", "client auth")
SERVER = Use("kubelet-server", "kubernetes.io/kubelet-serving", "server auth")
USES = (CLIENT, SERVER)


def is_signed_by(certificate: bytes, authorities: bytes) -> bool:
    """Whether one of the authorities (PEM) signed a certificate (PEM)."""
    found = x509.load_pem_x509_certificate(certificate)
    for authority in x509.load_pem_x509_certificates(authorities):
        try:
            found.verify_directly_issued_by(authority)
        except (ValueError, TypeError, InvalidSignature):
            continue
        return True
    return False


async def renew(client: Client, use: Use, folder: Path, authorities: bytes) -> bool:
    """Replace a certificate by one with the same names that `authorities` signed.

    False while another authority signs yet: the certificate that is there stays.
    """
    old = x509.load_pem_x509_certificate(use.current(folder).read_bytes())
    key = ec.generate_private_key(ec.SECP256R1())
    name = f"{use.stem}-{secrets.token_hex(8)}"
    await client.create(request(name, use, old, key))
    certificate = await _signed(client, name)
    if not is_signed_by(certificate, authorities):
        return False
    _store(use, folder, certificate, key)
    return True


def request(
    name: str, use: Use, old: x509.Certificate, key: ec.EllipticCurvePrivateKey
) -> Manifest:
    """The request that a kubelet would send to renew a certificate."""
    builder = x509.CertificateSigningRequestBuilder().subject_name(old.subject)
    try:
        names = old.extensions.get_extension_for_class(x509.SubjectAlternativeName)
        builder = builder.add_extension(names.value, critical=names.critical)
    except x509.ExtensionNotFound:
        pass  # a client has no names
    pem = builder.sign(key, hashes.SHA256()).public_bytes(serialization.Encoding.PEM)
    return {
        "apiVersion": kinds.CERTIFICATE_SIGNING_REQUEST.api_version,
        "kind": kinds.CERTIFICATE_SIGNING_REQUEST.kind,
        "metadata": {"name": name},
        "spec": {
            "request": b64encode(pem).decode(),
            "signerName": use.signer,
            "usages": ["digital signature", use.usage],
        },
    }


async def _signed(client: Client, name: str) -> bytes:
    """The certificate of a request, once it is approved and signed."""
    async with asyncio.timeout(PATIENCE):
        while True:
            found = await client.get(kinds.CERTIFICATE_SIGNING_REQUEST, name)
            if text := (found.get("status") or {}).get("certificate"):
                return b64decode(text)
            await asyncio.sleep(POLL)


def _store(use: Use, folder: Path, certificate: bytes, key: ec.EllipticCurvePrivateKey) -> None:
    """Keep a pair as the kubelet does: a dated file, and a link to the one in use."""
    private = key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.TraditionalOpenSSL,
        serialization.NoEncryption(),
    )
    path = folder / f"{use.stem}-{time.strftime('%Y-%m-%d-%H-%M-%S', time.gmtime())}.pem"
    put(path, certificate + private)
    point(use.current(folder), path)
