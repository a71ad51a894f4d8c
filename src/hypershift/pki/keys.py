"""Private keys as values: made by an algorithm's name, written and read as PEM."""

import hashlib
import math
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


#: An RSA key of 8192 bits takes 6.4 kB.
LARGEST_PEM = 16 * 1024
#: OpenSSL tests primes many times over, for minutes where a user's key is long, and nothing else of
#: the process runs meanwhile. Longer keys than the first are tested here, than the second refused.
LONG_RSA, LONGEST_RSA = 3072, 8192
SMALLEST_PRIME = 1 << 100
#: No honest exponent is longer, and the time of each check of a signature grows with it.
LONGEST_EXPONENT = 64


def key_from_pem(pem: bytes) -> PrivateKey | None:
    """Read a private key; None when the text is not one that we can use."""
    if len(pem) > LARGEST_PEM:
        return None
    found = _loaded(pem, skip=True)
    if isinstance(found, rsa.RSAPrivateKey) and _digest(pem) not in _SOUND:
        found = _tested(found, pem)
    if not isinstance(found, ec.EllipticCurvePrivateKey | rsa.RSAPrivateKey):
        return None
    _remember_sound(found, pem)
    return found


def _tested(key: rsa.RSAPrivateKey, pem: bytes) -> object:
    """The same key once it is known to be sound; else None."""
    numbers = key.private_numbers()
    if key.key_size > LONGEST_RSA or not _fits(numbers):
        return None
    if key.key_size <= LONG_RSA:
        return _loaded(pem, skip=False)
    # One Fermat test finds every number that is composite by accident.
    return key if all(pow(2, prime - 1, prime) == 1 for prime in (numbers.p, numbers.q)) else None


def _loaded(pem: bytes, *, skip: bool) -> object:
    """The key of a text; None without one. An RSA key that was not tested may crash OpenSSL."""
    try:
        return serialization.load_pem_private_key(
            pem, password=None, unsafe_skip_rsa_key_validation=skip
        )
    except (ValueError, TypeError, UnsupportedAlgorithm):
        return None


def _fits(key: rsa.RSAPrivateNumbers) -> bool:
    """Whether the numbers of an RSA key fit together, so that none is longer than it says."""
    p, q, d, public = key.p, key.q, key.d, key.public_numbers
    if min(p, q) < SMALLEST_PRIME or p == q or p * q != public.n or not p & q & 1:
        return False
    e = public.e
    if not (e & 1 and e > 1 and e.bit_length() <= LONGEST_EXPONENT and 0 < d < public.n):
        return False
    parts = (d % (p - 1), d % (q - 1), pow(q, -1, p) if math.gcd(p, q) == 1 else 0)
    return (key.dmp1, key.dmq1, key.iqmp) == parts and all(
        d * e % (prime - 1) == 1 for prime in (p, q)
    )


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
