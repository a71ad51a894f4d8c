"""Private keys as values: made by an algorithm's name, written and read as PEM."""

from collections.abc import Callable
from enum import StrEnum

from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec, rsa

PrivateKey = ec.EllipticCurvePrivateKey | rsa.RSAPrivateKey

RSA_PUBLIC_EXPONENT = 65537
RSA_BITS = 2048


class Algorithm(StrEnum):
    """The kinds of key that we make; docs/adr/0003-key-algorithms.md says which goes where."""

    ECDSA_P256 = "ecdsa-p256"
    RSA_2048 = "rsa-2048"


#: Where keys come from: the simulation hands out prepared ones, everyone else makes new ones.
KeySource = Callable[[Algorithm], PrivateKey]


def new_key(algorithm: Algorithm = Algorithm.ECDSA_P256) -> PrivateKey:
    """Make a private key; RSA takes a tenth of a second, so do it off the event loop."""
    match algorithm:
        case Algorithm.ECDSA_P256:
            return ec.generate_private_key(ec.SECP256R1())
        case Algorithm.RSA_2048:
            return rsa.generate_private_key(RSA_PUBLIC_EXPONENT, RSA_BITS)


def key_to_pem(key: PrivateKey) -> bytes:
    """The key as PEM, in the traditional encoding that every consumer reads."""
    return key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.TraditionalOpenSSL,
        serialization.NoEncryption(),
    )


def public_pem(key: PrivateKey) -> bytes:
    """The public half as PEM."""
    return key.public_key().public_bytes(
        serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
    )


def key_from_pem(pem: bytes) -> PrivateKey | None:
    """Read a private key; None when the text is not one that we can use."""
    try:
        key = serialization.load_pem_private_key(pem, password=None)
    except (ValueError, TypeError, UnsupportedAlgorithm):
        return None
    return key if isinstance(key, ec.EllipticCurvePrivateKey | rsa.RSAPrivateKey) else None


def same_key(left: PrivateKey, right: object) -> bool:
    """Whether a private key and a public key belong together."""
    mine = public_pem(left)
    if not isinstance(right, ec.EllipticCurvePublicKey | rsa.RSAPublicKey):
        return False
    return mine == right.public_bytes(
        serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
    )
