"""Reads objects into typed views and writes them back without losing what it does not know.

An object may come from a newer version of the API than ours: it can have fields, and values of
enums, that we never heard of. A view ignores them when it reads, and `write` changes only what
differs between two views, so that a read, a change and an apply keep every other byte of meaning:

    pool = read(NodePool, manifest)
    wanted = write(manifest, replace(pool, spec=replace(pool.spec, replicas=3)))
"""

import copy
import functools
from typing import Any, TypeVar

import msgspec

from hypershift.api.defaults import completed
from hypershift.api.facts import facts_of
from hypershift.api.struct import Shape
from hypershift.kit import InvalidSpec, Manifest

T = TypeVar("T", bound=Shape)


@functools.cache
def _decoder(shape: type[T]) -> msgspec.json.Decoder[T]:
    return msgspec.json.Decoder(shape)


def decode(shape: type[T], body: bytes | str) -> T:
    """Read an object from JSON."""
    decoder: msgspec.json.Decoder[T] = _decoder(shape)
    try:
        return decoder.decode(body)
    except msgspec.ValidationError:
        return read(shape, msgspec.json.decode(body))


def read(shape: type[T], manifest: Manifest) -> T:
    """Read an object from a manifest.

    Reading is lenient: a field that the object lacks has its default or its zero value, unknown
    fields are ignored, and an enum may hold a value that only a newer version knows, because enums
    are read as strings. A value of a wrong type raises InvalidSpec, which names the object.
    """
    try:
        return msgspec.convert(manifest, shape)
    except msgspec.ValidationError:
        try:
            return msgspec.convert(completed(shape, manifest), shape)
        except (msgspec.ValidationError, AttributeError) as error:
            raise _invalid(shape, manifest, error) from error


def _invalid(shape: type, manifest: Any, error: Exception) -> InvalidSpec:
    text, _, path = str(error).partition(" - at ")
    field = path.strip("`").removeprefix("$.")
    return InvalidSpec(f"{_called(shape, manifest)} cannot be read: {text}", field=field)


def _called(shape: type, manifest: Any) -> str:
    """The kind of an object, with its namespace and name where it has them."""
    metadata = manifest.get("metadata") if isinstance(manifest, dict) else None
    if not isinstance(metadata, dict) or not metadata.get("name"):
        return shape.__name__
    place = f"{metadata['namespace']}/" if metadata.get("namespace") else ""
    return f"{shape.__name__} {place}{metadata['name']}"


def replace(view: T, **changes: Any) -> T:
    """The view with some fields changed."""
    changed: T = msgspec.structs.replace(view, **changes)  # type: ignore[type-var]  # a Struct
    return changed


def encode(view: Any) -> Any:
    """Turn a view (or a part of one) into JSON values; what was not given is left out."""
    if isinstance(view, Shape):
        return {
            facts.wire: encode(value)
            for facts in facts_of(type(view))
            if (value := getattr(view, facts.name)) != facts.initial or facts.required
        }
    if isinstance(view, list | tuple):
        return [encode(each) for each in view]
    return view


def write(manifest: Manifest, view: Shape) -> Manifest:
    """The manifest with what `view` says differently from it; all else stays as it was."""
    before = read(type(view), manifest)
    changed: Manifest = _merge(manifest, before, view)
    return changed


def _merge(raw: Any, before: Any, after: Any) -> Any:
    if before == after:
        return copy.deepcopy(raw)
    if isinstance(after, Shape) and type(before) is type(after):
        return _merge_fields(raw, before, after)
    if isinstance(after, tuple) and isinstance(before, tuple):
        return _merge_items(raw, before, after)
    return encode(after)


def _merge_fields(raw: Manifest | None, before: Shape, after: Shape) -> Manifest:
    merged = dict(raw or {})
    for facts in facts_of(type(after)):
        old, new = getattr(before, facts.name), getattr(after, facts.name)
        if old == new:
            continue
        if not facts.required and (new is None or new == ()):
            merged.pop(facts.wire, None)
        else:
            merged[facts.wire] = _merge(merged.get(facts.wire), old, new)
    return merged


def _merge_items(
    raw: list[Any] | None, before: tuple[Any, ...], after: tuple[Any, ...]
) -> list[Any]:
    """Each new item begins as the old item that it continues, so that it keeps unknown fields."""
    known = raw or []
    left = dict(enumerate(before))
    merged = []
    for place, item in enumerate(after):
        found = _origin(item, place, left)
        if found is None:
            merged.append(encode(item))
        else:
            merged.append(_merge(known[found], left.pop(found), item))
    return merged


#: Fields that tell items of a list apart, as Kubernetes lists do.
_IDENTITIES = ("type", "name", "key", "id", "service", "cidr")


def _origin(item: Any, place: int, left: dict[int, Any]) -> int | None:
    """The old item that a new one continues: an equal one, one of the same identity, or none."""
    for index, old in left.items():
        if old == item:
            return index
    for name in _IDENTITIES:
        mine = getattr(item, name, None)
        if isinstance(mine, str):
            same = (index for index, old in left.items() if getattr(old, name, None) == mine)
            return next(same, None)
    return place if isinstance(item, Shape) and place in left else None
