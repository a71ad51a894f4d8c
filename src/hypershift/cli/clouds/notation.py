"""A short notation for the flags of the clouds' commands: a name each, with marks for its kind.

    "infra-id! zones* wait?=true ttl@=2h additional-tags%/t vpc^"

! required, ^ hidden; ? a switch, * a list, % pairs, @ a duration, else text; =DEFAULT; /SHORT.
"""

import re

from hypershift.cli.clouds.texts import TEXTS
from hypershift.cli.command import Command, Run
from hypershift.cli.flags import BOOL, DURATION, STRING, STRING_MAP, STRINGS, Flag, read
from hypershift.cli.typed import Nothing, Typed
from hypershift.kit import UsageError

_WORD = re.compile(r"(?P<name>[a-z0-9.-]+)(?P<marks>[!^?*%@]*)(/(?P<short>\w))?(=(?P<default>.*))?")
_TYPES = {"?": BOOL, "*": STRINGS, "%": STRING_MAP, "@": DURATION}
#: The credentials that most of AWS' commands take.
AWS_CREDENTIALS = Flag(
    "aws-creds",
    "File with AWS credentials",
    hidden=True,
    deprecated=(
        "the AWS SDK default credential chain is used when no explicit credentials are provided; "
        "use '--role-arn' to assume a specific role"
    ),
)


def flags(text: str) -> tuple[Flag, ...]:
    """The flags that a text in this notation describes."""
    return tuple(_flag(word) for word in text.split())


def _flag(word: str) -> Flag:
    found = _WORD.fullmatch(word)
    assert found, word  # noqa: S101 - the texts are ours
    marks = found["marks"]
    kind = next((_TYPES[mark] for mark in marks if mark in _TYPES), STRING)
    bare = Flag(found["name"], TEXTS[found["name"]], kind)
    return Flag(
        bare.name,
        bare.help,
        kind,
        read(bare, found["default"]) if found["default"] else None,
        short=found["short"] or "",
        required="!" in marks,
        hidden="^" in marks,
    )


def unbuilt(path: str, summary: str, text: str, instead: str, *more: Flag) -> Command:
    """A command of the original that is not built: it checks its flags and fails with advice."""
    return Command(
        path.rsplit(maxsplit=1)[-1],
        summary,
        description=f"Not built yet: {instead}.",
        flags=(*flags(text), *more),
        run=_refuse(f"`{path}` is not built yet: {instead}"),
    )


def built(path: str, summary: str, text: str, run: Run, *more: Flag) -> Command:
    """A command of the original with flags in short."""
    return Command(path.rsplit(maxsplit=1)[-1], summary, flags=(*flags(text), *more), run=run)


def _refuse(sentence: str) -> Run:
    def run(_: Nothing) -> int:
        raise UsageError(sentence)

    return Typed(Nothing, run)


def group(name: str, summary: str, *commands: Command) -> Command:
    return Command(name, summary, commands=commands)
