"""Sign the certificate that a request asks for, with the lifetime that the original gives it."""

from collections.abc import Iterable
from datetime import datetime, timedelta

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.x509.oid import ExtendedKeyUsageOID

from hypershift.pki import Authority

BACKDATE = timedelta(minutes=5)
#: Shorter certificates keep their full validity from now on, although they are dated back.
SHORT = 100 * BACKDATE
SHORTEST = timedelta(minutes=10)
KEY_ENCIPHERMENT = "key encipherment"


def lifetime(asked: int | None, longest: timedelta) -> timedelta:
    """The validity of a certificate: as requested, within the signer's bounds."""
    if asked is None:
        return longest
    return min(longest, max(SHORTEST, timedelta(seconds=asked)))


def certificate(
    csr: x509.CertificateSigningRequest,
    authority: Authority,
    now: datetime,
    life: timedelta,
    usages: Iterable[str] = (),
) -> bytes:
    """The certificate as PEM: subject and key of the request, and nothing else of it."""
    now = now.replace(microsecond=0)
    begins = now - BACKDATE
    ends = now + life if life < SHORT else begins + life
    key = csr.public_key()
    builder = (
        x509.CertificateBuilder()
        .serial_number(x509.random_serial_number())
        .subject_name(csr.subject)
        .issuer_name(authority.certificate.subject)
        .public_key(key)
        .not_valid_before(begins)
        .not_valid_after(min(ends, authority.certificate.not_valid_after_utc))
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(_key_usage(frozenset(usages), key), critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.CLIENT_AUTH]), critical=False)
        .add_extension(
            x509.AuthorityKeyIdentifier.from_issuer_public_key(authority.key.public_key()),
            critical=False,
        )
    )
    signed = builder.sign(authority.key, hashes.SHA256())
    return signed.public_bytes(serialization.Encoding.PEM)


def _key_usage(usages: frozenset[str], key: object) -> x509.KeyUsage:
    """What was asked for; only an RSA key can encipher keys, and a client has to sign."""
    return x509.KeyUsage(
        digital_signature=True,
        key_encipherment=KEY_ENCIPHERMENT in usages and isinstance(key, rsa.RSAPublicKey),
        content_commitment=False,
        data_encipherment=False,
        key_agreement=False,
        key_cert_sign=False,
        crl_sign=False,
        encipher_only=False,
        decipher_only=False,
    )
