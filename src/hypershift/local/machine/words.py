"""Command lines of systemd units for the shell: quoting, variables, specifiers."""

import re
from shlex import quote
from typing import Final

from hypershift.local.machine.units import UnitError


def specified(text: str, unit: str) -> str:
    """Fill in systemd's specifiers, those that a machine can answer."""
    stem = unit.rsplit(".", 1)[0]
    prefix, _, instance = stem.partition("@")
    known = {"n": unit, "N": stem, "p": prefix, "i": instance, "I": instance, "t": "/run", "%": "%"}

    def value(match: re.Match[str]) -> str:
        if match.group(1) not in known:
            raise UnitError(f"unit {unit}: the specifier %{match.group(1)} is not supported")
        return known[match.group(1)]

    return re.sub(r"%(.)", value, text)


_WORD: Final = re.compile(
    r"""(?:"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|\\.|[^\s"'\\])+""", re.VERBOSE | re.DOTALL
)
_PIECE: Final = re.compile(
    r""""((?:\\.|[^"\\])*)"|'((?:\\.|[^'\\])*)'|((?:\\.|[^"'\\])+)""", re.DOTALL
)
_ESCAPES: Final = {"n": "\n", "t": "\t", "s": " ", "r": "\r"}
_VARIABLE: Final = re.compile(r"\$\$|\$\{(\w+)\}")


def words(line: str) -> str:
    r"""A command line of systemd as one of the shell: its quoting, `${NAME}` and a lone `$NAME`."""
    return " ".join(_shell_word(match.group()) for match in _WORD.finditer(line))


def assigned(line: str, unit: str) -> str:
    """The assignments of `Environment=` for the shell; a `$` there is only a `$`."""
    found = _WORD.finditer(specified(line, unit))
    return " ".join(_literal(_unquoted(match.group())) for match in found)


def _unquoted(word: str) -> str:
    return "".join(
        re.sub(r"\\(.)", lambda one: _ESCAPES.get(one[1], one[1]), "".join(filter(None, piece)))
        for piece in _PIECE.findall(word)
    )


def _shell_word(word: str) -> str:
    if alone := re.fullmatch(r"\$(\w+)", word):
        return f"${{{alone.group(1)}-}}"  # unquoted: its value is several words
    plain = _unquoted(word)
    out, at = "", 0
    for match in _VARIABLE.finditer(plain):
        out += _literal(plain[at : match.start()])
        out += _literal("$") if match.group() == "$$" else f'"${{{match.group(1)}-}}"'
        at = match.end()
    return out + _literal(plain[at:]) or "''"


def _literal(text: str) -> str:
    return quote(text) if text else ""
