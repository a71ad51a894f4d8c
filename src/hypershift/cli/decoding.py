"""Files that describe things, read as Go's decoders read them, with their complaints.

A field is found by its name in any case, an absent one is empty, an unknown one is left out.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from hypershift.kit import UsageError
from hypershift.kit.budget import RELEASE


@dataclass(frozen=True, slots=True)
class Struct:
    """A type of the original's: what Go calls it, and its fields; None keeps whatever is there."""

    name: str
    fields: "Mapping[str, Shape] | None" = None


#: What a value may be: a text, a truth, a Struct, or a list of what a tuple holds.
Shape: TypeAlias = "type[str | bool] | Struct | tuple[Shape]"

#: What Go calls a value that stands where it has no place.
_NAMES = {list: "array", str: "string", bool: "bool", int: "number", float: "number"}
_LITERALS = {"n": "null", "t": "true", "f": "false"}
#: Where a character surprises Go's decoder, by what Python's expected there.
_PLACES = (
    ("Extra data", "after top-level value"),
    ("Expecting property name", "looking for beginning of object key string"),
    ("Illegal trailing comma before end of object", "looking for beginning of object key string"),
    ("Expecting ':'", "after object key"),
    ("Expecting ',' delimiter", "after object key:value pair"),
    ("Invalid control character", "in string literal"),
)


def from_json(text: bytes, failing: str, struct: Struct) -> dict[str, Any]:
    """The object in a JSON text."""
    content = text.decode("utf-8", "replace")  # as Go's decoder has it
    try:
        found = json.loads(content)
    except json.JSONDecodeError as error:
        raise UsageError(f"{failing}: {_complaint(content, error)}") from None
    return _struct(found, struct, _Place(failing))


def from_yaml(text: bytes, failing: str, struct: Struct) -> dict[str, Any]:
    """The object in a YAML text, which Go turns into JSON first."""
    return _struct(_yaml(text, failing), struct, _after_yaml(failing))


def list_from_yaml(text: bytes, failing: str, item: Struct) -> list[dict[str, Any]]:
    """The objects that a YAML text lists."""
    found: list[dict[str, Any]] = _fit(_yaml(text, failing), (item,), _after_yaml(failing))
    return found


def _yaml(text: bytes, failing: str) -> Any:
    # A reader of YAML in Go's way is large, and most commands read none.
    from hypershift.ignition import goyaml  # noqa: PLC0415

    try:
        return goyaml.load(text.decode(), RELEASE)
    except goyaml.YamlError as error:
        raise UsageError(f"{failing}: error converting YAML to JSON: {error}") from None
    except UnicodeDecodeError:
        complaint = "yaml: invalid leading UTF-8 octet"
        raise UsageError(f"{failing}: error converting YAML to JSON: {complaint}") from None


@dataclass(frozen=True, slots=True)
class _Place:
    """Where in a document a value stands: the type that has it, and the way to it."""

    failing: str
    struct: str = ""
    path: tuple[str, ...] = ()
    #: Scalars of YAML become text where text is wanted.
    scalars: bool = False

    def field(self, struct: Struct, name: str) -> "_Place":
        return replace(self, struct=struct.name.partition(".")[2], path=(*self.path, name))

    def unfit(self, found: Any, shape: Shape) -> UsageError:
        name = _NAMES.get(type(found), "object")
        where = f"struct field {'.'.join((self.struct, *self.path))}" if self.path else "value"
        return UsageError(
            f"{self.failing}: json: cannot unmarshal {name} into Go {where} of type {_type(shape)}"
        )


def _after_yaml(failing: str) -> _Place:
    return _Place(f"{failing}: error unmarshaling JSON: while decoding JSON", scalars=True)


def _type(shape: Shape) -> str:
    match shape:
        case Struct():
            return shape.name
        case (item,):
            return f"[]{_type(item)}"
        case _:
            return "string" if shape is str else "bool"


def _fit(found: Any, shape: Shape, place: _Place) -> Any:
    match shape:
        case Struct(fields=None) if found is None:
            return None
        case Struct():
            return _struct(found, shape, place)
        case (item,):
            if not isinstance(found, list | None):
                raise place.unfit(found, shape)
            return [_fit(each, item, place) for each in found or []]
        case _:
            return _scalar(found, shape, place)


def _struct(found: Any, struct: Struct, place: _Place) -> dict[str, Any]:
    if not isinstance(found, dict | None):
        raise place.unfit(found, struct)
    given = found or {}
    if struct.fields is None:
        return given
    names = {name.lower(): name for name in struct.fields}
    known = {names[key.lower()]: each for key, each in given.items() if key.lower() in names}
    return {
        name: _fit(known.get(name), shape, place.field(struct, name))
        for name, shape in struct.fields.items()
    }


def _scalar(found: Any, wanted: type[str | bool], place: _Place) -> str | bool:
    if found is None:
        return wanted()
    if place.scalars and wanted is str and isinstance(found, bool | int | float):
        return json.dumps(found)
    if not isinstance(found, wanted):
        raise place.unfit(found, wanted)
    return found


def _complaint(text: str, error: json.JSONDecodeError) -> str:
    """The message of Go's decoder about a text that is no JSON."""
    position = error.pos + len(text[error.pos :]) - len(text[error.pos :].lstrip())
    if position >= len(text) or error.msg.startswith("Unterminated"):
        return "unexpected end of JSON input"
    rest = text[position:]
    for start, place in _PLACES:
        if error.msg.startswith(start):
            return f"invalid character {_quoted(rest[0])} {place}"
    word = _LITERALS.get(rest[0], "")
    for got, wanted in zip(rest, word, strict=False):
        if got != wanted:
            return f"invalid character {_quoted(got)} in literal {word} (expecting '{wanted}')"
    return f"invalid character {_quoted(rest[0])} looking for beginning of value"


def _quoted(character: str) -> str:
    escaped = {"'": "\\'", "\n": "\\n", "\t": "\\t", "\r": "\\r"}
    return f"'{escaped.get(character, character)}'"
