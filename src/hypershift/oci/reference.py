"""Image references: `registry/repository:tag@digest`."""

import re
from dataclasses import dataclass, replace

from hypershift.oci.errors import InvalidReference

_REPOSITORY = re.compile(r"[a-z0-9]+(?:(?:[._]|__|-+|/)[a-z0-9]+)*")
_TAG = re.compile(r"\w[\w.-]{0,127}")
_DIGEST = re.compile(r"sha256:[0-9a-f]{64}")
_HOST = re.compile(r"[A-Za-z0-9.\-\[\]:]+")
DEFAULT_HOST = "docker.io"


@dataclass(frozen=True, slots=True)
class Reference:
    """Where an image is, and which one it is; a digest wins over a tag."""

    host: str
    repository: str
    tag: str = ""
    digest: str = ""

    @property
    def selector(self) -> str:
        """What a registry is asked for: the digest if there is one, else the tag."""
        return self.digest or self.tag or "latest"

    @property
    def name(self) -> str:
        """Host and repository, without tag and digest."""
        return f"{self.host}/{self.repository}"

    def pinned(self, digest: str) -> "Reference":
        """The same image by its digest alone."""
        return replace(self, tag="", digest=digest)

    def __str__(self) -> str:
        tag = f":{self.tag}" if self.tag else ""
        digest = f"@{self.digest}" if self.digest else ""
        return f"{self.name}{tag}{digest}"


def parse(text: str) -> Reference:
    """Read a reference as container tools do: no host means Docker Hub, no tag means latest."""
    rest, _, digest = text.partition("@")
    name, tag = _split_tag(rest)
    host, repository = _split_host(name)
    if (
        not _REPOSITORY.fullmatch(repository)
        or not _HOST.fullmatch(host)
        or (tag and not _TAG.fullmatch(tag))
        or ("@" in text and not _DIGEST.fullmatch(digest))
    ):
        raise InvalidReference(f'"{text}" is not an image reference')
    return Reference(host, repository, tag if tag or digest else "latest", digest)


def _split_tag(text: str) -> tuple[str, str]:
    head, colon, tail = text.rpartition(":")
    return (head, tail) if colon and "/" not in tail else (text, "")


def _split_host(name: str) -> tuple[str, str]:
    first, slash, rest = name.partition("/")
    if slash and ("." in first or ":" in first or first == "localhost"):
        return first, rest
    return DEFAULT_HOST, name if slash else f"library/{name}"
