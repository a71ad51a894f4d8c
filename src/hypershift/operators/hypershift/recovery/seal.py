"""Seal a manifest with a key of the user's: it holds keys of the cluster, and stores are read.

    magic (4)  fingerprint of the key (8)  nonce (12)  AES-256-GCM of the document

The fingerprint distinguishes a wrong key from a damaged file; magic and fingerprint are
authenticated too.
"""

import hashlib
import os
from base64 import b64decode
from binascii import Error
from typing import Final

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from hypershift.kit import HypershiftError, Secret

MAGIC: Final = b"HSM1"
KEY: Final = 32
_MARK, _NONCE, _TAG = 8, 12, 16


class BadSeal(HypershiftError):
    """A sealed manifest that a key does not open, or a key that is none."""


def seal_key(text: bytes) -> Secret[bytes]:
    """The key that a user gives: 32 bytes, as they are or in base64."""
    if len(text) == KEY:
        return Secret(text)
    try:
        found = b64decode(text.strip(), validate=True)
    except Error:
        found = b""
    if len(found) != KEY:
        raise BadSeal(f"the manifest key must be {KEY} bytes in base64 (`openssl rand -base64 32`)")
    return Secret(found)


def sealed(content: bytes, key: Secret[bytes]) -> bytes:
    """The content, readable with the key alone."""
    head, nonce = MAGIC + fingerprint(key), os.urandom(_NONCE)
    return head + nonce + AESGCM(key.reveal()).encrypt(nonce, content, head)


def opened(content: bytes, key: Secret[bytes]) -> bytes:
    """The content of a sealed document; the error names the key or the file as wrong."""
    head = content[: len(MAGIC) + _MARK]
    if not head.startswith(MAGIC) or len(content) < len(head) + _NONCE + _TAG:
        raise BadSeal("it is no sealed manifest, or a truncated one")
    if head != MAGIC + fingerprint(key):
        raise BadSeal("it was sealed with another key")
    body = content[len(head) :]
    try:
        return AESGCM(key.reveal()).decrypt(body[:_NONCE], body[_NONCE:], head)
    except InvalidTag:
        raise BadSeal("it was changed or damaged") from None


def fingerprint(key: Secret[bytes]) -> bytes:
    """Identifies a key without revealing it."""
    return hashlib.blake2b(key.reveal(), digest_size=_MARK, person=b"manifest-key").digest()
