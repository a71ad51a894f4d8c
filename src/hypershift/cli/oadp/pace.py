"""When scheduled backups are taken: names of usual schedules, or a cron expression."""

from typing import NamedTuple

from hypershift.kit import UsageError

_YEAR, _MONTH, _WEEK, _DAY, _HOUR = "0 0 1 1 *", "0 0 1 * *", "0 0 * * 0", "0 0 * * *", "0 * * * *"
_PLAIN = {
    "yearly": _YEAR,
    "annually": _YEAR,
    "monthly": _MONTH,
    "weekly": _WEEK,
    "daily": _DAY,
    "hourly": _HOUR,
}
WORDS = {
    **_PLAIN,
    **{f"@{word}": moment for word, moment in _PLAIN.items()},
    "@midnight": _DAY,
    "daily-1am": "0 1 * * *",
    "daily-2am": "0 2 * * *",
    "daily-3am": "0 3 * * *",
    "daily-6am": "0 6 * * *",
    "daily-noon": "0 12 * * *",
    "weekly-sunday": _WEEK,
    "weekly-monday": "0 0 * * 1",
    "weekly-friday": "0 0 * * 5",
    "weekly-saturday": "0 0 * * 6",
}


class _Field(NamedTuple):
    name: str
    least: int
    most: int


FIELDS = (
    _Field("minute", 0, 59),
    _Field("hour", 0, 23),
    _Field("day", 1, 31),
    _Field("month", 1, 12),
    _Field("weekday", 0, 6),
)
_FORM = (
    "Must be in format 'minute hour day month weekday' (e.g., '0 2 * * *' for daily at 2 AM), or"
    " use common verbs like 'daily', 'weekly', '@daily', '@weekly'"
)


def cron(text: str) -> str:
    """The cron expression of a schedule; refused if it is none."""
    if not text:
        raise UsageError("schedule validation failed: schedule expression is required")
    pace = WORDS.get(text.lower().strip(), text)
    problem = _problem(pace)
    if problem:
        raise UsageError(f"schedule validation failed: invalid cron schedule '{pace}'. {problem}")
    return pace


def _problem(pace: str) -> str:
    parts = pace.split()
    if len(parts) != len(FIELDS):
        return _FORM
    return next(
        (why for part, one in zip(parts, FIELDS, strict=True) if (why := _wrong(part, one))), ""
    )


def _wrong(part: str, field: _Field) -> str:
    if part == "*":
        return ""
    if "-" in part:
        return _wrong_range(part, field)
    if "," in part:
        return _wrong_list(part, field)
    return _wrong_step(part, field) if "/" in part else _wrong_number(part, field)


def _wrong_number(part: str, field: _Field) -> str:
    where = f"{field.name} field '{part}'"
    if not _is_number(part):
        return f"{where} must be a number"
    return _outside(where, int(part), field)


def _wrong_range(part: str, field: _Field) -> str:
    where = f"{field.name} field '{part}'"
    ends = part.split("-")
    if len(ends) != 2:  # noqa: PLR2004 (a range has two ends)
        return f"{where} has invalid range format"
    for which, end in zip(("start", "end"), ends, strict=True):
        if not _is_number(end):
            return f"{where} range {which} must be a number"
    first, last = map(int, ends)
    for which, end_value in (("start", first), ("end", last)):
        if why := _outside(f"{where} range {which}", end_value, field):
            return why
    return f"{where} range start cannot be greater than end" if first > last else ""


def _wrong_list(part: str, field: _Field) -> str:
    for one in part.split(","):
        if not one:
            return f"{field.name} field '{part}' has empty list element"
        if why := _wrong_number(one, field) if one == "*" else _wrong(one, field):
            return why
    return ""


def _wrong_step(part: str, field: _Field) -> str:
    where = f"{field.name} field '{part}'"
    base, _, step = part.partition("/")
    if "/" in step:
        return f"{where} has invalid step format"
    if not _is_number(step):
        return f"{where} step value must be a number"
    if int(step) <= 0:
        return f"{where} step value must be positive"
    return _wrong(base, field)


def _outside(where: str, value: int, field: _Field) -> str:
    if field.least <= value <= field.most:
        return ""
    return f"{where}: must be between {field.least} and {field.most}, inclusive"


def _is_number(text: str) -> bool:
    digits = text.removeprefix("+").removeprefix("-")
    return digits.isascii() and digits.isdecimal()
