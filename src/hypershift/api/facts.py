"""What a shape declares about each of its fields, gathered from the annotations once."""

import dataclasses
import functools
import operator
import types
from collections.abc import Mapping
from enum import Enum, auto
from typing import Annotated, Any, NamedTuple, Union, get_args, get_origin

import msgspec

from hypershift.api.shape import Field, Value
from hypershift.api.struct import Shape, StructField, struct_fields


class Facts(NamedTuple):
    """A field as the schema sees it: its bare type and everything said about it.

    `initial` is what the field holds in Python when it was not given.
    """

    name: str
    wire: str
    type: Any
    value: Value
    description: str
    required: bool
    initial: Any


@functools.cache
def declared(shape: type[Shape]) -> tuple[Facts, ...]:
    """The fields of a shape, in the order of declaration."""
    return tuple(_facts(info) for info in struct_fields(shape))


@functools.cache
def facts_of(shape: type[Shape]) -> tuple[Facts, ...]:
    """The fields of a shape, in the order of their wire names."""
    return tuple(sorted(declared(shape), key=lambda facts: facts.wire))


def _facts(info: StructField) -> Facts:
    bare, notes = unfold(info.type)
    value = merged(notes)
    if value.default is None and info.default is not msgspec.NODEFAULT:
        default = None if isinstance(info.default, Shape | tuple) else info.default
        value = dataclasses.replace(value, default=default)
    text = next((note.description for note in notes if isinstance(note, Field)), "")
    required = value.required or (info.required and not value.optional)
    return Facts(info.name, info.wire, bare, value, text, required, info.default)


def unfold(hint: Any) -> tuple[Any, list[Value]]:
    """Take `Annotated` and `| None` off a type, keeping what was noted, innermost first."""
    if get_origin(hint) is Annotated:
        inner, *notes = get_args(hint)
        bare, below = unfold(inner)
        return bare, below + [note for note in notes if isinstance(note, Value)]
    if get_origin(hint) in (Union, types.UnionType):
        kept = [arg for arg in get_args(hint) if arg is not type(None)]
        return unfold(kept[0]) if len(kept) == 1 else (functools.reduce(operator.or_, kept), [])
    return hint, []


_SLOTS = [(slot.name, slot.default) for slot in dataclasses.fields(Value)]


def merged(notes: list[Value]) -> Value:
    """One value that says what all of them say; the outermost wins."""
    said = {
        name: getattr(note, name)
        for note in notes
        for name, silent in _SLOTS
        if getattr(note, name) != silent
    }
    return Value(**said)


class Nested(NamedTuple):
    """The shape that a field holds; `many` for a list of them."""

    shape: type[Shape]
    many: bool


@functools.cache
def nested(hint: Any) -> Nested | None:
    """The shape inside of a field's type; None where there is none."""
    many = get_origin(hint) is tuple
    bare = unfold(get_args(hint)[0])[0] if many else hint
    is_shape = isinstance(bare, type) and issubclass(bare, Shape)
    return Nested(bare, many) if is_shape else None


class Form(Enum):
    """What JSON has for a value of a type."""

    SHAPE = auto()
    LIST = auto()
    MAP = auto()
    PLAIN = auto()


class Content(NamedTuple):
    """The form of a type; `inner` is the shape itself, or the type of a list's or map's items."""

    form: Form
    inner: Any


@functools.cache
def content(hint: Any) -> Content:
    """How to walk through a value of a type; each type is taken apart once."""
    bare, _ = unfold(hint)
    if isinstance(bare, type) and issubclass(bare, Shape):
        return Content(Form.SHAPE, bare)
    if get_origin(bare) is tuple:
        return Content(Form.LIST, get_args(bare)[0])
    if is_map(bare):
        return Content(Form.MAP, get_args(bare)[1])
    return Content(Form.PLAIN, bare)


def is_map(bare: Any) -> bool:
    """Whether a type is a map with free keys."""
    return get_origin(bare) is Mapping
