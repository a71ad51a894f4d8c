"""What a token issuer publishes about itself, so that clouds trust it: OpenID Connect discovery."""

import json
from base64 import urlsafe_b64encode
from collections.abc import Iterator

from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPublicKey
from cryptography.hazmat.primitives.serialization import load_pem_public_key

from hypershift.kit import InvalidSpec
from hypershift.pki.token_keys import key_id

CONFIGURATION = ".well-known/openid-configuration"
KEYS = "openid/v1/jwks"
_BEGIN, _END = b"-----BEGIN ", b"-----END "
#: Bytes of all public keys; a user may have given the older ones.
LARGEST = 64 * 1024


def documents(issuer: str, public_keys: bytes) -> dict[str, bytes]:
    """Both documents by their paths below the issuer's address."""
    return {
        CONFIGURATION: _json(
            {
                "issuer": issuer,
                "jwks_uri": f"{issuer}/{KEYS}",
                "response_types_supported": ["id_token"],
                "subject_types_supported": ["public"],
                "id_token_signing_alg_values_supported": ["RS256"],
            }
        ),
        KEYS: _json({"keys": list(_keys(public_keys))}),
    }


def _keys(pem: bytes) -> Iterator[dict[str, str]]:
    """Yield each key: the present one, and older ones whose tokens still live."""
    if len(pem) > LARGEST:
        raise InvalidSpec(f"the public keys of service accounts have more than {LARGEST} bytes")
    for found in _blocks(pem):
        try:
            key = load_pem_public_key(found)
        except (ValueError, UnsupportedAlgorithm):
            raise InvalidSpec("the public keys of service accounts cannot be read") from None
        if not isinstance(key, RSAPublicKey):
            raise InvalidSpec("tokens of service accounts are signed by RSA keys alone")
        numbers = key.public_numbers()
        yield {
            "use": "sig",
            "kty": "RSA",
            "kid": key_id(key),
            "alg": "RS256",
            "n": _base64(_bytes(numbers.n)),
            "e": _base64(_bytes(numbers.e)),
        }


def _blocks(pem: bytes) -> Iterator[bytes]:
    """Yield each text between its lines, whatever many of them begin and none ends."""
    for part in pem.split(_BEGIN)[1:]:
        body, end, rest = part.partition(_END)
        if end:
            yield _BEGIN + body + end + rest.partition(b"-----")[0] + b"-----"


def _bytes(number: int) -> bytes:
    return number.to_bytes((number.bit_length() + 7) // 8, "big")


def _base64(content: bytes) -> str:
    return urlsafe_b64encode(content).rstrip(b"=").decode()


def _json(document: object) -> bytes:
    return (json.dumps(document, indent=2) + "\n").encode()
