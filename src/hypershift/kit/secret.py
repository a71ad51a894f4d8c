"""A value that never shows itself by accident."""

import hmac
from typing import Generic, TypeVar

T = TypeVar("T", str, bytes)


class Secret(Generic[T]):
    """Holds a token, key or password; `repr` and `str` say `<redacted>`, `reveal()` gives it."""

    __slots__ = ("_value",)

    def __init__(self, value: T) -> None:
        self._value: T = value

    def reveal(self) -> T:
        """The value itself, for the one place that must send or store it."""
        return self._value

    def matches(self, other: T) -> bool:
        """Compare in constant time."""
        return hmac.compare_digest(_bytes(self._value), _bytes(other))

    def __repr__(self) -> str:
        return "<redacted>"

    __str__ = __repr__

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Secret) and self.matches(other.reveal())

    def __hash__(self) -> int:
        return hash(self._value)


def _bytes(value: str | bytes) -> bytes:
    return value.encode() if isinstance(value, str) else value
