"""Pieces of AWS in short: what most of them have in common."""

from collections.abc import Callable
from typing import Any

from hypershift.cloud.aws import AwsRefusal, AwsUnavailable, Missing
from hypershift.infra.aws.look import Accounts, World
from hypershift.infra.plan import Ids, Piece

AwsPiece = Piece[World, Accounts]
#: What a piece has for an id when nothing has to be there for it.
NOTHING = "-"


def says(message: str, **values: str) -> Callable[[str, Ids], tuple[str, dict[str, str]]]:
    """A log line: `{id}` is the object's own id, `{key}` that of another piece."""

    def line(identity: str, ids: Ids) -> tuple[str, dict[str, str]]:
        known = {**ids, "id": identity}
        return message, {
            name.replace("_", " "): known.get(text[1:-1], text) if text[:1] == "{" else text
            for name, text in values.items()
        }

    return line


def new(call: Callable[[], Any]) -> Any:
    """A call that refers to new objects: one that is not visible yet is waited for."""
    try:
        return call()
    except Missing as error:
        raise AwsUnavailable(str(error)) from None


def once(call: Callable[[], Any], *codes: str) -> None:
    """A call that may have been made before: `codes` say that it was."""
    try:
        new(call)
    except AwsRefusal as error:
        if error.code not in codes:
            raise
