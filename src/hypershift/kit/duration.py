"""Durations in Go's words, as annotations and fields of the API have them."""

import re
from datetime import timedelta

from hypershift.kit.errors import InvalidSpec

_UNITS = {"h": 3600.0, "m": 60.0, "s": 1.0, "ms": 1e-3, "us": 1e-6, "ns": 1e-9}
_PART = re.compile(r"(\d+(?:\.\d+)?)(ms|us|ns|h|m|s)")


def go_duration(text: str) -> timedelta:
    """Read a duration as Go writes it: `8760h`, `1h30m`."""
    if not re.fullmatch(rf"(?:{_PART.pattern})+", text):
        raise InvalidSpec(f"{text!r} is not a duration such as 8760h or 20m")
    parts = (float(number) * _UNITS[unit] for number, unit in _PART.findall(text))
    return timedelta(seconds=sum(parts))
