"""A fingerprint of the configuration that a pod mounts, so that its change rolls the pod."""

from base64 import b64decode
from collections.abc import Callable, Iterator

from hypershift.component import edit
from hypershift.kit import Manifest

ANNOTATION = "component.hypershift.openshift.io/config-hash"

#: The API server rereads it by itself, and a rotation of signers must not roll every pod.
NEVER = frozenset({"ConfigMap/client-ca"})

Find = Callable[[str, str], Manifest | None]


def fnv1a(data: bytes) -> str:
    """FNV-1a, 32 bits, as eight hex digits."""
    value = 0x811C9DC5
    for byte in data:
        value = (value ^ byte) * 0x01000193 & 0xFFFFFFFF
    return f"{value:08x}"


def mounted(pod: Manifest) -> Iterator[tuple[str, str]]:
    """Kind and name of every Secret and ConfigMap that the pod's volumes name."""
    for volume in pod["spec"].get("volumes") or ():
        yield from _sources(volume)
        for source in (volume.get("projected") or {}).get("sources") or ():
            yield from _sources(source)


def with_config_hash(pod: Manifest, find: Find, ignored: frozenset[str]) -> Manifest:
    """Annotate the pod with the fingerprint of what it mounts."""
    hashes: list[str] = []
    for kind, name in mounted(pod):
        if f"{kind}/{name}" not in ignored | NEVER:
            hashes += _hashes(kind, find(kind, name) or {})
    return edit.annotate(pod, {ANNOTATION: "".join(sorted(hashes))})


def _hashes(kind: str, found: Manifest) -> Iterator[str]:
    for value in (found.get("data") or {}).values():
        if kind == "Secret":
            # Upstream hashes the printed form of the bytes; live clusters carry that hash.
            yield fnv1a(f"[{' '.join(str(byte) for byte in b64decode(value))}]".encode())
        else:
            yield fnv1a(str(value).encode())


def _sources(source: Manifest) -> Iterator[tuple[str, str]]:
    if secret := source.get("secret"):
        yield "Secret", secret.get("secretName") or secret.get("name", "")
    if config := source.get("configMap"):
        yield "ConfigMap", config.get("name", "")
