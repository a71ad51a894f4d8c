"""A directory tree of a container on the host's disk, changed without following links.

Every call names one word below an open directory (`openat` and its family) and never follows it.
A link among the parents of a name is read by us, as the container would read it: an absolute one
starts at the root, and nothing climbs above the root.
"""

import contextlib
import errno
import os
import shutil
import stat
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from types import TracebackType
from typing import Self

from hypershift.oci.errors import InvalidImage

MOST_LINKS = 40
MOST_WORDS = 256
DIRECTORY = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
NEW_FILE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
#: What the kernel says to names that an archive should not have; other errors are the host's.
_UNFIT = frozenset(
    {errno.ENAMETOOLONG, errno.ENOTDIR, errno.ELOOP, errno.EINVAL, errno.EMLINK, errno.EISDIR}
)


class TreeOnDisk:
    """The root of a tree, held open."""

    def __init__(self, root: Path) -> None:
        self._path = root
        self._root = -1

    def __enter__(self) -> Self:
        self._root = os.open(self._path, DIRECTORY)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        os.close(self._root)

    @contextmanager
    def parent(self, words: tuple[str, ...], *, create: bool = True) -> "Iterator[Place]":
        """The place of a name: its parent directory, found or made, and its last word."""
        with _unfit("/".join(words)), _Descent(self._root, create=create) as walk:
            walk.go(words[:-1])
            yield Place(self, walk.here, (*walk.path, words[-1]))

    def set_time(self, path: tuple[str, ...], moment: float) -> None:
        """Set the time of a directory if it is still there; no link leads to it."""
        with (
            contextlib.suppress(OSError),
            _Descent(self._root, create=False, links=False) as walk,
        ):
            walk.go(path)
            os.utime(walk.here, (moment, moment))


class Place:
    """One name below an open directory, whatever is there now."""

    def __init__(self, tree: TreeOnDisk, parent: int, path: tuple[str, ...]) -> None:
        self._tree = tree
        self._parent = parent
        self.path = path
        self.name = path[-1]

    def siblings(self) -> list[str]:
        """The names in the directory."""
        return os.listdir(self._parent)  # noqa: PTH208 - a descriptor

    def remove(self, name: str = "") -> None:
        """Remove what is there, a directory with everything in it; a link goes, not its target."""
        name = name or self.name
        found = _status(self._parent, name)
        if found is None:
            return
        if stat.S_ISDIR(found.st_mode):
            shutil.rmtree(name, dir_fd=self._parent)
        else:
            os.unlink(name, dir_fd=self._parent)

    def make_directory(self, uid: int, gid: int, mode: int) -> None:
        """A directory; one that is there keeps its content."""
        found = _status(self._parent, self.name)
        if found is None or not stat.S_ISDIR(found.st_mode):
            self.remove()
            os.mkdir(self.name, 0o700, dir_fd=self._parent)
        handle = os.open(self.name, DIRECTORY, dir_fd=self._parent)
        try:
            _own(handle, uid, gid, mode)
        finally:
            os.close(handle)

    def make_file(self, content: Iterable[bytes], uid: int, gid: int, mode: int) -> None:
        """A new file; one that is there is removed, since it may have other names."""
        self.remove()
        handle = os.open(self.name, NEW_FILE, 0o600, dir_fd=self._parent)
        with os.fdopen(handle, "wb", buffering=0) as out:
            for chunk in content:
                _write(out.fileno(), chunk)
            _own(out.fileno(), uid, gid, mode)

    def make_link(self, target: str, uid: int, gid: int, moment: float) -> None:
        """A symbolic link; its target is text, and may be anything."""
        self.remove()
        if not target or "\0" in target:
            raise InvalidImage(f"{'/'.join(self.path)!r} is a link to nothing")
        os.symlink(target, self.name, dir_fd=self._parent)
        if os.geteuid() == 0:
            os.chown(self.name, uid, gid, dir_fd=self._parent, follow_symlinks=False)
        self.set_time(moment)

    def make_hard_link(self, target: tuple[str, ...]) -> None:
        """A second name of a file of this tree, whose path has no links in it.

        The file keeps its owner and mode: they are those that its first name brought.
        """
        shown = "/".join(target)
        source = _Descent(self._tree._root, create=False, links=False)  # noqa: SLF001 - one module
        with _absent(shown), source as walk:
            walk.go(target[:-1])
            found = _status(walk.here, target[-1])
            if found is None or not stat.S_ISREG(found.st_mode):
                raise InvalidImage(f"{shown!r} is no file that a hard link can name")
            there = _status(self._parent, self.name)
            if there and (there.st_dev, there.st_ino) == (found.st_dev, found.st_ino):
                return
            self.remove()
            os.link(
                target[-1],
                self.name,
                src_dir_fd=walk.here,
                dst_dir_fd=self._parent,
                follow_symlinks=False,
            )

    def set_attributes(self, attributes: Iterable[tuple[str, bytes]]) -> None:
        """Extended attributes of a file or directory; a file system may have none."""
        wanted = tuple(attributes)
        if not wanted:
            return
        flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK
        handle = os.open(self.name, flags, dir_fd=self._parent)
        try:
            for name, value in wanted:
                with contextlib.suppress(OSError):
                    os.setxattr(handle, name, value)
        finally:
            os.close(handle)

    def set_time(self, moment: float) -> None:
        """The time of a file or link itself."""
        os.utime(self.name, (moment, moment), dir_fd=self._parent, follow_symlinks=False)


class _Descent:
    """A way down from a root, as open directories; `..` goes back on it and never above."""

    def __init__(self, root: int, *, create: bool, links: bool = True) -> None:
        self._root = root
        self._create = create
        self._links = links
        self._open: list[int] = []
        self.path: list[str] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._climb(len(self._open))

    @property
    def here(self) -> int:
        """The directory that was reached."""
        return self._open[-1] if self._open else self._root

    def go(self, words: Iterable[str]) -> None:
        """Go down; a link on the way is read as the container would."""
        pending, links = list(words)[::-1], 0
        while pending:
            word = pending.pop()
            if len(self._open) > MOST_WORDS:
                raise InvalidImage("a name in a layer has too many words")
            if word == "..":
                self._climb(1)
            elif self._links and (target := _target(self.here, word)) is not None:
                links += 1
                if links > MOST_LINKS:
                    raise InvalidImage(f"{word!r} goes through too many links")
                if target.is_absolute():
                    self._climb(len(self._open))
                pending += [part for part in target.parts if part != "/"][::-1]
            else:
                self._enter(word)

    def _enter(self, word: str) -> None:
        if self._create:
            _make_parent(self.here, word)
        self._open.append(os.open(word, DIRECTORY, dir_fd=self.here))
        self.path.append(word)

    def _climb(self, count: int) -> None:
        for _ in range(min(count, len(self._open))):
            os.close(self._open.pop())
            self.path.pop()


def _make_parent(parent: int, name: str) -> None:
    """A directory that an archive did not mention; a file in its place gives way."""
    found = _status(parent, name)
    if found is not None and not stat.S_ISDIR(found.st_mode):
        os.unlink(name, dir_fd=parent)
        found = None
    if found is None:
        os.mkdir(name, 0o755, dir_fd=parent)


def _status(parent: int, name: str) -> os.stat_result | None:
    try:
        return os.stat(name, dir_fd=parent, follow_symlinks=False)
    except FileNotFoundError:
        return None


def _target(parent: int, name: str) -> PurePosixPath | None:
    """What a link says, None for what is no link."""
    try:
        return PurePosixPath(os.readlink(name, dir_fd=parent))
    except OSError as error:
        if error.errno in (errno.EINVAL, errno.ENOENT):
            return None
        raise


def _own(handle: int, uid: int, gid: int, mode: int) -> None:
    """Owner first: changing it clears the set-user-ID bits."""
    if os.geteuid() == 0:
        os.fchown(handle, uid, gid)
    os.fchmod(handle, mode)


def _write(handle: int, data: bytes) -> None:
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(handle, rest) :]


@contextmanager
def _unfit(name: str) -> Iterator[None]:
    try:
        yield
    except ValueError as error:  # a name that cannot be passed to the kernel
        raise InvalidImage(f"a layer has an impossible name: {name!r}") from error
    except OSError as error:
        if error.errno not in _UNFIT:
            raise
        raise InvalidImage(f"a layer cannot write {name!r}: {error.strerror}") from error


@contextmanager
def _absent(name: str) -> Iterator[None]:
    try:
        yield
    except (FileNotFoundError, NotADirectoryError) as error:
        raise InvalidImage(f"{name!r} is no file that a hard link can name") from error
    except OSError as error:
        if error.errno != errno.ELOOP:
            raise
        raise InvalidImage(f"a hard link goes through the link {name!r}") from error
