"""Quantities as Kubernetes writes them: `8Gi`, `500m`."""

import re
from decimal import ROUND_CEILING, Decimal

from hypershift.kit import UsageError

_NUMBER = r"[-+]?[0-9]*(\.[0-9]*)?"
_QUANTITY = re.compile(rf"({_NUMBER})(([KMGTPE]i)|[numkMGTPE]?|[eE][-+]?[0-9]+)")
#: What looks like a number with a suffix, if one that nobody knows.
_LOOSE = re.compile(rf"{_NUMBER}[eEinumkKMGTP]*[-+]?[0-9]*")
_BINARY = ("", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei")
_STEP = 1024
WRONG_FORMAT = (
    "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"
)
WRONG_SUFFIX = "unable to parse quantity's suffix"


def quantity(text: str, failing: str) -> str:
    """The quantity as Kubernetes prints it, or a refusal; `failing` says of what.

    It is printed as it was typed, but for a fraction of a binary unit: `0.5Gi` is `512Mi`.
    """
    found = _QUANTITY.fullmatch(text) if text else None
    if found is None:
        known = text and _LOOSE.fullmatch(text)
        raise UsageError(f"{failing}: {WRONG_SUFFIX if known else WRONG_FORMAT}")
    number, fraction, _, unit = found.groups()
    return _whole(Decimal(number), unit) if unit and fraction and fraction != "." else text


def _whole(number: Decimal, unit: str) -> str:
    value = int((number * _STEP ** _BINARY.index(unit)).to_integral_value(ROUND_CEILING))
    power = 0
    while value and value % _STEP == 0 and power < len(_BINARY) - 1:
        value, power = value // _STEP, power + 1
    return f"{value}{_BINARY[power]}"
