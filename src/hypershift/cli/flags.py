"""Flags as values: their types, defaults and the rules by which words become values.

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

_DURATION = re.compile(r"(\d+(?:\.\d*)?|\.\d+)(ns|us|µs|ms|s|m|h)")
_SECONDS = {"ns": 1e-9, "us": 1e-6, "µs": 1e-6, "ms": 1e-3, "s": 1.0, "m": 60.0, "h": 3600.0}
_BOOLS = {
    **dict.fromkeys(("1", "t", "T", "true", "TRUE", "True"), True),
    **dict.fromkeys(("0", "f", "F", "false", "FALSE", "False"), False),
}


def _latest(_old: Any, new: Any) -> Any:
    return new


@dataclass(frozen=True, slots=True)
class FlagType:
    """How the words of one kind of flag are read, and how a repeated flag adds up."""

    name: str
    parse: Callable[[str], Any]
    empty: Any = None
    merge: Callable[[Any, Any], Any] = _latest
    choices: tuple[str, ...] = ()


def parse_duration(text: str) -> timedelta:
    """Read a duration as Go writes it: `90s`, `1h30m`, `1.5h`, `0`."""
    sign, rest = (-1, text[1:]) if text.startswith("-") else (1, text.removeprefix("+"))
    if rest == "0":
        return timedelta(0)
    seconds, position = 0.0, 0
    for match in _DURATION.finditer(rest):
        if match.start() != position:
            break
        seconds += float(match[1]) * _SECONDS[match[2]]
        position = match.end()
    if not rest or position != len(rest):
        raise ValueError(_duration_complaint(text, rest))
    return timedelta(seconds=sign * seconds)


def _duration_complaint(text: str, rest: str) -> str:
    if re.fullmatch(r"\d+(\.\d*)?", rest):
        return f'time: missing unit in duration "{text}"'
    return f'time: invalid duration "{text}"'


def format_duration(value: timedelta) -> str:
    """Write a duration as Go prints it: `24h0m0s`, `1m30s`, `0s`."""
    seconds = value.total_seconds()
    hours, rest = divmod(abs(seconds), 3600)
    minutes, rest = divmod(rest, 60)
    tail = f"{rest:g}s"
    body = f"{hours:.0f}h{minutes:.0f}m{tail}" if hours else f"{minutes:.0f}m{tail}"
    text = body if hours or minutes else tail
    return f"-{text}" if seconds < 0 else text


def _parse_bool(text: str) -> bool:
    if text not in _BOOLS:
        raise ValueError(f'strconv.ParseBool: parsing "{text}": invalid syntax')
    return _BOOLS[text]


def _integer(bits: int, function: str) -> Callable[[str], int]:
    def parse(text: str) -> int:
        try:
            value = int(text, 0)
        except ValueError:
            raise ValueError(f'strconv.{function}: parsing "{text}": invalid syntax') from None
        if not -(2 ** (bits - 1)) <= value < 2 ** (bits - 1):
            raise ValueError(f'strconv.{function}: parsing "{text}": value out of range')
        return value

    return parse


def _unsigned(text: str) -> int:
    if not text.isdigit():
        raise ValueError(f'strconv.ParseUint: parsing "{text}": invalid syntax')
    if int(text) >= 2**32:
        raise ValueError(f'strconv.ParseUint: parsing "{text}": value out of range')
    return int(text)


def _parse_list(text: str) -> tuple[str, ...]:
    return tuple(next(csv.reader([text]))) if text else ()


def _parse_map(text: str) -> dict[str, str]:
    pairs = {}
    for item in _parse_list(text):
        name, equals, value = item.partition("=")
        if not equals:
            raise ValueError(f"{item} must be formatted as key=value")
        pairs[name] = value
    return pairs


def words(name: str, values: dict[str, str], complaint: Callable[[str], str]) -> FlagType:
    """A closed set of words taken in any case; `values` maps lower case to what is meant."""

    def parse(text: str) -> str:
        if text.lower() not in values:
            raise ValueError(complaint(text))
        return values[text.lower()]

    return FlagType(name, parse, "", choices=tuple(values.values()))


def choice(name: str, values: tuple[str, ...], complaint: Callable[[str], str]) -> FlagType:
    """A string that must be one of `values`; anything else is refused with `complaint`."""

    def parse(text: str) -> str:
        if text not in values:
            raise ValueError(complaint(text))
        return text

    return FlagType(name, parse, "", choices=values)


STRING = FlagType("string", str, "")
BOOL = FlagType("bool", _parse_bool, empty=False)
INT = FlagType("int", _integer(64, "ParseInt"), 0)
INT32 = FlagType("int32", _integer(32, "ParseInt"), 0)
UINT32 = FlagType("uint32", _unsigned, 0)
FLOAT = FlagType("float", float, 0.0)
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
    """What a command line says: every flag's value, and which of them were given."""

    values: dict[str, Any]
    given: frozenset[str]
    arguments: tuple[str, ...] = ()

    def __getitem__(self, name: str) -> Any:
        return self.values[name]

    def get(self, name: str, default: Any = "") -> Any:
        """The value of a flag that only one of the two programs has."""
        return self.values.get(name, default)

    def having(self, **values: Any) -> "Values":
        """The same command line with some values replaced; `_` stands for `-` in names."""
        changed = {name.replace("_", "-"): value for name, value in values.items()}
        return Values({**self.values, **changed}, self.given, self.arguments)

    def has(self, name: str) -> bool:
        """Whether the user gave this flag, be it with its default value."""
        return name in self.given


def read(flag: Flag, word: str) -> Any:
    """Turn the word behind a flag into its value, or say what is wrong with it."""
    try:
        return flag.type.parse(word)
    except ValueError as error:
        shown = f"-{flag.short}, --{flag.name}" if flag.short else f"--{flag.name}"
        raise UsageError(f'invalid argument "{word}" for "{shown}" flag: {error}') from None
