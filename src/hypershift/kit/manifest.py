"""Kubernetes objects as plain JSON, and the few questions everybody asks them."""

from base64 import b64decode
from typing import Any, NamedTuple

Manifest = dict[str, Any]


class Key(NamedTuple):
    """The identity of an object: namespace (empty for cluster-scoped kinds) and name."""

    namespace: str
    name: str

    def __str__(self) -> str:
        return f"{self.namespace}/{self.name}" if self.namespace else self.name


def key_of(manifest: Manifest) -> Key:
    """The namespace and name of an object."""
    metadata = manifest["metadata"]
    return Key(metadata.get("namespace", ""), metadata["name"])


def labels_of(manifest: Manifest) -> dict[str, str]:
    """The labels of an object, empty when it has none."""
    return manifest.get("metadata", {}).get("labels") or {}


def annotations_of(manifest: Manifest) -> dict[str, str]:
    """The annotations of an object, empty when it has none."""
    return manifest.get("metadata", {}).get("annotations") or {}


def data_of(secret: Manifest | None, key: str) -> bytes:
    """One value of a Secret, empty when it has none."""
    return b64decode(((secret or {}).get("data") or {}).get(key, ""))


def deep_merge(base: Any, overlay: Any) -> Any:
    """Merge JSON maps key by key, the overlay winning; lists and scalars are replaced whole."""
    if isinstance(base, dict) and isinstance(overlay, dict):
        merged = dict(base)
        for name, value in overlay.items():
            merged[name] = deep_merge(base[name], value) if name in base else value
        return merged
    return overlay
