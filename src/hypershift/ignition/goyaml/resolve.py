"""What a plain scalar means in go-yaml v2: YAML 1.1 words, Go's integer syntax, no base 60."""

import math
import re
from typing import Any

_TRUE = ("y", "Y", "yes", "Yes", "YES", "true", "True", "TRUE", "on", "On", "ON")
_FALSE = ("n", "N", "no", "No", "NO", "false", "False", "FALSE", "off", "Off", "OFF")
_NULL = ("", "~", "null", "Null", "NULL")
_WORDS: dict[str, Any] = {
    **dict.fromkeys(_TRUE, True),
    **dict.fromkeys(_FALSE, False),
    **dict.fromkeys(_NULL),
    **dict.fromkeys((".nan", ".NaN", ".NAN"), float("nan")),
    **dict.fromkeys((".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF"), float("inf")),
    **dict.fromkeys(("-.inf", "-.Inf", "-.INF"), float("-inf")),
}
_FLOAT = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?")
_INT = re.compile(r"[-+]?(0[xX][0-9a-fA-F]+|0[bB][01]+|0[oO][0-7]+|0[0-7]*|[1-9][0-9]*)")
_OLD_OCTAL = re.compile(r"0[0-7]+")
_BASE_60 = re.compile(r"[-+]?[0-9][0-9_]*(:[0-5]?[0-9])+(\.[0-9_]*)?")
_DATE = re.compile(
    r"[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}"
    r"([Tt][0-9]{1,2}:[0-9]{1,2}:[0-9]{1,2}(\.[0-9]+)?(Z|[-+][0-9]{2}:[0-9]{2})"
    r"| [0-9]{1,2}:[0-9]{1,2}:[0-9]{1,2}(\.[0-9]+)?)?"
)
_LONGEST_INT = 128  # 64 binary digits, a sign, a prefix, and zeros in front
_UINT64_MAX = 2**64 - 1
_INT64_MAX = 2**63 - 1
_INT64_MIN = -(2**63)


def resolve(text: str) -> Any:
    """The value that an untagged plain scalar stands for; dates stay text."""
    if text in _WORDS:
        return _WORDS[text]
    first = text[0]
    if first == ".":
        return _float(text, text) if _FLOAT.fullmatch(text) else text
    if first not in "0123456789+-" or _DATE.fullmatch(text):
        return text
    return _number(text)


def is_text(text: str) -> bool:
    """Whether the plain form of a string would be read back as that string."""
    if text and (_DATE.fullmatch(text) or _BASE_60.fullmatch(text)):
        return False
    return isinstance(resolve(text), str)


def _number(text: str) -> Any:
    plain = text.replace("_", "")
    if _INT.fullmatch(plain) and (value := _integer(plain)) is not None:
        return value
    return _float(plain, text) if _FLOAT.fullmatch(plain) else text


def _float(plain: str, text: str) -> Any:
    """The number, or the text itself where it fits no float, as Go's parser does."""
    value = float(plain)
    return text if math.isinf(value) else value


def _integer(plain: str) -> int | None:
    """Go's integer of any base, or None where it does not fit 64 bits."""
    if len(plain) > _LONGEST_INT:
        return None  # and Python refuses to read thousands of digits
    sign, digits = (-1, plain[1:]) if plain[0] == "-" else (1, plain.lstrip("+"))
    if _OLD_OCTAL.fullmatch(digits):
        digits = f"0o{digits}"
    value = sign * int(digits, 0)
    limit = _INT64_MAX if plain[0] == "+" else _UINT64_MAX
    return value if _INT64_MIN <= value <= limit else None
