"""The cache of binaries: each with a record of its checksum, written so that a crash leaves either.

<cache>/parts/kubelet/1.35.8/kubelet        the binary
<cache>/parts/kubelet/1.35.8/kubelet.json   its record
"""

import hashlib
import shutil
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

import msgspec

from hypershift.kit import replace_file
from hypershift.parts.part import Part
from hypershift.parts.recipe import fingerprint


class State(StrEnum):
    """What a look into the cache finds."""

    READY = "ready"
    ABSENT = "absent"
    STALE = "stale"  # made from another recipe than the table's
    CORRUPT = "corrupt"  # not the bytes that were put in


class Record(msgspec.Struct, frozen=True):
    """What is known about a cached file; size and time let a look skip reading it whole."""

    sha256: str
    size: int
    modified: int
    recipe: str
    source: str
    toolchain: str = ""
    #: Where a download came from, and the sha256 of the whole of it: a binary may be a part of it.
    url: str = ""
    download: str = ""
    #: Who signed the download, when that was checked.
    signer: str = ""


def sha256_of(file: Path) -> str:
    """The checksum of a file."""
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


@dataclass(frozen=True, slots=True)
class Cache:
    """Binaries by name and version under one directory."""

    root: Path

    def place(self, part: Part) -> Path:
        """Where a part's binary lies, whether it is there or not."""
        return self.root / part.name / (part.version or "host") / part.name

    def lock(self, name: str) -> Path:
        """The lock file of the process that makes things under that name."""
        return self.root / "locks" / f"{name}.lock"

    def record(self, part: Part) -> Record | None:
        """What the cache knows about a part, nothing when the record is unreadable."""
        try:
            return msgspec.json.decode(_record_file(self.place(part)).read_bytes(), type=Record)
        except (OSError, msgspec.DecodeError):
            return None

    def look(self, part: Part, *, thorough: bool = False) -> State:
        """Judge a part; a thorough look reads the whole file even when its times are unchanged."""
        file, record = self.place(part), self.record(part)
        if record is None or not file.is_file():
            return State.ABSENT
        if record.recipe != fingerprint(part):
            return State.STALE
        status = file.stat()
        untouched = (status.st_size, status.st_mtime_ns) == (record.size, record.modified)
        if untouched and not thorough:
            return State.READY
        return State.READY if sha256_of(file) == record.sha256 else State.CORRUPT

    def find(self, part: Part) -> Path | None:
        """The binary, when it is there and whole."""
        return self.place(part) if self.look(part) is State.READY else None

    def store(
        self,
        part: Part,
        made: Path,
        *,
        source: str,
        toolchain: str = "",
        url: str = "",
        download: str = "",
        signer: str = "",
    ) -> Path:
        """Move a finished binary in; it must lie on the cache's own file system."""
        file = self.place(part)
        file.parent.mkdir(parents=True, exist_ok=True)
        made.chmod(0o755)
        status = made.stat()
        record = Record(
            sha256=sha256_of(made),
            size=status.st_size,
            modified=status.st_mtime_ns,
            recipe=fingerprint(part),
            source=source,
            toolchain=toolchain,
            url=url,
            download=download,
            signer=signer,
        )
        made.replace(file)
        _write(_record_file(file), msgspec.json.format(msgspec.json.encode(record)))
        return file

    def workspace(self, name: str) -> Path:
        """An empty directory to make something in; what a killed predecessor left is removed.

        The caller holds the lock of that name.
        """
        directory = self.root / "work" / name
        shutil.rmtree(directory, ignore_errors=True)
        directory.mkdir(parents=True)
        return directory

    def discard_workspace(self, name: str) -> None:
        """Remove what was left in a workspace."""
        shutil.rmtree(self.root / "work" / name, ignore_errors=True)


def _record_file(file: Path) -> Path:
    return file.with_name(file.name + ".json")


def _write(file: Path, content: bytes) -> None:
    replace_file(file, content, mode=0o644)
