"""Fills in what the API server would fill in, for objects that have not been there yet."""

import copy
from typing import Any, get_args, get_origin

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
