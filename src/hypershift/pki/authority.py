"""Certificate authorities: self-signed roots that issue leaf certificates."""

from dataclasses import dataclass, field
from datetime import datetime, timedelta

from cryptography import x509
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.x509.oid import NameOID

from hypershift.kit import Secret
from hypershift.pki.keys import (
    Algorithm,
    KeySource,
    PrivateKey,
    key_from_pem,
    key_to_pem,
    new_key,
    same_key,
)
from hypershift.pki.leaf import YEAR, Leaf

TEN_YEARS = 10 * YEAR

#: A certificate is valid a little before it was made, for machines whose clocks lag.
SKEW = timedelta(minutes=1)


@dataclass(frozen=True, slots=True)
class KeyPair:
    """A certificate and its private key, both as PEM."""

    certificate: bytes
    key: Secret[bytes]


@dataclass(frozen=True, slots=True)
class Authority:
    """A certificate that signs others, with its key."""

    certificate: x509.Certificate
    key: PrivateKey = field(repr=False)

    @property
    def pem(self) -> bytes:
        """The certificate alone, for trust bundles."""
        return self.certificate.public_bytes(serialization.Encoding.PEM)

    @property
    def pair(self) -> KeyPair:
        """Certificate and key, for the Secret that keeps them."""
        return KeyPair(self.pem, Secret(key_to_pem(self.key)))

    def issue(
        self,
        leaf: Leaf,
        now: datetime,
        *,
        keys: KeySource = new_key,
        algorithm: Algorithm = Algorithm.ECDSA_P256,
    ) -> KeyPair:
        """Sign a new certificate with a new key for `leaf`."""
        key = keys(algorithm)
        certificate = _leaf_builder(leaf, key, self, now).sign(self.key, hashes.SHA256())
        pem = certificate.public_bytes(serialization.Encoding.PEM)
        return KeyPair(pem, Secret(key_to_pem(key)))

    def issued(self, certificate: x509.Certificate) -> bool:
        """Whether this authority's key signed `certificate`."""
        try:
            certificate.verify_directly_issued_by(self.certificate)
        except (ValueError, TypeError, InvalidSignature):
            return False
        return True


def new_authority(
    common_name: str,
    now: datetime,
    validity: timedelta = TEN_YEARS,
    *,
    unit: str = "openshift",
    keys: KeySource = new_key,
    algorithm: Algorithm = Algorithm.ECDSA_P256,
) -> Authority:
    """Make a self-signed authority."""
    return self_signed(common_name, unit, keys(algorithm), now, validity)


def self_signed(
    common_name: str, unit: str, key: PrivateKey, now: datetime, validity: timedelta = TEN_YEARS
) -> Authority:
    """Sign an authority's certificate with its own key.

    A renewed authority keeps key and subject, so certificates that it issued before still verify.
    """
    name = x509.Name(
        [
            x509.NameAttribute(NameOID.ORGANIZATIONAL_UNIT_NAME, unit),
            x509.NameAttribute(NameOID.COMMON_NAME, common_name),
        ]
    )
    builder = (
        _dated(x509.CertificateBuilder(), now, validity)
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .add_extension(_key_usage(encipher=True, sign_certificates=True), critical=True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
    )
    return Authority(builder.sign(key, hashes.SHA256()), key)


def cross_signed(authority: Authority, by: Authority, now: datetime) -> bytes:
    """An authority's certificate (PEM) signed by another one, for clients that know that alone."""
    end = min(authority.certificate.not_valid_after_utc, by.certificate.not_valid_after_utc)
    builder = (
        _dated(x509.CertificateBuilder(), now, end - now)
        .subject_name(authority.certificate.subject)
        .issuer_name(by.certificate.subject)
        .public_key(authority.key.public_key())
    )
    for extension in authority.certificate.extensions:
        builder = builder.add_extension(extension.value, critical=extension.critical)
    issuer = x509.AuthorityKeyIdentifier.from_issuer_public_key(by.key.public_key())
    signed = builder.add_extension(issuer, critical=False).sign(by.key, hashes.SHA256())
    return signed.public_bytes(serialization.Encoding.PEM)


def read_authority(certificate: bytes, key: bytes) -> Authority | None:
    """Read an authority from PEM; None when certificate and key are not a usable pair."""
    read = certificate_from_pem(certificate)
    private = key_from_pem(key)
    if read is None or private is None or not same_key(private, read.public_key()):
        return None
    return Authority(read, private)


def certificate_from_pem(pem: bytes) -> x509.Certificate | None:
    """Read the first certificate of a PEM text; None when there is none."""
    try:
        return x509.load_pem_x509_certificate(pem)
    except ValueError:
        return None


def is_authority(pem: bytes) -> bool:
    """Whether a certificate may sign others."""
    certificate = certificate_from_pem(pem)
    if certificate is None:
        return False
    try:
        return certificate.extensions.get_extension_for_class(x509.BasicConstraints).value.ca
    except (x509.ExtensionNotFound, ValueError):
        return False


def _leaf_builder(
    leaf: Leaf, key: PrivateKey, authority: Authority, now: datetime
) -> x509.CertificateBuilder:
    issuer_key = authority.key.public_key()
    builder = (
        _dated(x509.CertificateBuilder(), now, leaf.validity)
        .subject_name(leaf.subject())
        .issuer_name(authority.certificate.subject)
        .public_key(key.public_key())
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        # An elliptic curve key signs and never enciphers.
        .add_extension(
            _key_usage(encipher=isinstance(key, rsa.RSAPrivateKey), sign_certificates=False),
            critical=True,
        )
        .add_extension(
            x509.AuthorityKeyIdentifier.from_issuer_public_key(issuer_key), critical=False
        )
    )
    if usages := leaf.extended_usages():
        builder = builder.add_extension(x509.ExtendedKeyUsage(usages), critical=False)
    if names := leaf.alternative_names():
        builder = builder.add_extension(x509.SubjectAlternativeName(names), critical=False)
    return builder


def _dated(
    builder: x509.CertificateBuilder, now: datetime, validity: timedelta
) -> x509.CertificateBuilder:
    start = now.replace(microsecond=0) - SKEW
    return (
        builder.serial_number(x509.random_serial_number())
        .not_valid_before(start)
        .not_valid_after(start + validity)
    )


def _key_usage(*, encipher: bool, sign_certificates: bool) -> x509.KeyUsage:
    return x509.KeyUsage(
        digital_signature=True,
        content_commitment=False,
        key_encipherment=encipher,
        data_encipherment=False,
        key_agreement=False,
        key_cert_sign=sign_certificates,
        crl_sign=False,
        encipher_only=False,
        decipher_only=False,
    )
