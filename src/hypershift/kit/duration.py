"""Durations as Go reads and prints them: `90s`, `1h30m`, `24h0m0s`."""

import re
from datetime import timedelta

from hypershift.kit.errors import InvalidSpec

_TERM = re.compile(r"([0-9]*\.?[0-9]*)([^0-9.]*)")
_SECONDS = {"ns": 1e-9, "us": 1e-6, "µs": 1e-6, "ms": 1e-3, "s": 1.0, "m": 60.0, "h": 3600.0}
#: Go counts nanoseconds in 64 bits: 292 years.
_MOST = (2**63 - 1) / 1e9
_LONGEST = 128
#: Units for what is shorter than a second, in microseconds: finer ones are not kept.
_SHORT = (("ms", 1000), ("µs", 1))


def go_duration(text: str) -> timedelta:
    """A length of time out of an annotation or a field of the API: `8760h`, `1h30m`."""
    try:
        found = parse_duration(text)
    except ValueError:
        found = timedelta(-1)
    if found < timedelta(0):
        raise InvalidSpec(f"{text[:_LONGEST]!r} is not a duration such as 8760h or 20m")
    return found


def parse_duration(text: str) -> timedelta:
    """Read a duration as Go writes it: `90s`, `1h30m`, `1.5h`, `0`."""
    if len(text) > _LONGEST:
        raise ValueError(f"a duration of {len(text)} characters")
    sign, rest = (-1, text[1:]) if text.startswith("-") else (1, text.removeprefix("+"))
    if rest == "0":
        return timedelta(0)
    if not rest:
        raise ValueError(f'time: invalid duration "{text}"')
    seconds = 0.0
    while rest:
        number, unit, rest = _term(rest, text)
        seconds += float(number) * _SECONDS[unit]
    if seconds > _MOST:
        raise ValueError(f'time: invalid duration "{text}"')
    return timedelta(seconds=sign * seconds)


def _term(rest: str, text: str) -> tuple[str, str, str]:
    """The first number with its unit, and what follows them."""
    found = _TERM.match(rest)
    number, unit = found.groups() if found else ("", "")
    if number in ("", "."):
        raise ValueError(f'time: invalid duration "{text}"')
    if not unit:
        raise ValueError(f'time: missing unit in duration "{text}"')
    if unit not in _SECONDS:
        raise ValueError(f'time: unknown unit "{unit}" in duration "{text}"')
    return number, unit, rest[len(number) + len(unit) :]


def format_duration(value: timedelta) -> str:
    """Write a duration as Go prints it: `24h0m0s`, `1m30s`, `500ms`, `0s`."""
    total = value // timedelta(microseconds=1)
    seconds, rest = divmod(abs(total), 10**6)
    text = _long(seconds, rest) if seconds or not rest else _short(rest)
    return f"-{text}" if total < 0 else text


def _long(seconds: int, rest: int) -> str:
    minutes, seconds = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    fraction = f".{rest:06d}".rstrip("0") if rest else ""
    body = f"{hours}h{minutes}m" if hours else f"{minutes}m" if minutes else ""
    return f"{body}{seconds}{fraction}s"


def _short(rest: int) -> str:
    unit, size = next(each for each in _SHORT if rest >= each[1])
    whole, part = divmod(rest, size)
    fraction = f".{part:03d}".rstrip("0") if part else ""
    return f"{whole}{fraction}{unit}"


def short_duration(value: timedelta) -> str:
    """Write a duration in its largest unit alone, as ages are shown: `45s`, `3m`, `2h`, `9d`."""
    seconds = int(value.total_seconds())
    if seconds < -1:
        return "<invalid>"
    for unit, size, limit in (("s", 1, 60), ("m", 60, 60), ("h", 3600, 24), ("d", 86400, 365)):
        if seconds // size < limit:
            return f"{max(seconds, 0) // size}{unit}"
    return f"{seconds // (365 * 86400)}y"
