"""The errors that the whole system agrees on: those that wait for a user and those that pass.

HypershiftError
  TerminalError     waits for a new spec or a new command; shown as a condition or a sentence
    InvalidSpec     something the user wrote cannot work, and `field` says where
    UsageError      a command line that cannot work
  TransientError    retried with backoff
"""

from collections.abc import Iterable


class HypershiftError(Exception):
    """Base of every error we raise on purpose; its message names what was tried, and on what."""


class TerminalError(HypershiftError):
    """Retrying cannot help: the user has to change the input."""


class TransientError(HypershiftError):
    """The same attempt may succeed later."""


class InvalidSpec(TerminalError):
    """A part of an object that the user wrote cannot work."""

    def __init__(self, message: str, *, field: str = "", reason: str = "InvalidSpec") -> None:
        """Keep the field that is wrong and the reason of the condition that reports it."""
        super().__init__(message)
        self.field = field
        self.reason = reason


class UsageError(TerminalError):
    """A command line or setting that cannot work; the message says what to do instead."""


def aggregate(messages: Iterable[str]) -> str:
    """Several messages in one line, each once, as Go joins errors: in brackets unless alone."""
    said = list(dict.fromkeys(messages))
    return f"[{', '.join(said)}]" if len(said) > 1 else "".join(said)
