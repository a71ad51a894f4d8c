"""Files that describe things, read as Go's decoders read them, with their complaints."""

import json
from typing import Any

import yaml

from hypershift.kit import UsageError

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


def from_json(text: str, failing: str, kind: str) -> dict[str, Any]:
    """The object in a JSON text; `kind` is what Go calls its type."""
    try:
        found = json.loads(text)
    except json.JSONDecodeError as error:
        raise UsageError(f"{failing}: {_complaint(text, error)}") from None
    return _object(found, failing, kind)


def from_yaml(text: bytes, failing: str, kind: str) -> dict[str, Any]:
    """The object in a YAML text, which Go turns into JSON first."""
    found = _yaml(text, failing)
    return _object(found, f"{failing}: error unmarshaling JSON: while decoding JSON", kind)


def list_from_yaml(text: bytes, failing: str, kind: str, fields: tuple[str, ...]) -> list[Any]:
    """The objects that a YAML text lists, with the fields that their type has."""
    found = _yaml(text, failing)
    decoding = f"{failing}: error unmarshaling JSON: while decoding JSON"
    if found is not None and not isinstance(found, list):
        raise UsageError(f"{decoding}: {_unfit(found, f'[]{kind}')}")
    objects = [_object(each, decoding, kind) for each in found or []]
    return [{name: each[name] for name in fields if name in each} for each in objects]


def _yaml(text: bytes, failing: str) -> Any:
    try:
        return yaml.safe_load(text)
    except yaml.YAMLError as error:
        raise UsageError(f"{failing}: error converting YAML to JSON: yaml: {error}") from None


def _object(found: Any, failing: str, kind: str) -> dict[str, Any]:
    if found is None:
        return {}
    if not isinstance(found, dict):
        raise UsageError(f"{failing}: {_unfit(found, kind)}")
    return found


def _unfit(found: Any, kind: str) -> str:
    name = _NAMES.get(type(found), "object")
    return f"json: cannot unmarshal {name} into Go value of type {kind}"


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
