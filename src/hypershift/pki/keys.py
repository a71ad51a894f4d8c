"""Private keys as values: made by an algorithm's name, written and read as PEM."""

import hashlib
from collections.abc import Callable
from enum import StrEnum

from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec, rsa

PrivateKey = ec.EllipticCurvePrivateKey | rsa.RSAPrivateKey

RSA_PUBLIC_EXPONENT = 65537
RSA_BITS = 2048

#: Digests of the texts that are known to be sound RSA keys. To find that out takes as long as to
#: make one, and passes read the same ones again and again; others are checked in no time.
_SOUND: set[bytes] = set()
_MOST_REMEMBERED = 5000


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
    pem = key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.TraditionalOpenSSL,
        serialization.NoEncryption(),
    )
    _remember_sound(key, pem)
    return pem


def public_pem(key: PrivateKey) -> bytes:
    """The public half as PEM."""
    return key.public_key().public_bytes(
        serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
    )


#: An RSA key of 8192 bits takes 6.4 kB. OpenSSL checks the primes of longer ones for minutes.
LARGEST_PEM = 16 * 1024


def key_from_pem(pem: bytes) -> PrivateKey | None:
    """Read a private key; None when the text is not one that we can use."""
    if len(pem) > LARGEST_PEM:
        return None
    known = _digest(pem) in _SOUND
    try:
        key = serialization.load_pem_private_key(
            pem, password=None, unsafe_skip_rsa_key_validation=known
        )
    except (ValueError, TypeError, UnsupportedAlgorithm):
        return None
    if not isinstance(key, ec.EllipticCurvePrivateKey | rsa.RSAPrivateKey):
        return None
    _remember_sound(key, pem)
    return key


def _remember_sound(key: PrivateKey, pem: bytes) -> None:
    if not isinstance(key, rsa.RSAPrivateKey):
        return
    if len(_SOUND) >= _MOST_REMEMBERED:
        _SOUND.clear()
    _SOUND.add(_digest(pem))


def _digest(pem: bytes) -> bytes:
    return hashlib.blake2b(pem, digest_size=32).digest()


def same_key(left: PrivateKey, right: object) -> bool:
    """Whether a private key and a public key belong together."""
    mine = public_pem(left)
    if not isinstance(right, ec.EllipticCurvePublicKey | rsa.RSAPublicKey):
        return False
    return mine == right.public_bytes(
        serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
    )
