"""A fingerprint of the configuration that a pod mounts, so that its change rolls the pod."""

import hashlib
from base64 import b64decode
from collections.abc import Callable, Iterator

from hypershift.component import edit
from hypershift.kit import Manifest
from hypershift.kit.names import fnv1a

ANNOTATION = "component.hypershift.openshift.io/config-hash"

#: The API server rereads it by itself, and a rotation of signers must not roll every pod.
NEVER = frozenset({"ConfigMap/client-ca"})

KNOWN_LIMIT = 20_000
_KNOWN: dict[tuple[str, bytes], str] = {}

Find = Callable[[str, str], Manifest | None]


def mounted(pod: Manifest) -> Iterator[tuple[str, str]]:
    """Kind and name of every Secret and ConfigMap that the pod's volumes name."""
    for volume in pod["spec"].get("volumes") or ():
        yield from _sources(volume)
        for source in (volume.get("projected") or {}).get("sources") or ():
            yield from _sources(source)


def with_config_hash(pod: Manifest, find: Find, ignored: frozenset[str]) -> Manifest:
    """Annotate the pod with the fingerprint of what it mounts."""
    hashes: list[str] = []
    for kind, name in dict.fromkeys(mounted(pod)):
        if f"{kind}/{name}" not in ignored | NEVER:
            hashes += _hashes(kind, find(kind, name) or {})
    return edit.annotate(pod, {ANNOTATION: "".join(sorted(hashes))})


def _hashes(kind: str, found: Manifest) -> Iterator[str]:
    for value in (found.get("data") or {}).values():
        # Remembered by digest: a pass hashes dozens of keys that never change, and FNV is slow
        # here; the memory must not keep what a deleted Secret held.
        digest = hashlib.blake2b(value.encode(), digest_size=16).digest()
        known = _KNOWN.get((kind, digest))
        if known is None:
            known = _remember(kind, digest, value)
        yield known


def _remember(kind: str, digest: bytes, value: str) -> str:
    if len(_KNOWN) >= KNOWN_LIMIT:
        _KNOWN.clear()
    text = _printed(value) if kind == "Secret" else value
    return _KNOWN.setdefault((kind, digest), fnv1a(text.encode()))


def _printed(encoded: str) -> str:
    """Upstream hashes the printed form of a Secret's bytes; live clusters carry that hash."""
    return f"[{' '.join(str(byte) for byte in b64decode(encoded))}]"


def _sources(source: Manifest) -> Iterator[tuple[str, str]]:
    if secret := source.get("secret"):
        yield "Secret", secret.get("secretName") or secret.get("name", "")
    if config := source.get("configMap"):
        yield "ConfigMap", config.get("name", "")
