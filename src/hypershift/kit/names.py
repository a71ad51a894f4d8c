"""Names that are computed from other names, equal to the original's in every character.

A cluster of the original that moves to us finds its keys, routes and secrets under these.
"""

import hashlib
import re
from random import Random

from hypershift.kit.manifest import Key

_OFFSET, _PRIME, _MASK = 0x811C9DC5, 0x01000193, 0xFFFFFFFF
#: One less than a DNS label may have.
_LABEL_LIMIT = 62
_HASH_LENGTH = 8
#: The letters of generated suffixes: no vowels, so that they spell no words.
_SUFFIX = "bcdfghjklmnpqrstvwxz2456789"
_INFRA_BASE = 21
_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"


def fnv1(data: bytes) -> int:
    """FNV-1 of 32 bits."""
    value = _OFFSET
    for byte in data:
        value = ((value * _PRIME) & _MASK) ^ byte
    return value


def fnv1a(data: bytes) -> str:
    """FNV-1a of 32 bits, as eight hexadecimal digits."""
    value = _OFFSET
    for byte in data:
        value = ((value ^ byte) * _PRIME) & _MASK
    return f"{value:08x}"


def control_plane_namespace(cluster: Key) -> str:
    """The namespace of a hosted cluster's control plane; a namespace may have no dots."""
    return f"{cluster.namespace}-{cluster.name.replace('.', '-')}"


def route_host(name: str, namespace: str, base_domain: str) -> str:
    """The host of a route whose usual one is no DNS label; empty where the usual one will do."""
    label = f"{name}-{namespace}"
    if not base_domain or len(label) <= _LABEL_LIMIT:
        return ""
    cut = label[: _LABEL_LIMIT - _HASH_LENGTH - 1]
    return f"{cut}-{fnv1a(label.encode())}.{base_domain}"


def infra_id_base(cluster: str) -> str:
    """What a cluster's infraID begins with; a dash and five random characters follow."""
    plain = re.sub(r"-+", "-", re.sub(r"[^A-Za-z0-9-]", "-", cluster))
    return plain[:_INFRA_BASE].rstrip("-")


def infra_id(cluster: str, rng: Random) -> str:
    """An id from a cluster's name, short enough for what clouds allow (27 characters)."""
    return f"{infra_id_base(cluster)}-{''.join(rng.choice(_SUFFIX) for _ in range(5))}"


def previous_signer_secret(request: str) -> str:
    """The Secret that keeps the signer which a CertificateRevocationRequest revokes."""
    value = int.from_bytes(hashlib.sha224(request.encode()).digest())
    text = ""
    while value:
        value, digit = divmod(value, len(_DIGITS))
        text = _DIGITS[digit] + text
    return text or "0"


def collect_profiles_schedule(namespace: str) -> str:
    """When the profiles of a control plane are collected: another minute for each namespace."""
    number = int.from_bytes(namespace.encode())
    return f"{number % 60} {number % 24} * * *"
