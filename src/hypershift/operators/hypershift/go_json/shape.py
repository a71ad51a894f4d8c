"""How Go writes a struct to JSON: its fields in their order, and which of them although empty.

A shape maps the names of fields, in Go's order, to what becomes of each: another shape is a struct,
which Go always shows; `OMIT` is left out while it is empty; any other plain value is what an absent
field is shown as.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum, auto
from typing import Any

from hypershift.kit.duration import format_duration, go_duration

Shape = Mapping[str, Any]


class Empty(Enum):
    """What becomes of a field that holds nothing."""

    OMIT = auto()  # left out, as is whatever counts as empty
    NIL = auto()  # a pointer: left out, but an empty value that was given is shown
    DURATION = auto()  # a pointer to a duration, which Go spells in its own way


OMIT, NIL, DURATION = Empty.OMIT, Empty.NIL, Empty.DURATION


@dataclass(frozen=True, slots=True)
class Pointer:
    """A struct that is shown where it was given, however empty; `absent` where it was not."""

    shape: Shape
    absent: Any = OMIT


@dataclass(frozen=True, slots=True)
class NonZero:
    """A struct that is left out while everything in it is empty."""

    shape: Shape


@dataclass(frozen=True, slots=True)
class Items:
    """A list of structs; `absent` is what an empty one is shown as."""

    shape: Shape
    absent: Any = OMIT


def shown(shape: Shape, given: Mapping[str, Any]) -> dict[str, Any]:
    """A struct as Go shows it; what the shape does not name is dropped, as Go does on reading."""
    fields = ((name, _field(rule, given.get(name))) for name, rule in shape.items())
    return {name: value for name, value in fields if value is not OMIT}


def _field(rule: Any, given: Any) -> Any:
    match rule:
        case Pointer():
            return rule.absent if given is None else shown(rule.shape, given)
        case NonZero():
            inner = shown(rule.shape, given or {})
            return inner if _says_something(inner) else OMIT
        case Items():
            if not given:
                return rule.absent if given is None or rule.absent is OMIT else given
            return [shown(rule.shape, item) for item in given]
        case Mapping():
            return shown(rule, given or {})
        case _:
            return _plain(rule, given)


def _plain(rule: Any, given: Any) -> Any:
    if given is None:
        return OMIT if isinstance(rule, Empty) else rule
    if rule is DURATION:
        return format_duration(go_duration(given))
    return OMIT if rule is OMIT and not given else _sorted(given)


def _sorted(value: Any) -> Any:
    """Go sorts the keys of maps."""
    return dict(sorted(value.items())) if isinstance(value, dict) else value


def _says_something(value: Any) -> bool:
    if isinstance(value, dict):
        return any(_says_something(item) for item in value.values())
    return bool(value)
