"""JSON text as Go's encoding/json writes it: sorted maps, HTML characters escaped, no blanks."""

import json
import math
from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from hypershift.kit import InvalidSpec

_ESCAPES = {
    "<": "\\u003c",
    ">": "\\u003e",
    "&": "\\u0026",
    "\u2028": "\\u2028",
    "\u2029": "\\u2029",
}
_SHORT = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"}
_MAX_FIXED = 21
_MIN_FIXED = -6
_LARGEST_PLAIN = 6
_SMALLEST_PLAIN = -4


class UnsupportedValue(InvalidSpec, ValueError):
    """A number that JSON cannot write: YAML has infinity and NaN."""


def to_json(value: Any, *, sort: bool = True) -> str:
    """The text; maps are sorted by key unless their order stands for Go's struct fields."""
    if isinstance(value, str):
        return quoted(value)
    if isinstance(value, float):
        return json_number(value)
    if isinstance(value, Mapping):
        keys = sorted(value) if sort else value
        return (
            "{" + ",".join(f"{quoted(key)}:{to_json(value[key], sort=sort)}" for key in keys) + "}"
        )
    if isinstance(value, (list, tuple)):
        return "[" + ",".join(to_json(item, sort=sort) for item in value) + "]"
    return json.dumps(value)


def quoted(text: str) -> str:
    """A JSON string with Go's escapes."""
    return '"' + "".join(map(_escaped, text)) + '"'


def _escaped(char: str) -> str:
    if char in _SHORT:
        return _SHORT[char]
    if char in _ESCAPES:
        return _ESCAPES[char]
    return f"\\u{ord(char):04x}" if char < " " else char


def json_number(value: float) -> str:
    """A float as Go's JSON writes it: fixed notation between 1e-6 and 1e21."""
    if math.isinf(value) or math.isnan(value):
        name = "NaN" if math.isnan(value) else ("+Inf" if value > 0 else "-Inf")
        raise UnsupportedValue(f"json: unsupported value: {name}")
    if value == 0:
        return "-0" if math.copysign(1, value) < 0 else "0"
    exponent = Decimal(repr(value)).adjusted()
    if _MIN_FIXED <= exponent < _MAX_FIXED:
        return fixed(value)
    return exponential(value, digits=1)


def fixed(value: float) -> str:
    """Shortest digits in fixed notation, a whole number without its point."""
    return f"{Decimal(repr(value)):f}".removesuffix(".0")


def exponential(value: float, *, digits: int) -> str:
    """Shortest digits in exponent notation with at least so many digits in the exponent."""
    sign, mantissa, _ = Decimal(repr(value)).normalize().as_tuple()
    exponent = Decimal(repr(value)).adjusted()
    text = "".join(map(str, mantissa))
    head = text[0] + (f".{text[1:]}" if len(text) > 1 else "")
    mark = "-" if exponent < 0 else "+"
    return f"{'-' if sign else ''}{head}e{mark}{abs(exponent):0{digits}d}"


def shortest(value: float) -> str:
    """A float in Go's shortest %g: exponent notation from 1e6 on and below 1e-4."""
    if value == 0 or _SMALLEST_PLAIN <= Decimal(repr(value)).adjusted() < _LARGEST_PLAIN:
        return fixed(value)
    return exponential(value, digits=2)
