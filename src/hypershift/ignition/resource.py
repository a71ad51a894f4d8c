"""What a configuration points to: contents inline, compressed or elsewhere, and their proof."""

import base64
import binascii
import gzip
import hashlib
import hmac
from typing import Annotated, Final
from urllib.parse import quote_from_bytes, unquote_to_bytes

import msgspec

from hypershift.kit import TerminalError

GZIP: Final = "gzip"


class ConfigError(TerminalError):
    """A configuration that cannot be understood or applied; `path` says where."""

    def __init__(self, message: str, *, path: str = "$") -> None:
        super().__init__(f"ignition config at {path}: {message}")
        self.path = path


class Value(msgspec.Struct, frozen=True, kw_only=True, rename="camel", forbid_unknown_fields=True):
    """Base of every part of a configuration: immutable, and strict about what it reads."""


class Header(Value, frozen=True, kw_only=True):
    """One HTTP header to send when a source is fetched."""

    name: str
    value: str | None = None


class Verification(Value, frozen=True, kw_only=True):
    """The digest that contents must have, as `sha256-<hex>` or `sha512-<hex>`."""

    hash: Annotated[str, msgspec.Meta(pattern=r"^(sha256|sha512)-[0-9a-f]+$")] | None = None


class Resource(Value, frozen=True, kw_only=True):
    """Contents by URL."""

    source: str | None = None
    compression: str | None = None
    http_headers: tuple[Header, ...] = ()
    verification: Verification = Verification()


def data_url(contents: bytes) -> str:
    """Contents as a `data:` URL, in the shorter of its two spellings."""
    plain = f"data:,{quote_from_bytes(contents, safe='/:;=@$-_.!~*()')}"
    encoded = f"data:;base64,{base64.b64encode(contents).decode()}"
    return min(plain, encoded, key=len)


def inline(contents: bytes, *, compress: bool = False) -> Resource:
    """A resource that carries its contents."""
    if not compress:
        return Resource(source=data_url(contents))
    return Resource(source=data_url(gzip.compress(contents, mtime=0)), compression=GZIP)


def inline_contents(source: str, path: str = "$") -> bytes:
    """What a `data:` URL carries."""
    scheme, _, rest = source.partition(":")
    head, comma, body = rest.partition(",")
    if scheme != "data" or not comma:
        raise ConfigError("source is not a data URL", path=path)
    if not head.endswith(";base64"):
        return unquote_to_bytes(body)
    try:
        return base64.b64decode(unquote_to_bytes(body), validate=True)
    except binascii.Error as error:
        raise ConfigError(f"base64 of the data URL is broken: {error}", path=path) from None


def unpacked(resource: Resource, fetched: bytes, path: str = "$") -> bytes:
    """The contents behind fetched bytes: verified, then decompressed."""
    verify(resource.verification, fetched, path)
    if not resource.compression:
        return fetched
    if resource.compression != GZIP:
        raise ConfigError(f"compression {resource.compression!r} is unknown", path=path)
    try:
        return gzip.decompress(fetched)
    except (OSError, EOFError) as error:
        raise ConfigError(f"gzip is broken: {error}", path=path) from None


def verify(verification: Verification, contents: bytes, path: str) -> None:
    """Refuse contents that have another digest than the configuration says."""
    if verification.hash is None:
        return
    algorithm, _, wanted = verification.hash.partition("-")
    if not hmac.compare_digest(hashlib.new(algorithm, contents).hexdigest(), wanted):
        raise ConfigError(f"contents do not match {verification.hash[:16]}...", path=path)
