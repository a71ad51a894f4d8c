"""Flags as values: their types, defaults, and how their text is parsed.

The notation is the original's (GNU style as Go's pflag has it): `--flag word`, `--flag=word`, a
bool takes no word but `--flag=false`, `strings` is a comma list that may be repeated,
`stringToString` is `k=v,k=v`. Messages are the ones that scripts around the original know.
"""

import csv
import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from hypershift.kit import UsageError
from hypershift.kit.duration import parse_duration

_DIGITS = re.compile(r"[0-9][0-9A-Za-z_]*")
_OCTAL = re.compile(r"0[0-7_]+")
_BOOLS = {
    **dict.fromkeys(("1", "t", "T", "true", "TRUE", "True"), True),
    **dict.fromkeys(("0", "f", "F", "false", "FALSE", "False"), False),
}


def _latest(_old: Any, new: Any) -> Any:
    return new


@dataclass(frozen=True, slots=True)
class FlagType:
    """How one type of flag is parsed, and how repeated flags are merged."""

    name: str
    parse: Callable[[str], Any]
    empty: Any = None
    merge: Callable[[Any, Any], Any] = _latest
    choices: tuple[str, ...] = ()


def _parse_bool(text: str) -> bool:
    if text not in _BOOLS:
        raise ValueError(f'strconv.ParseBool: parsing "{text}": invalid syntax')
    return _BOOLS[text]


def _number(text: str) -> int:
    """Parse digits as Go does: 0x, 0o, 0b or a leading 0 select the base."""
    if not _DIGITS.fullmatch(text):
        raise ValueError(text)
    return int(text, 8 if _OCTAL.fullmatch(text) else 0)


def _integer(bits: int) -> Callable[[str], int]:
    def parse(text: str) -> int:
        sign = -1 if text.startswith("-") else 1
        try:
            value = sign * _number(text[1:] if text[:1] in ("+", "-") else text)
        except ValueError:
            raise ValueError(f'strconv.ParseInt: parsing "{text}": invalid syntax') from None
        if not -(2 ** (bits - 1)) <= value < 2 ** (bits - 1):
            raise ValueError(f'strconv.ParseInt: parsing "{text}": value out of range')
        return value

    return parse


def _unsigned(text: str) -> int:
    try:
        value = _number(text)
    except ValueError:
        raise ValueError(f'strconv.ParseUint: parsing "{text}": invalid syntax') from None
    if value >= 2**32:
        raise ValueError(f'strconv.ParseUint: parsing "{text}": value out of range')
    return value


def _parse_list(text: str) -> tuple[str, ...]:
    return tuple(next(csv.reader([text]))) if text else ()


def _parse_map(text: str) -> dict[str, str]:
    """Read `k=v,k=v`; with a single `=` the whole rest is its value, commas too."""
    items = _parse_list(text) if text.count("=") > 1 else (text.strip('"'),)
    pairs = {}
    for item in items:
        name, equals, value = item.partition("=")
        if not equals:
            raise ValueError(f"{item} must be formatted as key=value")
        pairs[name] = value
    return pairs


def one_of(name: str, values: dict[str, str], complaint: Callable[[str], str]) -> FlagType:
    """A closed set of words in any case; `values` maps lower case to the value."""

    def parse(text: str) -> str:
        if text.lower() not in values:
            raise ValueError(complaint(text))
        return values[text.lower()]

    return FlagType(name, parse, "", choices=tuple(dict.fromkeys(values.values())))


def choice(name: str, values: tuple[str, ...], complaint: Callable[[str], str]) -> FlagType:
    """A string that must be one of `values`; anything else is refused with `complaint`."""

    def parse(text: str) -> str:
        if text not in values:
            raise ValueError(complaint(text))
        return text

    return FlagType(name, parse, "", choices=values)


STRING = FlagType("string", str, "")
BOOL = FlagType("bool", _parse_bool, empty=False)
INT = FlagType("int", _integer(64), 0)
INT32 = FlagType("int32", _integer(32), 0)
UINT32 = FlagType("uint32", _unsigned, 0)
DURATION = FlagType("duration", parse_duration, timedelta(0))
STRINGS = FlagType("strings", _parse_list, (), lambda old, new: (*old, *new))
STRING_ARRAY = FlagType("stringArray", lambda text: (text,), (), lambda old, new: (*old, *new))
STRING_MAP = FlagType("stringToString", _parse_map, {}, lambda old, new: {**old, **new})


@dataclass(frozen=True, slots=True)
class Flag:
    """One flag of a command; `persistent` ones also hold in every command below it."""

    name: str
    help: str = ""
    type: FlagType = STRING
    default: Any = None
    short: str = ""
    required: bool = False
    hidden: bool = False
    deprecated: str = ""
    persistent: bool = False

    def __post_init__(self) -> None:
        if self.default is None:
            object.__setattr__(self, "default", self.type.empty)


@dataclass(frozen=True, slots=True)
class Values:
    """A parsed command line: every flag's value, and which flags were given."""

    values: dict[str, Any]
    given: frozenset[str]
    arguments: tuple[str, ...] = ()
    passed: tuple[str, ...] = ()
    """Those of the arguments that stand behind `--`."""

    def __getitem__(self, name: str) -> Any:
        return self.values[name]

    def has(self, name: str) -> bool:
        """Whether the user gave this flag, be it with its default value."""
        return name in self.given

    def name(self, kind: str = "NAME") -> str:
        """The name of an object: the one argument or, where the command has it, flag `--name`."""
        named = self.values.get("name")
        given = [*self.arguments, *([named] if named else [])]
        if len(given) != 1:
            raise UsageError(f"give exactly one {kind}")
        return str(given[0])


def read(flag: Flag, word: str) -> Any:
    """Parse the text of a flag, or raise a UsageError."""
    try:
        return flag.type.parse(word)
    except ValueError as error:
        shown = f"-{flag.short}, --{flag.name}" if flag.short else f"--{flag.name}"
        raise UsageError(f'invalid argument "{word}" for "{shown}" flag: {error}') from None
