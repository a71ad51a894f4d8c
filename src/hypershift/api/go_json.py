"""Shapes as Go writes its structs to JSON: fields in their order, and some although empty.

The original hashes this text, so that a pool rolls when, and only when, it would roll there. Fields
of a shape are declared in the order of Go's struct, and `Field(go=...)` says how one is written.
"""

from collections.abc import Mapping
from enum import Enum, auto
from typing import Any, get_origin

from hypershift.api.facts import Facts, Nested, declared, is_map, nested
from hypershift.api.shape import Go
from hypershift.api.struct import Shape
from hypershift.kit.duration import format_duration, go_duration


class _Left(Enum):
    OUT = auto()


_ZEROS: Mapping[Any, Any] = {str: "", bool: False, int: 0}


def go_json(shape: type[Shape], given: Mapping[str, Any]) -> dict[str, Any]:
    """An object as Go writes it; what the shape does not declare is dropped, as Go does."""
    fields = ((facts.wire, _field(facts, given.get(facts.wire))) for facts in declared(shape))
    return {wire: value for wire, value in fields if value is not _Left.OUT}


def _field(facts: Facts, given: Any) -> Any:
    inner = nested(facts.type)
    rule = facts.value.go or (Go.ALWAYS if inner and not inner.many else Go.OMIT)
    if given is None:
        return _absent(rule, facts, inner)
    if rule is Go.DURATION:
        return format_duration(go_duration(given))
    shown = _shown(inner, given)
    is_empty = not _says_something(shown) if rule is Go.OMIT_ZERO else not given
    return _Left.OUT if is_empty and rule in (Go.OMIT, Go.OMIT_ZERO) else shown


def _absent(rule: Go, facts: Facts, inner: Nested | None) -> Any:
    """What Go writes for a field that was not given."""
    if rule is not Go.ALWAYS:
        return None if rule is Go.NULL else _Left.OUT
    if inner and not inner.many:
        return go_json(inner.shape, {})
    is_nil = is_map(facts.type) or get_origin(facts.type) is tuple
    return None if is_nil else _ZEROS[facts.type]


def _shown(inner: Nested | None, given: Any) -> Any:
    if inner is None:
        # Go sorts the keys of maps.
        return dict(sorted(given.items())) if isinstance(given, dict) else given
    if inner.many:
        return [go_json(inner.shape, item) for item in given]
    return go_json(inner.shape, given)


def _says_something(value: Any) -> bool:
    if isinstance(value, dict):
        return any(_says_something(item) for item in value.values())
    return bool(value)
