"""Times in RFC 3339, refused with the messages of Go's parser."""

import re
from calendar import isleap

_LAYOUT = "2006-01-02T15:04:05Z07:00"
#: The layout piece by piece: what stands in a text, and what the parser calls it.
_PIECES = (
    (r"[0-9]{4}", "2006"),
    ("-", "-"),
    (r"[0-9]{2}", "01"),
    ("-", "-"),
    (r"[0-9]{2}", "02"),
    ("T", "T"),
    (r"[0-9]{1,2}", "15"),
    (":", ":"),
    (r"[0-9]{2}", "04"),
    (":", ":"),
    (r"[0-9]{2}(?:[.,][0-9]+)?", "05"),
    (r"Z|[-+][0-9]{2}:[0-9]{2}", "Z07:00"),
)
#: The least and the greatest of each number, by its name in the layout.
_RANGES = {
    "01": (1, 12, "month"),
    "15": (0, 23, "hour"),
    "04": (0, 59, "minute"),
    "05": (0, 59, "second"),
}
_SECOND = 2
#: A time zone may be a whole day away.
_OFFSETS = ((24, "time zone offset hour"), (60, "time zone offset minute"))
_DAYS = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
_FEBRUARY = 2


def check_moment(text: str) -> None:
    """Raise a ValueError that names the part of a text that is wrong."""
    rest = text
    for shape, name in _PIECES:
        found = re.match(shape, rest)
        if found is None:
            raise ValueError(
                f'parsing time "{text}" as "{_LAYOUT}": cannot parse "{rest}" as "{name}"'
            )
        _check_range(text, name, found[0])
        rest = rest[found.end() :]
    if rest:
        raise ValueError(f'parsing time "{text}": extra text: "{rest}"')
    year, month, day = (int(number) for number in text[: len("2006-01-02")].split("-"))
    days = _DAYS[month - 1] + (month == _FEBRUARY and isleap(year))
    if not 1 <= day <= days:
        raise ValueError(f'parsing time "{text}": day out of range')


def _check_range(text: str, name: str, digits: str) -> None:
    if name == "Z07:00" and digits != "Z":
        for number, (greatest, word) in zip(digits[1:].split(":"), _OFFSETS, strict=True):
            if int(number) > greatest:
                raise ValueError(f'parsing time "{text}": {word} out of range')
    least, greatest, word = _RANGES.get(name, (0, 0, ""))
    if word and not least <= int(digits[:_SECOND]) <= greatest:
        raise ValueError(f'parsing time "{text}": {word} out of range')
