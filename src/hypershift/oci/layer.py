"""Layers: a tree of files as a tar archive whose bytes depend on nothing but the files.

Names are sorted, times are zero, owners are numbers: two machines with equal files make equal
layers, and so equal digests.
"""

import hashlib
import io
import json
import shutil
import stat
import tarfile
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import BinaryIO

from hypershift.oci.errors import InvalidImage

BUFFER = 1 << 20


@dataclass(frozen=True, slots=True)
class Entry:
    """One name of a tree: a file with its content, a directory, or a link with its target."""

    kind: bytes
    mode: int
    content: bytes | Path = b""
    target: str = ""
    uid: int = 0
    gid: int = 0


def file(content: bytes | str | Path, mode: int = 0o644, *, uid: int = 0, gid: int = 0) -> Entry:
    """A file with content from memory, or from a file of this machine."""
    raw = content.encode() if isinstance(content, str) else content
    return Entry(tarfile.REGTYPE, mode, raw, uid=uid, gid=gid)


def directory(mode: int = 0o755, *, uid: int = 0, gid: int = 0) -> Entry:
    """A directory."""
    return Entry(tarfile.DIRTYPE, mode, uid=uid, gid=gid)


def link(target: str) -> Entry:
    """A symbolic link."""
    return Entry(tarfile.SYMTYPE, 0o777, target=target)


@dataclass(slots=True)
class Tree:
    """Entries by path, to be written as one layer; parents appear by themselves."""

    entries: dict[str, Entry] = field(default_factory=dict)

    def add(self, path: str, entry: Entry) -> "Tree":
        """Put an entry at a path, which may be written with or without a leading slash."""
        plain = path.strip("/")
        for parent in reversed(PurePosixPath(plain).parents[:-1]):
            self.entries.setdefault(str(parent), directory())
        self.entries[plain] = entry
        return self

    def add_all(self, entries: Mapping[str, Entry]) -> "Tree":
        """Put several entries."""
        for path, entry in entries.items():
            self.add(path, entry)
        return self

    def add_copy(self, path: str, source: Path, skip: Iterable[str] = ()) -> "Tree":
        """Put a file or a whole directory of this machine; `skip` are names to leave out."""
        skipped = frozenset(skip)
        for name, entry in _copies(source, skipped):
            self.add(f"{path.strip('/')}/{name}" if name else path, entry)
        return self

    def __iter__(self) -> Iterator[tuple[str, Entry]]:
        return iter(sorted(self.entries.items()))

    def fingerprint(self) -> str:
        """A key that changes whenever a file behind the tree changes, without reading files."""
        digest = hashlib.sha256()
        for path, entry in self:
            identity = (path, entry.kind.decode(), entry.mode, entry.target, entry.uid, entry.gid)
            digest.update(json.dumps([*identity, *_identity(entry.content)]).encode())
        return digest.hexdigest()


def _copies(source: Path, skipped: frozenset[str]) -> Iterator[tuple[str, Entry]]:
    status = source.lstat()
    if stat.S_ISLNK(status.st_mode):
        yield "", link(str(source.readlink()))
    elif stat.S_ISREG(status.st_mode):
        yield "", file(source, 0o755 if status.st_mode & 0o111 else 0o644)
    elif stat.S_ISDIR(status.st_mode):
        yield "", directory()
        for child in sorted(source.iterdir()):
            if child.name not in skipped:
                for name, entry in _copies(child, skipped):
                    yield f"{child.name}/{name}" if name else child.name, entry


def _identity(content: bytes | Path) -> tuple[str | int, ...]:
    if isinstance(content, bytes):
        return (hashlib.sha256(content).hexdigest(),)
    status = content.stat()
    return (str(content), status.st_size, status.st_mtime_ns)


@dataclass(frozen=True, slots=True)
class Written:
    """A layer that was written: its digest, which is its content's too, and its size."""

    digest: str
    size: int


def write_layer(tree: Tree, out: BinaryIO) -> Written:
    """Write a tree as an uncompressed layer.

    Uncompressed, because these layers travel inside one machine, where time is dearer than disk.
    """
    sink = _Sink(out)
    for path, entry in tree:
        _append(sink, path, entry)
    sink.write(bytes(2 * tarfile.BLOCKSIZE))
    return Written(f"sha256:{sink.digest.hexdigest()}", sink.size)


def _append(sink: "_Sink", path: str, entry: Entry) -> None:
    with _open(entry.content) as content:
        info = tarfile.TarInfo(path)
        info.type, info.mode, info.linkname = entry.kind, entry.mode, entry.target
        info.uid, info.gid, info.size = entry.uid, entry.gid, _size(entry.content)
        sink.write(info.tobuf(tarfile.GNU_FORMAT))
        end = sink.size + info.size
        shutil.copyfileobj(content, sink, BUFFER)
    if sink.size != end:
        raise InvalidImage(f"{entry.content!r} changed while it was read")
    sink.write(bytes(-sink.size % tarfile.BLOCKSIZE))


def _open(content: bytes | Path) -> BinaryIO:
    return io.BytesIO(content) if isinstance(content, bytes) else content.open("rb")


def _size(content: bytes | Path) -> int:
    return len(content) if isinstance(content, bytes) else content.stat().st_size


class _Sink:
    """Counts and hashes what passes through."""

    def __init__(self, out: BinaryIO) -> None:
        self._out = out
        self.digest = hashlib.sha256()
        self.size = 0

    def write(self, data: bytes) -> int:
        self.digest.update(data)
        self.size += len(data)
        return self._out.write(data)
