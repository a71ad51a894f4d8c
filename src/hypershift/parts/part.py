"""What a part is: a binary, and the recipe that its source follows."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from hypershift.parts.signing import Signing


@dataclass(frozen=True, slots=True)
class Release:
    """Where upstream publishes built binaries, with {version}, {arch} and {name} to fill in.

    `checksums` names a file that holds either one bare sha256 or lines of `sha256  file name`;
    `member` is the path inside the archive, and empty when the download is the binary itself.
    `signed` says how upstream signs it, if it does: then nothing is taken without that signature.
    """

    url: str
    checksums: str
    member: str = ""
    signed: Signing | None = None


@dataclass(frozen=True, slots=True)
class GoModule:
    """A Go module of ours that pins an upstream one; its binaries come from one compiler run."""

    name: str
    version: str
    packages: Mapping[str, str]
    upstream: str
    #: Programs that are a package's tests, which the compiler makes with another command.
    tests: frozenset[str] = frozenset()
    stamps: Mapping[str, str] = field(default_factory=dict)
    #: Archives of files that the module carries beside its code: folders by the archive's name.
    data: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    #: Modules, with versions, that are compiled with files of ours laid over them.
    patched: Mapping[str, str] = field(default_factory=dict)
    tags: tuple[str, ...] = ()
    cgo: bool = False
    release: Release | None = None
    #: What an empty build cache costs, in seconds of one core: for estimates shown to users.
    cpu_seconds: int = 0

    @property
    def names(self) -> tuple[str, ...]:
        """Its parts: programs, then archives."""
        return (*self.packages, *self.data)

    @property
    def title(self) -> str:
        """What people call it: a line of releases is no part of the name."""
        head, _, line = self.name.rpartition("-")
        plain = head if head and self.version.startswith(f"{line}.") else self.name
        return f"{plain} {self.version}"


@dataclass(frozen=True, slots=True)
class Definitions:
    """A module whose resource definitions we take: of which platform, and Go's sum of its files."""

    platform: str
    upstream: str
    version: str
    sum: str

    @property
    def title(self) -> str:
        """What people call it."""
        words = [each for each in self.upstream.split("/") if not re.fullmatch(r"v\d+", each)]
        return f"{words[-1]} {self.version}"


@dataclass(frozen=True, slots=True)
class Package:
    """A tool that a distribution builds better than we could: its package and its path in there."""

    package: str
    path: str
    #: The oldest version that does what we need: it comes in a tree of its own, with the libraries
    #: of a newer release of the distribution where this machine's release has an older one.
    since: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Part:
    """One binary of the table."""

    name: str
    source: GoModule | Package
    #: What people type: the name, with `@version` when it is not the default version.
    id: str

    @property
    def version(self) -> str:
        """The pinned version; a package's is whatever the distribution ships."""
        return self.source.version if isinstance(self.source, GoModule) else ""


def titles(parts: Iterable[Part]) -> list[str]:
    """What parts come from, in a few words: modules by name, tools by number."""
    found = list(parts)
    modules = [part.source.title for part in found if isinstance(part.source, GoModule)]
    tools = sum(isinstance(part.source, Package) for part in found)
    named = list(dict.fromkeys(modules))
    return [*named, f"{tools} tools of the distribution"] if tools else named
