"""Addresses as Go reads them, since it is Go that will call them."""

import re
from dataclasses import dataclass

_SCHEME = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]*")
_HOST_CHARACTERS = frozenset("-_.~!$&'()*+,;=:[]<>\"%")


@dataclass(frozen=True)
class Url:
    """The parts of an address that are asked about."""

    scheme: str = ""
    user: bool = False
    host: str = ""
    query: str = ""
    fragment: str = ""
    problem: str = ""  # why it cannot be read


def read_url(text: str) -> Url:
    """Parse an address; `problem` is the reason when that fails."""
    if any(character < " " or character == "\x7f" for character in text):
        return _wrong(text, "net/url: invalid control character in URL")
    rest, _, fragment = text.partition("#")
    scheme, colon, after = rest.partition(":")
    if colon and not scheme:
        return _wrong(text, "missing protocol scheme")
    if not colon or not _SCHEME.fullmatch(scheme):
        scheme, after = "", rest
    after, _, query = after.partition("?")
    if not after.startswith("//"):
        return Url(scheme.lower(), query=query, fragment=fragment)
    authority = after[2:].partition("/")[0]
    host = authority.rpartition("@")[2]
    if trouble := _host_problem(host):
        return _wrong(text, trouble)
    return Url(scheme.lower(), "@" in authority, host, query, fragment)


def _host_problem(host: str) -> str:
    for character in host:
        plain = character.isalnum() or character in _HOST_CHARACTERS
        if character.isascii() and not plain:
            return f'invalid character "{character}" in host name'
    _, colon, port = host.rpartition("]")[2].rpartition(":")
    if colon and not (port.isascii() and (port.isdigit() or not port)):
        return f'invalid port ":{port}" after host'
    return ""


def _wrong(text: str, problem: str) -> Url:
    return Url(problem=f'parse "{text}": {problem}')
