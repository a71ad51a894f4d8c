"""Reads YAML text as the original does: go-yaml v2's scalars, then JSON's rules for keys."""

import base64
import binascii
from typing import Any

import yaml
from yaml.events import (
    AliasEvent,
    DocumentStartEvent,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
)

from hypershift.ignition.goyaml import gojson
from hypershift.ignition.goyaml.resolve import resolve
from hypershift.kit import InvalidSpec
from hypershift.kit.budget import USER, BadDocument, Budget, Meter

_PREFIX = "tag:yaml.org,2002:"
_PARSER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class YamlError(InvalidSpec):
    """Text that is not YAML, in the words of go-yaml."""


class _Merge:
    """The key `<<`, which pours another map into this one."""


_MERGE = _Merge()


def load(text: str, budget: Budget = USER) -> Any:
    """The first document of a text as JSON values; an empty text is None.

    A document that costs more than its budget is refused, with a YamlError like all others.
    """
    meter = Meter(budget)
    try:
        meter.budget.check_size(text)
        parser = _PARSER(text.removeprefix("\ufeff"))
    except BadDocument as error:
        raise YamlError(f"yaml: {error}") from error
    except UnicodeEncodeError as error:
        raise YamlError("yaml: invalid Unicode character") from error
    try:
        return _Reader(parser, meter).document()
    except yaml.YAMLError as error:
        raise YamlError(_message(error)) from error
    except BadDocument as error:
        raise YamlError(f"yaml: {error}") from error
    finally:
        parser.dispose()


class _Reader:
    """Builds values out of parser events; events still know which tags were written out."""

    def __init__(self, parser: Any, meter: Meter) -> None:
        self._parser = parser
        self._meter = meter
        self._anchors: dict[str, Any] = {}

    def document(self) -> Any:
        self._parser.get_event()  # the stream starts
        if not self._parser.check_event(DocumentStartEvent):
            return None
        self._parser.get_event()
        return self._value()

    def _value(self) -> Any:
        event = self._parser.get_event()
        if isinstance(event, AliasEvent):
            # The value is shared here; an encoder that writes it out pays for it each time.
            name = event.anchor or ""
            if not self._meter.alias(name):
                raise YamlError(f"yaml: unknown anchor '{name}' referenced")
            return self._anchors[name]
        before = self._meter.mark()
        value = self._built(event)
        if event.anchor:
            self._anchors[event.anchor] = value
            self._meter.anchor(event.anchor, before)
        return value

    def _built(self, event: Any) -> Any:
        if isinstance(event, ScalarEvent):
            self._meter.node(len(event.value))
            return _scalar(event)
        self._meter.node()
        self._meter.enter()
        value = self._mapping() if isinstance(event, MappingStartEvent) else self._sequence()
        self._meter.leave()
        return value

    def _sequence(self) -> list[Any]:
        items = []
        while not self._parser.check_event(SequenceEndEvent):
            items.append(self._value())
        self._parser.get_event()
        return items

    def _mapping(self) -> dict[str, Any]:
        merged: dict[str, Any] = {}
        own: dict[str, Any] = {}
        while not self._parser.check_event(MappingEndEvent):
            key, value = self._key(), self._value()
            if key is _MERGE:
                merged.update(_merged(value))
            else:
                own[_text_of_key(key, value)] = value
        self._parser.get_event()
        return merged | own

    def _key(self) -> Any:
        event = self._parser.peek_event()
        if isinstance(event, ScalarEvent) and event.value == "<<" and event.implicit[0]:
            self._parser.get_event()
            return _MERGE
        return self._value()


def _scalar(event: ScalarEvent) -> Any:
    tag = (event.tag or "").removeprefix(_PREFIX)
    if tag == "binary":
        return _binary(event.value)
    if tag in ("int", "float", "bool", "null") or (not tag and event.implicit[0]):
        return resolve(event.value)
    return event.value


def _binary(text: str) -> str:
    try:
        return base64.b64decode(text).decode("utf-8", "replace")
    except (binascii.Error, ValueError) as error:
        raise YamlError("yaml: !!binary value contains invalid base64 data") from error


def _merged(value: Any) -> dict[str, Any]:
    """The maps poured in by `<<`; of several the first has the last word."""
    maps = value if isinstance(value, list) else [value]
    if not all(isinstance(item, dict) for item in maps):
        raise YamlError("yaml: map merge requires map or sequence of maps as the value")
    merged: dict[str, Any] = {}
    for item in reversed(maps):
        merged.update(item)
    return merged


def _text_of_key(key: Any, value: Any) -> str:
    if isinstance(key, bool):
        return "true" if key else "false"
    if isinstance(key, float):
        return gojson.shortest(key)
    if isinstance(key, int | str):
        return str(key)
    shown = gojson.to_json(value)
    raise YamlError(f"unsupported map key of type: %!s(<nil>), key: <nil>, value: {shown}")


def _message(error: yaml.YAMLError) -> str:
    if isinstance(error, yaml.reader.ReaderError):
        return "yaml: control characters are not allowed"
    problem = getattr(error, "problem", None) or str(error)
    mark = getattr(error, "problem_mark", None)
    line = mark.line if mark else 0
    if line and isinstance(error, yaml.scanner.ScannerError):
        line += 1  # the scanner has not counted the line it stands on
    return f"yaml: line {line}: {problem}" if line else f"yaml: {problem}"
