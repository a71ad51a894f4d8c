"""Files below a root that another party wrote: an image, or a machine's disk.

Two ways to reach a file, and the host side of a machine uses no other:

- `inside` and the functions on it follow links as a process of the machine does: a link that
  points to `/x` leads to `/x` of the root. They need a tree that does not change meanwhile, so
  only the boot of a machine uses them, before the machine's first process runs.
- `descend` follows no link at all and holds each directory by its descriptor. It is safe beside
  a running machine.
"""

import os
import posixpath
import stat
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Final

from hypershift.kit import TerminalError

#: As many links as Linux follows in one path.
MAX_LINKS: Final = 40
#: The most that the host reads of one file: units, presets and tables are far smaller.
MAX_BYTES: Final = 1 << 20
#: The kernel's limit for one name.
MAX_NAME: Final = 255
_DIRECTORY: Final = os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


class UnsafePath(TerminalError):
    """A path of a machine that the host refuses to use; the message never has file contents."""


def segment(name: str) -> str:
    """Return `name` when it is one step of a path and nothing else."""
    wrong = name in ("", ".", "..") or "/" in name or "\0" in name
    if wrong or len(os.fsencode(name)) > MAX_NAME:
        raise UnsafePath(f"{name[:80]!r} is not a file name")
    return name


def inside(root: Path, path: str, *, follow: bool = False) -> Path:
    """Return where `path` of the machine lies on the host: links lead to places in the root.

    The last step is the node itself, unless `follow` says that a link there is followed too.
    """
    pending, done, links = path.strip("/").split("/"), "", 0
    while pending:
        part = pending.pop(0)
        if part in ("", "."):
            continue
        candidate = posixpath.normpath(f"{done}/{part}")
        if (pending or follow) and (root / candidate[1:]).is_symlink():
            links += 1
            if links > MAX_LINKS:
                raise UnsafePath(f"{path}: too many links in the way")
            target = str((root / candidate[1:]).readlink())
            done = "" if target.startswith("/") else done
            pending = target.strip("/").split("/") + pending
            continue
        done = "" if candidate in ("/", "//") else candidate
    return root / done.lstrip("/")


def node(root: Path, path: str) -> Path:
    """Return the place of a file or link, below the root and never the root itself."""
    place = inside(root, path)
    if place == root:
        raise UnsafePath(f"{path} is the root itself")
    return place


def read(root: Path, path: str, limit: int = MAX_BYTES) -> bytes | None:
    """Return a regular file's contents; None when nothing is there."""
    place = inside(root, path, follow=True)
    try:
        # A pipe without a writer must not hold us.
        descriptor = os.open(place, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except (FileNotFoundError, NotADirectoryError):
        return None
    with os.fdopen(descriptor, "rb") as file:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise UnsafePath(f"{path} is not a regular file")
        contents = file.read(limit + 1)
    if len(contents) > limit:
        raise UnsafePath(f"{path} has more than {limit} bytes")
    return contents


def read_text(root: Path, path: str) -> str | None:
    """Return a regular file's text; None when nothing is there."""
    contents = read(root, path)
    try:
        return None if contents is None else contents.decode()
    except UnicodeDecodeError:
        raise UnsafePath(f"{path} is not text") from None


def names(root: Path, directory: str, pattern: str = "*") -> tuple[str, ...]:
    """Return the names in a directory that match, in order; none when it does not exist."""
    place = inside(root, directory, follow=True)
    try:
        found = [one.name for one in place.iterdir()]
    except (FileNotFoundError, NotADirectoryError):
        return ()
    return tuple(sorted(name for name in found if fnmatchcase(name, pattern)))


def replace(root: Path, path: str, contents: bytes, mode: int = 0o644) -> Path:
    """Write a new file in the place of what is there; a link there is removed, not followed."""
    place = node(root, path)
    place.parent.mkdir(parents=True, exist_ok=True)
    # Always a new file: another name of the old one (a hard link) keeps its contents.
    place.unlink(missing_ok=True)
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
    with os.fdopen(os.open(place, flags, 0o600), "wb") as file:
        file.write(contents)
        os.fchmod(file.fileno(), mode)
    return place


def link(root: Path, path: str, target: str) -> Path:
    """Make a link in the place of what is there."""
    place = node(root, path)
    place.parent.mkdir(parents=True, exist_ok=True)
    place.unlink(missing_ok=True)
    place.symlink_to(target)
    return place


@contextmanager
def descend(root: Path | int, steps: Iterable[str], *, make: bool = False) -> Iterator[int]:
    """Open a directory step by step; a step that is a link is an OSError."""
    place = os.dup(root) if isinstance(root, int) else os.open(root, _DIRECTORY)
    try:
        for name in map(segment, steps):
            if make:
                with suppress(FileExistsError):
                    os.mkdir(name, 0o755, dir_fd=place)
            deeper = os.open(name, _DIRECTORY, dir_fd=place)
            os.close(place)
            place = deeper
        yield place
    finally:
        os.close(place)
