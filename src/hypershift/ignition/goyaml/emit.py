"""Writes YAML text as go-yaml v2 does: two blanks, lists not indented, lines folded after 80."""

from collections.abc import Mapping
from typing import Any

from hypershift.ignition.goyaml import gojson
from hypershift.ignition.goyaml.order import natural
from hypershift.ignition.goyaml.scalar import LONGEST_KEY, Writer, is_multiline

_INDENT = 2


def emit(value: Any) -> str:
    """One document, with its final line break."""
    writer = Writer()
    _node(writer, value, indent=0, root=True)
    writer.finish_line()
    return writer.text()


def _node(writer: Writer, value: Any, *, indent: int, root: bool = False) -> None:
    if isinstance(value, Mapping):
        _mapping(writer, value, indent=0 if root else indent)
    elif isinstance(value, list):
        _sequence(writer, value, indent=0 if root else indent)
    elif isinstance(value, str):
        writer.string(value, indent=indent + _INDENT)
    else:
        writer.word(_scalar_text(value))


def _scalar_text(value: Any) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    return gojson.shortest(value) if isinstance(value, float) else str(value)


def _mapping(writer: Writer, value: Mapping[str, Any], *, indent: int) -> None:
    if not value:
        writer.word("{}")
        return
    for key in sorted(value, key=natural):
        writer.start_line(indent)
        _key(writer, key, indent=indent)
        _under(writer, value[key], indent=indent)


def _key(writer: Writer, key: str, *, indent: int) -> None:
    if len(key.encode()) > LONGEST_KEY or is_multiline(key):
        writer.indicator("?")
        writer.string(key, indent=indent + _INDENT)
        writer.start_line(indent)
        writer.indicator(":")
    else:
        writer.string(key, indent=indent + _INDENT, simple_key=True)
        writer.close_key()


def _under(writer: Writer, value: Any, *, indent: int) -> None:
    """The value of a key: maps go deeper, lists stay at the key's own indentation."""
    if isinstance(value, list) and value:
        _items(writer, value, indent=indent)
    elif isinstance(value, Mapping) and value:
        _mapping(writer, value, indent=indent + _INDENT)
    else:
        _node(writer, value, indent=indent)


def _sequence(writer: Writer, value: list[Any], *, indent: int) -> None:
    if not value:
        writer.word("[]")
        return
    _items(writer, value, indent=indent)


def _items(writer: Writer, value: list[Any], *, indent: int) -> None:
    for item in value:
        writer.start_line(indent)
        writer.indicator("-")
        if isinstance(item, Mapping | list):
            _node(writer, item, indent=indent + _INDENT)
        else:
            _node(writer, item, indent=indent)
