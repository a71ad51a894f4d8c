"""Fills in what the API server would fill in, for objects that have not been there yet."""

import copy
from typing import Any, get_args, get_origin

import msgspec

from hypershift.api.facts import facts_of, is_map, unfold
from hypershift.api.struct import Shape
from hypershift.kit import Manifest


def defaulted(shape: type[Shape], manifest: Manifest) -> Manifest:
    """The object with every default of its schema, as the API server would store it."""
    filled = dict(manifest)
    for facts in facts_of(shape):
        missing = facts.wire not in filled or (
            filled[facts.wire] is None and not facts.value.nullable
        )
        if missing and facts.value.default is not None and facts.name not in _SERVERS:
            filled[facts.wire] = copy.deepcopy(facts.value.default)
        if filled.get(facts.wire) is not None:
            filled[facts.wire] = _below(facts.type, filled[facts.wire])
    return filled


#: What the API server fills in by other means than defaults.
_SERVERS = ("api_version", "kind", "metadata")


def _below(hint: Any, value: Any) -> Any:
    bare, _ = unfold(hint)
    if isinstance(bare, type) and issubclass(bare, Shape) and isinstance(value, dict):
        return value if bare.__name__ == "ObjectMeta" else defaulted(bare, value)
    if get_origin(bare) is tuple and isinstance(value, list):
        return [_below(get_args(bare)[0], each) for each in value]
    if is_map(bare) and isinstance(value, dict):
        return {key: _below(get_args(bare)[1], each) for key, each in value.items()}
    return value


def completed(shape: type[Shape], manifest: Manifest) -> Manifest:
    """The object with defaults, and with the zero value of every required field that it lacks.

    A stored object may be older than a requirement, because the API server checks an object when
    it is written and not when it is read. Go's clients read zero values there, and so do we.
    """
    return _filled(shape, defaulted(shape, manifest), defaults=True)


def zeroed(shape: type[Shape], manifest: Manifest) -> Manifest:
    """The object with zero values instead of defaults, as Go reads it before a server saw it."""
    return _filled(shape, manifest, defaults=False)


def _filled(shape: type[Shape], manifest: Manifest, *, defaults: bool) -> Manifest:
    filled = {key: value for key, value in manifest.items() if value is not None}
    for facts in facts_of(shape):
        if facts.wire in filled:
            filled[facts.wire] = _filled_below(facts.type, filled[facts.wire], defaults=defaults)
        elif facts.initial is msgspec.NODEFAULT or not (defaults or facts.initial is None):
            filled[facts.wire] = _zero(facts.type, defaults=defaults)
    return filled


def _filled_below(hint: Any, value: Any, *, defaults: bool) -> Any:
    bare, _ = unfold(hint)
    if isinstance(bare, type) and issubclass(bare, Shape) and isinstance(value, dict):
        return _filled(bare, value, defaults=defaults)
    if get_origin(bare) is tuple and isinstance(value, list):
        item = get_args(bare)[0]
        return [_filled_below(item, each, defaults=defaults) for each in value]
    if is_map(bare) and isinstance(value, dict):
        item = get_args(bare)[1]
        return {key: _filled_below(item, each, defaults=defaults) for key, each in value.items()}
    return value


def _zero(hint: Any, *, defaults: bool) -> Any:
    bare, _ = unfold(hint)
    if isinstance(bare, type) and issubclass(bare, Shape):
        return _filled(bare, {}, defaults=defaults)
    if get_origin(bare) is tuple:
        return []
    if is_map(bare):
        return {}
    return bare() if bare in (int, bool) else ""
