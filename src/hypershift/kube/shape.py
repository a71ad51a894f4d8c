"""Manifests as caches keep them: copied without sharing, without fields that no reader needs."""

from collections.abc import Iterable
from typing import Any, Final, TypeVar

from hypershift.kit import Manifest

T = TypeVar("T")

#: The place of a field: the names on the way to it.
Path = tuple[str, ...]
#: What is kept of every object in a cache of names alone.
IDENTITY: Final[Path] = ("metadata", "name")
_ALWAYS: Final = (
    "name", "namespace", "uid", "resourceVersion", "generation", "creationTimestamp",
    "deletionTimestamp", "deletionGracePeriodSeconds", "finalizers", "labels", "ownerReferences",
)  # fmt: skip
#: The longest string worth sharing, and how many are.
_LONGEST_SHARED, _MOST_SHARED = 128, 50_000
_LONGEST_VERSION = 20


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


class Shared:
    """Strings that many objects repeat, each kept once; the table empties when it is full.

    `sys.intern` would keep every string for ever on newer Pythons, and guests choose labels.
    """

    def __init__(self, most: int = _MOST_SHARED) -> None:
        """Share at most so many strings at a time."""
        self._most = most
        self._known: dict[str, str] = {}

    def __len__(self) -> int:
        return len(self._known)

    def __call__(self, text: str) -> str:
        """The same text, as the one string that everybody has."""
        if text.__class__ is not str or len(text) > _LONGEST_SHARED:
            return text
        known = self._known.get(text)
        if known is not None:
            return known
        if len(self._known) >= self._most:
            self._known.clear()  # objects that exist keep their strings; later ones share new ones
        self._known[text] = text
        return text


_shared = Shared()


def slim(manifest: Manifest) -> Manifest:
    """Drop `managedFields` and share the strings that thousands of objects repeat."""
    metadata = manifest.get("metadata")
    if not isinstance(metadata, dict):
        raise TypeError(f"an object of kind {manifest.get('kind')!r} has no metadata")
    metadata.pop("managedFields", None)
    for place in (manifest, metadata):
        for field in ("apiVersion", "kind", "namespace", "creationTimestamp"):
            if isinstance(value := place.get(field), str):
                place[field] = _shared(value)
    if labels := metadata.get("labels"):
        metadata["labels"] = {_shared(name): _shared(value) for name, value in labels.items()}
    return manifest


def projected(manifest: Manifest, paths: Iterable[Path]) -> Manifest:
    """Identity, labels and owners of an object, and of all else only the fields at `paths`."""
    metadata = manifest["metadata"]
    kept: Manifest = {
        "apiVersion": manifest.get("apiVersion"),
        "kind": manifest.get("kind"),
        "metadata": {name: metadata[name] for name in _ALWAYS if name in metadata},
    }
    for path in paths:
        _take_over(manifest, kept, path)
    return kept


def _take_over(source: Any, target: Manifest, path: Path) -> None:
    for name in path[:-1]:
        source = source.get(name) if isinstance(source, dict) else None
        if not isinstance(source, dict):
            return
        target = target.setdefault(name, {})
    if path[-1] in source:
        target[path[-1]] = source[path[-1]]


def version_of(manifest: Manifest) -> int:
    """The resource version as a number; API servers of today promise that it is one."""
    return version_number(manifest.get("metadata", {}).get("resourceVersion") or "")


def version_number(text: str) -> int:
    """A resource version as a number; what is no number sorts before every other."""
    if not text.isascii() or not text.isdigit() or len(text) > _LONGEST_VERSION:
        return 0
    return int(text)


def uid_of(manifest: Manifest) -> str:
    """The identity of an object: a later one of the same name has another."""
    return str(manifest["metadata"].get("uid") or "")
