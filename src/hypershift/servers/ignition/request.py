"""The request of a machine: its token, and the pool and configuration that it names."""

import base64
import binascii
import re
from collections.abc import Mapping
from dataclasses import dataclass

from hypershift.ignition.token import PREVIEW
from hypershift.kit import Key, Secret

PATH = re.compile(r"/ignition[^/ ]*")
_NAME = re.compile(r"[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?")
_HASH = re.compile(r"[0-9a-f]{8}")
_LONGEST = 4096


class Unauthenticated(Exception):
    """The request shows no token that could be one."""


@dataclass(frozen=True, slots=True)
class PayloadRequest:
    """One request for a payload; pool and hash are None when the headers name none."""

    token: Secret[str]
    pool: Key | None
    config_hash: str
    #: A user looks at the configuration; no machine is booting.
    preview: bool = False


def read_request(headers: Mapping[str, str]) -> PayloadRequest:
    """Read a request's headers; `Unauthenticated` without a well-formed bearer token."""
    config_hash = headers.get("TargetConfigVersionHash", "")
    return PayloadRequest(
        token=_token(headers.get("Authorization", "")),
        pool=_pool(headers.get("NodePool", "")),
        config_hash=config_hash if _HASH.fullmatch(config_hash) else "",
        preview=headers.get(PREVIEW) == "true",
    )


def _token(header: str) -> Secret[str]:
    scheme, _, encoded = header.partition(" ")
    if scheme != "Bearer" or not encoded or len(encoded) > _LONGEST:
        raise Unauthenticated
    try:
        return Secret(base64.b64decode(encoded, validate=True).decode())
    except (binascii.Error, ValueError) as error:
        raise Unauthenticated from error


def _pool(header: str) -> Key | None:
    namespace, _, name = header.partition("/")
    if _NAME.fullmatch(namespace) and _NAME.fullmatch(name):
        return Key(namespace, name)
    return None
