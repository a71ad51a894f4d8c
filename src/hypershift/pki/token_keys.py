"""The key that signs tokens of service accounts, and how another one takes its place.

API servers accept tokens of every key in `service-account.pub` and sign with the one in
`service-account.key`, as the controller manager does. So the successor is accepted first, then
signs, and the predecessor is accepted for as long as its tokens are about.
"""

import hashlib
import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Mapping
from dataclasses import dataclass, field

from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, padding, rsa
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature

from hypershift.kit import Secret
from hypershift.pki.keys import (
    Algorithm,
    KeySource,
    PrivateKey,
    key_from_pem,
    key_to_pem,
    public_pem,
)

KEY, PUBLIC = "service-account.key", "service-account.pub"
_OLD = "service-account.old.pub"
#: The issuer of tokens that Secrets keep, as the API server knows it.
LEGACY_ISSUER = "kubernetes/serviceaccount"


@dataclass(frozen=True, slots=True)
class TokenKeys:
    """The keys of a replacement, and which of them are used in its stage."""

    new: Secret[bytes]
    new_public: bytes = field(repr=False)
    old_public: bytes = field(repr=False)
    signs: bool  # whether the successor does
    both: bool  # whether tokens of both are accepted

    def pair(self, present: bytes) -> dict[str, bytes]:
        """What API servers are given, where the Secret holds the key `present` now."""
        # A predecessor that is lost signs nothing any more: its successor has to.
        if self.signs or key_from_pem(present) is None:
            accepted = self.new_public + (self.old_public if self.both else b"")
            return {KEY: self.new.reveal(), PUBLIC: accepted}
        return {KEY: present, PUBLIC: self.old_public + self.new_public}


def begun(data: Mapping[str, bytes], keys: KeySource) -> dict[str, bytes]:
    """A successor of the key in a Secret's data; empty where there is none to replace."""
    old = key_from_pem(data.get(KEY, b""))
    if old is None:
        return {}
    # Who checks these tokens knows the algorithm, and may know no other one.
    rsa_key = isinstance(old, rsa.RSAPrivateKey)
    made = keys(Algorithm.RSA_2048 if rsa_key else Algorithm.ECDSA_P256)
    accepted = data.get(PUBLIC) or public_pem(old)
    return {KEY: key_to_pem(made), PUBLIC: public_pem(made), _OLD: accepted}


def read(data: Mapping[str, bytes], *, signs: bool, both: bool) -> TokenKeys | None:
    """The keys of a replacement that its Secret's data hold; None where the key stays."""
    if KEY not in data:
        return None
    return TokenKeys(Secret(data[KEY]), data[PUBLIC], data[_OLD], signs, both)


def digest(public_keys: bytes) -> str:
    """A short name of a set of public keys (PEM), whatever their order."""
    blocks = sorted(part.strip() for part in public_keys.split(b"-----BEGIN ") if part.strip())
    return hashlib.sha256(b"\n".join(blocks)).hexdigest()[:16]


def key_id(key: ec.EllipticCurvePublicKey | rsa.RSAPublicKey) -> str:
    """A public key as API servers name it in tokens and documents."""
    form = (serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo)
    return _base64(hashlib.sha256(key.public_bytes(*form)).digest())


@dataclass(frozen=True, slots=True)
class Kept:
    """A Secret that keeps a token, and the account whose token it is."""

    namespace: str
    secret: str
    account: str
    uid: str


def kept_token(key: PrivateKey, kept: Kept) -> str:
    """A token for a Secret, as the controller manager makes it: it ends with the Secret or key."""
    prefix = "kubernetes.io/serviceaccount"
    claims = {
        "iss": LEGACY_ISSUER,
        f"{prefix}/namespace": kept.namespace,
        f"{prefix}/secret.name": kept.secret,
        f"{prefix}/service-account.name": kept.account,
        f"{prefix}/service-account.uid": kept.uid,
        "sub": f"system:serviceaccount:{kept.namespace}:{kept.account}",
    }
    algorithm = "RS256" if isinstance(key, rsa.RSAPrivateKey) else "ES256"
    header = {"alg": algorithm, "kid": key_id(key.public_key())}
    text = ".".join(_base64(json.dumps(part).encode()) for part in (header, claims))
    return f"{text}.{_base64(_signature(key, text.encode()))}"


def is_of(token: str, key: PrivateKey) -> bool:
    """Whether a token says that this key signed it."""
    try:
        header = json.loads(_unbase64(token.partition(".")[0]))
        return bool(header["kid"] == key_id(key.public_key()))
    except (ValueError, KeyError, TypeError):
        return False


def _signature(key: PrivateKey, text: bytes) -> bytes:
    if isinstance(key, rsa.RSAPrivateKey):
        return key.sign(text, padding.PKCS1v15(), hashes.SHA256())
    size = (key.curve.key_size + 7) // 8
    return b"".join(
        number.to_bytes(size, "big")
        for number in decode_dss_signature(key.sign(text, ec.ECDSA(hashes.SHA256())))
    )


def _base64(content: bytes) -> str:
    return urlsafe_b64encode(content).rstrip(b"=").decode()


def _unbase64(text: str) -> bytes:
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))
