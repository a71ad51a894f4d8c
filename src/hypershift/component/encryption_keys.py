"""Names of encryption keys, as they stand in the prefix of stored data."""

from typing import Final

from hypershift.kit import Manifest
from hypershift.kit.documents import loaded
from hypershift.kit.names import fnv1

AESCBC: Final = "aescbc"


def key_name(content: bytes) -> str:
    """A name that changes with the key: data carries it, so it must never mean two keys."""
    return f"key-{fnv1(content)}"


def names_in(configuration: bytes) -> frozenset[str]:
    """The keys in Secrets that an API server with this configuration can decrypt with."""
    document: Manifest = loaded(configuration or b"{}") or {}
    rules: Manifest = next(iter(document.get("resources") or ()), {})
    found = (one.get(AESCBC) for one in rules.get("providers") or ())
    return frozenset(
        f"{AESCBC}/{key['name']}" for one in found if one for key in one.get("keys") or ()
    )
