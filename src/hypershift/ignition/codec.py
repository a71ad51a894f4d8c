"""Configurations as JSON: strict reading, canonical writing.

A document that uses what we do not understand is refused with the path of the surprise. Documents
of the later 3.x versions are read too: what they add has no field here, so its use is refused.
"""

import posixpath
from collections.abc import Iterator
from typing import Any, Final
from urllib.parse import urlsplit

import msgspec

from hypershift.ignition.config import Config, File
from hypershift.ignition.resource import ConfigError, Resource

READABLE: Final = ("3.0.0", "3.1.0", "3.2.0", "3.3.0", "3.4.0", "3.5.0")
SCHEMES: Final = ("data", "http", "https")


def decode(document: bytes | str) -> Config:
    """Read a configuration; whatever is unknown or wrong raises `ConfigError` with its path."""
    try:
        return from_builtins(msgspec.json.decode(document))
    except msgspec.DecodeError as error:
        raise ConfigError(f"not JSON: {error}") from None


def from_builtins(document: Any) -> Config:
    """Read a configuration out of decoded JSON."""
    version = _version(document)
    if version not in READABLE:
        raise ConfigError(
            f"version {version!r} is not one of {READABLE}", path="$.ignition.version"
        )
    try:
        config = msgspec.convert(_without_nulls(document), Config)
    except msgspec.ValidationError as error:
        message, _, path = str(error).partition(" - at `")
        raise ConfigError(message, path=path.rstrip("`") or "$") from None
    for problem in problems(config):
        raise problem
    return config


def to_builtins(config: Config) -> dict[str, Any]:
    """A configuration as JSON values, without what is empty."""
    pruned: dict[str, Any] = _pruned(msgspec.to_builtins(config))
    return pruned


def encode(config: Config) -> bytes:
    """Write a configuration in its canonical form: sorted keys, nothing empty."""
    return msgspec.json.encode(to_builtins(config), order="sorted")


def problems(config: Config) -> Iterator[ConfigError]:
    """Yield what types cannot say: paths that are not absolute, names twice, unknown schemes."""
    for path, resource in resources(config):
        scheme = urlsplit(resource.source or "data:").scheme
        if scheme not in SCHEMES:
            yield ConfigError(f"scheme {scheme!r} is not one of {SCHEMES}", path=path)
    for path, target in _paths(config):
        if not target.startswith("/") or posixpath.normpath(target) != target or target == "/":
            yield ConfigError(f"path {target!r} is not absolute and clean", path=path)
    yield from _duplicates(_paths(config))
    yield from _duplicates(
        (f"$.systemd.units[{at}].name", unit.name) for at, unit in enumerate(config.systemd.units)
    )
    yield from _duplicates(
        (f"$.passwd.users[{at}].name", user.name) for at, user in enumerate(config.passwd.users)
    )


def resources(config: Config) -> Iterator[tuple[str, Resource]]:
    """Yield everything with a source, and where it stands."""
    yield "$.ignition.config.replace", config.ignition.config.replace
    for at, one in enumerate(config.ignition.config.merge):
        yield f"$.ignition.config.merge[{at}]", one
    for at, one in enumerate(config.ignition.security.tls.certificate_authorities):
        yield f"$.ignition.security.tls.certificateAuthorities[{at}]", one
    for at, file in enumerate(config.storage.files):
        yield from _file_resources(f"$.storage.files[{at}]", file)


def _file_resources(path: str, file: File) -> Iterator[tuple[str, Resource]]:
    yield f"{path}.contents", file.contents
    for at, one in enumerate(file.append):
        yield f"{path}.append[{at}]", one


def _paths(config: Config) -> Iterator[tuple[str, str]]:
    for at, directory in enumerate(config.storage.directories):
        yield f"$.storage.directories[{at}].path", directory.path
    for at, file in enumerate(config.storage.files):
        yield f"$.storage.files[{at}].path", file.path
    for at, link in enumerate(config.storage.links):
        yield f"$.storage.links[{at}].path", link.path


def _duplicates(named: Iterator[tuple[str, str]]) -> Iterator[ConfigError]:
    seen: set[str] = set()
    for path, name in named:
        if name in seen:
            yield ConfigError(f"{name!r} stands twice", path=path)
        seen.add(name)


def _version(document: Any) -> Any:
    if not isinstance(document, dict) or not isinstance(document.get("ignition"), dict):
        raise ConfigError("not an object with `ignition`")
    return document["ignition"].get("version")


def _without_nulls(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _without_nulls(item) for key, item in value.items() if item is not None}
    return [_without_nulls(item) for item in value] if isinstance(value, list) else value


def _pruned(value: Any) -> Any:
    """Drop absent and empty members of objects; an empty string is a value and stays."""
    if isinstance(value, dict):
        members = {key: _pruned(item) for key, item in value.items()}
        return {key: item for key, item in members.items() if item not in (None, {}, [])}
    return [_pruned(item) for item in value] if isinstance(value, list | tuple) else value
