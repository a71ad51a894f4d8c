"""What is known about each part, for `hypershift parts list` and `verify`."""

import functools
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from hypershift.parts import debian
from hypershift.parts.cache import Record, State
from hypershift.parts.fetch import sources
from hypershift.parts.part import GoModule, Part
from hypershift.parts.pins import pinned_checksum, pinned_download
from hypershift.parts.settings import Settings
from hypershift.parts.sources import Sources, tree_packages
from hypershift.parts.table import parts


@dataclass(frozen=True, slots=True)
class Finding:
    """One part: what the table says, what the cache has, and whether it is the pinned file."""

    part: Part
    state: State
    source: str = ""
    sha256: str = ""
    pin: str = ""
    #: What the pin is of: the file, or the whole download that it was a part of.
    compared: str = ""
    #: Who signed the download that it came from.
    signer: str = ""

    @property
    def absent(self) -> bool:
        return self.state is State.ABSENT

    @property
    def whole(self) -> bool:
        return self.state is State.READY and self.pin in {"", self.compared}

    @property
    def word(self) -> str:
        """The state in one word; an intact file may not be the pinned one."""
        return "unpinned" if self.state is State.READY and not self.whole else self.state

    def asked_for(self, names: Iterable[str]) -> bool:
        """Whether one of the names means this part; no names mean every part."""
        wanted = set(names)
        return not wanted or bool(wanted & {self.part.id, self.part.name})

    def as_json(self) -> dict[str, str]:
        return {
            "name": self.part.name,
            "version": self.part.version,
            "state": self.word,
            "source": self.source,
            "sha256": self.sha256,
            "pinned": self.pin,
            "compared": self.compared,
            "signedBy": self.signer,
        }

    def as_row(self) -> tuple[str, ...]:
        return (
            self.part.name,
            self.part.version or "-",
            self.word,
            self.source or "-",
            self.sha256,
        )


def findings(settings: Settings | None = None, *, thorough: bool = False) -> tuple[Finding, ...]:
    """Look at every part of the table."""
    origin = sources(settings)
    look = functools.cache(lambda packages: _tree(origin, packages, thorough=thorough))
    return tuple(_finding(origin, part, look, thorough=thorough) for part in parts())


def _tree(origin: Sources, packages: tuple[str, ...], *, thorough: bool) -> State:
    if debian.find_tree(origin.cache, packages, thorough=thorough):
        return State.READY
    there = debian.tree_directory(origin.cache, packages).exists()
    return State.CORRUPT if there else State.ABSENT


def _finding(
    origin: Sources, part: Part, tree: Callable[[tuple[str, ...]], State], *, thorough: bool
) -> Finding:
    if not isinstance(part.source, GoModule):
        return Finding(part, tree(tree_packages(part.source)), f"package {part.source.package}")
    state = origin.cache.look(part, thorough=thorough)
    record = origin.cache.record(part)
    if record is None:
        return Finding(part, state)
    if record.url:
        return _download(part, state, record)
    made_by = record.toolchain or record.source
    pin = pinned_checksum(part, record.toolchain, origin.settings.architecture)
    return Finding(part, state, made_by, record.sha256, pin, record.sha256)


def _download(part: Part, state: State, record: Record) -> Finding:
    """A download, and by whose word it is the right one."""
    pin = pinned_download(record.url)
    words = ["pinned"] if pin else []
    words += [f"signed by {record.signer}"] if record.signer else []
    source = ", ".join(("download", *(words or ["by its host's word"])))
    return Finding(part, state, source, record.sha256, pin, record.download, record.signer)
