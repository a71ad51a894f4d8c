"""A configuration for eyes: everything but what is secret in it."""

import gzip
from typing import Any

from hypershift.ignition.resource import GZIP, ConfigError, inline_contents

MASK = "<masked>"
_PRIVATE = 0o077
#: What gives a secret away in a file that everybody may read.
_SIGNS = (b"PRIVATE KEY", b'"auth"', b"client-key-data", b"token:")


def masked(document: dict[str, Any]) -> dict[str, Any]:
    """The Ignition document without contents of private files, password hashes and headers."""
    shown: dict[str, Any] = _without_headers(document)
    storage = shown.get("storage") or {}
    if storage.get("files"):
        shown["storage"] = storage | {"files": [_file(one) for one in storage["files"]]}
    passwd = shown.get("passwd") or {}
    if passwd.get("users"):
        users = [_with_mask(one, "passwordHash") for one in passwd["users"]]
        shown["passwd"] = passwd | {"users": users}
    return shown


def _file(file: dict[str, Any]) -> dict[str, Any]:
    """The file, masked if only its owner may read it or if it looks like a secret."""
    contents = [file.get("contents") or {}, *(file.get("append") or ())]
    private = file.get("mode") is not None and not file["mode"] & _PRIVATE
    if not private and not any(_looks_secret(one) for one in contents):
        return file
    hidden = dict(file)
    if file.get("contents"):
        hidden["contents"] = _with_mask(file["contents"], "source")
    if file.get("append"):
        hidden["append"] = [_with_mask(one, "source") for one in file["append"]]
    return hidden


def _looks_secret(contents: dict[str, Any]) -> bool:
    source = contents.get("source") or ""
    if not source.startswith("data:"):
        return False
    try:
        body = inline_contents(source)
        text = gzip.decompress(body) if contents.get("compression") == GZIP else body
    except (ConfigError, OSError, EOFError):
        return True  # its content is unknown
    return any(sign in text for sign in _SIGNS)


def _with_mask(value: dict[str, Any], name: str) -> dict[str, Any]:
    return value | {name: MASK} if value.get(name) else value


def _without_headers(value: Any) -> Any:
    """Headers carry tokens wherever they are."""
    if isinstance(value, list):
        return [_without_headers(item) for item in value]
    if not isinstance(value, dict):
        return value
    kept = {key: _without_headers(item) for key, item in value.items()}
    if kept.get("httpHeaders"):
        kept["httpHeaders"] = [_with_mask(one, "value") for one in kept["httpHeaders"]]
    return kept
