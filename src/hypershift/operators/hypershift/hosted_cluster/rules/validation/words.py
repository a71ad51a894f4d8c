"""The original's messages about a wrong field: those of Go's field errors."""

import json
from typing import Any


def invalid(field: str, value: Any, detail: str) -> str:
    """A value that a field must not have."""
    return f"{field}: Invalid value: {shown(value)}: {detail}"


def required(field: str, detail: str = "") -> str:
    """A field that must not be empty."""
    return f"{field}: Required value{f': {detail}' if detail else ''}"


def duplicate(field: str, value: Any) -> str:
    """A value that another field has already."""
    return f"{field}: Duplicate value: {shown(value)}"


def not_found(resource: str, name: str) -> str:
    """An object that an API server does not have."""
    return f'{resource} "{name}" not found'


def shown(value: Any) -> str:
    """A value as Go writes it to JSON."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return text if isinstance(value, str) else _escaped(text)


def _escaped(text: str) -> str:
    for character in "<>&":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return text
