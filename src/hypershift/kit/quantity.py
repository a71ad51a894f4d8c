"""Kubernetes quantities: their canonical text, and sums."""

import re
from collections.abc import Callable
from decimal import Context, Decimal, localcontext

from hypershift.kit.errors import InvalidSpec

_BINARY = {"Ki": 1, "Mi": 2, "Gi": 3, "Ti": 4, "Pi": 5, "Ei": 6}
_DECIMAL = {"n": -3, "u": -2, "m": -1, "": 0, "k": 1, "M": 2, "G": 3, "T": 4, "P": 5, "E": 6}
_SHAPE = re.compile(
    r"([-+]?[0-9]*\.?[0-9]+|[-+]?[0-9]+\.)(([KMGTPE]i)|([numkMGTPE]?)|[eE]([-+]?[0-9]+))"
)
#: What looks like a number with a suffix, even an unknown one.
_LOOSE = re.compile(r"[-+]?[0-9]*(\.[0-9]*)?[eEinumkKMGTP]*[-+]?[0-9]*")
#: Kubernetes keeps quantities in 64 bits. Longer texts also take quadratic time to match.
_LONGEST, _LARGEST_EXPONENT = 64, 40
#: More digits than the longest text with the largest suffix has: nothing is rounded.
_EXACT = Context(prec=2 * (_LONGEST + _LARGEST_EXPONENT))
WRONG_FORMAT = (
    "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"
)
WRONG_SUFFIX = "unable to parse quantity's suffix"


def canonical(text: str) -> str:
    """The text that Kubernetes writes for a quantity: the largest suffix that loses nothing."""
    with localcontext(_EXACT):
        value, write = _read(text)
        return write(value)


def added(text: str, more: str) -> str:
    """The sum of two quantities, written as the first is."""
    with localcontext(_EXACT):
        value, write = _read(text)
        return write(value + _read(more)[0])


def amount(text: str) -> Decimal:
    """The number that a quantity stands for."""
    with localcontext(_EXACT):
        return _read(text)[0]


def _read(text: str) -> tuple[Decimal, Callable[[Decimal], str]]:
    if len(text) > _LONGEST:
        raise InvalidSpec(WRONG_FORMAT)
    found = _SHAPE.fullmatch(text)
    if not found:
        raise InvalidSpec(WRONG_SUFFIX if text and _LOOSE.fullmatch(text) else WRONG_FORMAT)
    number, _, binary, decimal, exponent = found.groups()
    if binary:
        return Decimal(number) * 1024 ** _BINARY[binary], _binary
    if exponent is not None:
        if abs(int(exponent)) > _LARGEST_EXPONENT:
            raise InvalidSpec(WRONG_SUFFIX)
        return Decimal(number) * Decimal(10) ** int(exponent), _with_exponent
    return Decimal(number) * Decimal(1000) ** _DECIMAL[decimal or ""], _decimal


def _binary(value: Decimal) -> str:
    if abs(value) < 1024 or value != value.to_integral_value():  # noqa: PLR2004 - one Ki
        return _decimal(value)
    whole, power = int(value), 0
    while whole and whole % 1024 == 0 and power < len(_BINARY):
        whole, power = whole // 1024, power + 1
    return f"{whole}{['', *_BINARY][power]}"


def _decimal(value: Decimal) -> str:
    if value == 0:
        return "0"
    power = 6
    while power > -3 and value % Decimal(1000) ** power:  # noqa: PLR2004 - nano is the smallest
        power -= 1
    suffix = next(name for name, found in _DECIMAL.items() if found == power)
    return f"{int(value / Decimal(1000) ** power)}{suffix}"


def _with_exponent(value: Decimal) -> str:
    power = 18
    while power > -9 and value % Decimal(10) ** power:  # noqa: PLR2004 - nano is the smallest
        power -= 3
    whole = int(value / Decimal(10) ** power)
    return f"{whole}e{power}" if power else str(whole)
