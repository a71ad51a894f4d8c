"""Fills in what the API server would fill in, for objects that have not been there yet."""

import copy
from typing import Any

import msgspec

from hypershift.api.facts import Form, content, facts_of
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
    match content(hint), value:
        case (Form.SHAPE, shape), dict():
            return value if shape.__name__ == "ObjectMeta" else defaulted(shape, value)
        case (Form.LIST, item), list():
            return [_below(item, each) for each in value]
        case (Form.MAP, item), dict():
            return {key: _below(item, each) for key, each in value.items()}
        case _:
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
    match content(hint), value:
        case (Form.SHAPE, shape), dict():
            return _filled(shape, value, defaults=defaults)
        case (Form.LIST, item), list():
            return [_filled_below(item, each, defaults=defaults) for each in value]
        case (Form.MAP, item), dict():
            return {
                key: _filled_below(item, each, defaults=defaults) for key, each in value.items()
            }
        case _:
            return value


def _zero(hint: Any, *, defaults: bool) -> Any:
    match content(hint):
        case (Form.SHAPE, shape):
            return _filled(shape, {}, defaults=defaults)
        case (Form.LIST, _):
            return []
        case (Form.MAP, _):
            return {}
        case (_, bare):
            return bare() if bare in (int, bool) else ""
