"""Words of other parties where lines and signs mean something: in settings and on terminals."""

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


def visible(text: str, *, keep: str = "") -> str:
    """The text with every sign that a terminal obeys as an escape; `keep` has those that stay.

    Signs that turn the direction of writing are among them: they hide what a text says.
    """
    if text.isprintable():
        return text
    return "".join(
        sign if sign.isprintable() or sign in keep else repr(sign)[1:-1] for sign in text
    )
