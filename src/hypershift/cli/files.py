"""Files that flags name, with the messages that the original's users know."""

import os
from errno import ENOENT
from pathlib import Path

from hypershift.kit import UsageError


def read_file(path: str, failing: str = "") -> bytes:
    """The bytes of a file; `failing` begins the error message."""
    try:
        if not path:  # which is not the directory that Python takes it for
            raise FileNotFoundError(ENOENT, os.strerror(ENOENT))
        return Path(path).read_bytes()
    except OSError as error:
        detail = (error.strerror or "unreadable").lower()
        prefix = f"{failing}: " if failing else ""
        verb = "read" if isinstance(error, IsADirectoryError) else "open"
        raise UsageError(f"{prefix}{verb} {path}: {detail}") from None


def write_file(path: str, text: str, failing: str = "", *, private: bool = False) -> None:
    """Write a file that a flag names; `failing` begins the error message.

    A private file, with secrets in it, is readable by its owner alone from the first byte on.
    """
    mode = 0o600 if private else 0o666
    try:
        with open(path, "w", opener=lambda name, flags: os.open(name, flags, mode)) as file:
            if private and Path(path).is_file():
                os.fchmod(file.fileno(), mode)
            file.write(text)
    except OSError as error:
        detail = (error.strerror or "not writable").lower()
        prefix = f"{failing}: " if failing else ""
        raise UsageError(f"{prefix}open {path}: {detail}") from None
