"""How a command in a container ended."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ExecResult:
    """What a command printed and how it ended."""

    stdout: bytes = b""
    stderr: bytes = b""
    exit_code: int = 0
