"""Words of users in files whose lines mean something: a word is never the begin of a line."""

from hypershift.kit.errors import InvalidSpec

_SHOWN = 80


def one_line(text: str, field: str) -> str:
    """Return a word that stays in its line; InvalidSpec names the field of one that does not.

    Readers differ in what ends a line, so that no character may be there which has no sign of its
    own.
    """
    if not text.isprintable():
        raise InvalidSpec(f"{text[:_SHOWN]!r} has characters that end a line", field=field)
    return text
