"""Label and field selectors, decided here as the API server decides them."""

import re
from collections.abc import Callable
from functools import lru_cache

from hypershift.kit import Manifest, labels_of

Predicate = Callable[[Manifest], bool]

_SET = re.compile(r"^(?P<key>[^\s!=(),]+)\s+(?P<op>in|notin)\s*\((?P<values>[^()]*)\)$")
_EQUAL = re.compile(r"^(?P<key>[^\s!=(),]+)\s*(?P<op>==|=|!=)\s*(?P<value>[^\s!=(),]*)$")
_EXISTS = re.compile(r"^(?P<op>!?)\s*(?P<key>[^\s!=(),]+)$")
_COMMA = re.compile(r",(?![^()]*\))")


@lru_cache(maxsize=1024)
def label_selector(text: str) -> Predicate:
    """What `-l text` chooses; `ValueError` when it does not parse."""
    tests = [_label_test(part.strip()) for part in _COMMA.split(text)] if text.strip() else []
    return lambda manifest: all(test(labels_of(manifest)) for test in tests)


def _label_test(part: str) -> Callable[[dict[str, str]], bool]:
    if found := _SET.match(part):
        key, values = found["key"], {value.strip() for value in found["values"].split(",")}
        if found["op"] == "in":
            return lambda labels: key in labels and labels[key] in values
        return lambda labels: labels.get(key) not in values
    if found := _EQUAL.match(part):
        key, value = found["key"], found["value"]
        if found["op"] == "!=":
            return lambda labels: labels.get(key) != value
        return lambda labels: labels.get(key) == value
    if found := _EXISTS.match(part):
        key = found["key"]
        return (lambda labels: key not in labels) if found["op"] else (lambda labels: key in labels)
    raise ValueError(f"label selector {part!r} does not parse")


@lru_cache(maxsize=1024)
def field_selector(text: str) -> Predicate:
    """What `--field-selector text` chooses, for any field that the object has."""
    tests = [_field_test(part.strip()) for part in text.split(",")] if text.strip() else []
    return lambda manifest: all(test(manifest) for test in tests)


def _field_test(part: str) -> Predicate:
    found = _EQUAL.match(part)
    if not found:
        raise ValueError(f"field selector {part!r} does not parse")
    path, value, negate = found["key"].split("."), found["value"], found["op"] == "!="
    return lambda manifest: (_field(manifest, path) == value) != negate


def _field(manifest: Manifest, path: list[str]) -> str:
    value: object = manifest
    for step in path:
        value = value.get(step) if isinstance(value, dict) else None
    return "" if value is None else str(value)


def selector(labels: dict[str, str]) -> str:
    """The selector text for an exact set of labels."""
    return ",".join(f"{name}={value}" for name, value in sorted(labels.items()))
