"""Variables of systemd units: a user's value arrives in a program as the user wrote it."""

from collections.abc import Mapping
from typing import Final

#: What systemd reads in `Environment="NAME=value"`: specifiers, and escapes as C has them. A `$` is
#: itself there, unlike in a command line.
_ESCAPED: Final = str.maketrans(
    {"%": "%%", "\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t"}
)


def assignments(variables: Mapping[str, str]) -> str:
    """Lines of a unit that set these variables, in order of their names."""
    return "".join(
        f'Environment="{name}={value.translate(_ESCAPED)}"\n'
        for name, value in sorted(variables.items())
    )
