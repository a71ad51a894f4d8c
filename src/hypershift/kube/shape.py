"""Manifests as we keep them: copied without sharing, stripped of what nobody reads."""

import sys
from typing import Any, TypeVar

from hypershift.kit import Manifest

T = TypeVar("T")


def duplicate(value: T) -> T:
    """A deep copy of JSON, several times faster than `copy.deepcopy`."""
    return _duplicate(value)  # type: ignore[no-any-return]  # JSON in, the same JSON out


def _duplicate(value: Any) -> Any:
    # Most items are plain values: they are not worth a call.
    if value.__class__ is dict:
        return {
            name: _duplicate(item) if item.__class__ in _NESTED else item
            for name, item in value.items()
        }
    if value.__class__ is list:
        return [_duplicate(item) if item.__class__ in _NESTED else item for item in value]
    return value


_NESTED = frozenset({dict, list})


def slim(manifest: Manifest) -> Manifest:
    """Drop `managedFields` and share the strings that thousands of objects repeat."""
    metadata = manifest.get("metadata")
    if not isinstance(metadata, dict):
        raise TypeError(f"an object of kind {manifest.get('kind')!r} has no metadata")
    metadata.pop("managedFields", None)
    for place in (manifest, metadata):
        for field in ("apiVersion", "kind", "namespace", "creationTimestamp"):
            if isinstance(value := place.get(field), str):
                place[field] = sys.intern(value)
    if labels := metadata.get("labels"):
        metadata["labels"] = {sys.intern(name): sys.intern(value) for name, value in labels.items()}
    return manifest


def version_of(manifest: Manifest) -> int:
    """The resource version as a number; API servers of today promise that it is one."""
    return version_number(manifest.get("metadata", {}).get("resourceVersion") or "")


def version_number(text: str) -> int:
    """A resource version as a number; what is no number sorts before every other."""
    return int(text) if text.isdigit() else 0


def uid_of(manifest: Manifest) -> str:
    """What tells an object from a later namesake."""
    return str(manifest["metadata"].get("uid") or "")
