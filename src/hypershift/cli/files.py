"""Reading what a flag names, with the messages that the original's users know."""

from pathlib import Path

from hypershift.kit import UsageError


def read_file(path: str, failing: str = "") -> bytes:
    """The bytes of a file; `failing` says what could not be done without it."""
    try:
        return Path(path).read_bytes()
    except OSError as error:
        detail = (error.strerror or "unreadable").lower()
        prefix = f"{failing}: " if failing else ""
        raise UsageError(f"{prefix}open {path}: {detail}") from None
