"""Tokens of registries: what is sent to a token service, and what its answer may be."""

import re
from collections.abc import Mapping

import msgspec

from hypershift.oci.auth import Credential
from hypershift.oci.errors import RegistryDenied

#: A token goes into a header: visible characters alone.
_TOKEN = re.compile(r"[\x21-\x7e]{1,16384}")


class _Answer(msgspec.Struct, frozen=True):
    """The answer of a token service; older ones use the second name."""

    token: str | None = None
    access_token: str | None = None


def authorization(credential: Credential | None) -> Mapping[str, str]:
    """The headers that identify us to a token service."""
    return {"Authorization": credential.basic()} if credential else {}


def read_token(content: bytes) -> str:
    """The value of an Authorization header out of a token service's answer."""
    try:
        answer = msgspec.json.decode(content, type=_Answer)
    except (msgspec.DecodeError, RecursionError, UnicodeError):
        answer = _Answer()
    token = answer.token or answer.access_token or ""
    if not _TOKEN.fullmatch(token):
        raise RegistryDenied("the token service of the registry gives no token")
    return f"Bearer {token}"
