"""Unpack layers into a directory, as a container runtime does, and never outside of it.

The kernel follows no link for us: every step names one word below an open directory, and
`hypershift.oci.tree` reads links itself, as the container would. A layer cannot bring devices,
pipes or sockets. Set-user-ID bits are kept, since a machine's `su` and `mount` need them; the
tree must lie below a directory that only root may enter, or its programs would run as root for
every user of the host.
"""

import math
import os
import tarfile
from collections.abc import Iterable, Iterator
from pathlib import Path, PurePosixPath
from typing import BinaryIO

from hypershift.oci.errors import InvalidImage
from hypershift.oci.limits import IMAGE, Budget
from hypershift.oci.members import Allowance, Members
from hypershift.oci.tree import Place, TreeOnDisk

WHITEOUT = ".wh."
OPAQUE = ".wh..wh..opq"
_XATTR = "SCHILY.xattr."
#: Attributes that mean the same on every host. Others steer overlayfs or SELinux of this one.
_KEPT_XATTRS = ("security.capability", "user.")
_STEERING = "user.overlay."
LARGEST_ID = (1 << 31) - 1
LATEST = 1 << 33


def extract(layers: Iterable[BinaryIO], root: Path, budget: Budget = IMAGE) -> None:
    """Apply layers, lowest first, on a directory."""
    root.mkdir(parents=True, exist_ok=True)
    allowance = Allowance(budget)
    for layer in layers:
        extract_layer(layer, root, allowance)


def extract_layer(layer: BinaryIO, root: Path, allowance: Allowance | None = None) -> None:
    """Apply one layer; owners are kept when we may set them."""
    root.mkdir(parents=True, exist_ok=True)
    members = Members(layer, allowance or Allowance(IMAGE))
    with TreeOnDisk(root) as tree:
        unpacking = _Unpacking(tree, members)
        for member in members:
            unpacking.apply(member)
        unpacking.finish()


class _Unpacking:
    """One layer on its way into a tree."""

    def __init__(self, tree: TreeOnDisk, members: Members) -> None:
        self._tree = tree
        self._members = members
        #: What this layer brought, with the directories above it.
        self._new: set[tuple[str, ...]] = set()
        #: Times of directories: making a child changes them, so they are set last.
        self._times: dict[tuple[str, ...], float] = {}

    def apply(self, member: tarfile.TarInfo) -> None:
        words = words_of(member.name)
        if not words:
            return
        name = words[-1]
        with self._tree.parent(words) as place:
            if name == OPAQUE:
                self._empty(place)
            elif name.startswith(WHITEOUT):
                place.remove(hidden_by(name))
            else:
                self._create(member, place)
                self._note(place.path)

    def finish(self) -> None:
        """Set the times of directories, deepest first."""
        for path in sorted(self._times, key=len, reverse=True):
            self._tree.set_time(path, self._times[path])

    def _note(self, path: tuple[str, ...]) -> None:
        while path and path not in self._new:
            self._new.add(path)
            path = path[:-1]

    def _empty(self, place: Place) -> None:
        """Hide what lower layers put here, but keep what this layer brings itself."""
        for child in place.siblings():
            if (*place.path[:-1], child) not in self._new:
                place.remove(child)

    def _create(self, member: tarfile.TarInfo, place: Place) -> None:
        self._times.pop(place.path, None)
        if member.isdir():
            place.make_directory(*_owner(member), member.mode & 0o7777)
            place.set_attributes(_attributes(member))
            self._times[place.path] = _moment(member)
        elif member.issym():
            place.make_link(member.linkname, *_owner(member), _moment(member))
        elif member.islnk():
            target = words_of(member.linkname)
            if not target:
                raise InvalidImage(f"{member.name!r} is a hard link to nothing")
            place.make_hard_link(target)
        elif member.isfile():
            place.make_file(self._members.content(member), *_owner(member), member.mode & 0o7777)
            place.set_attributes(_attributes(member))
            place.set_time(_moment(member))
        else:
            raise InvalidImage(f"{member.name!r} is a device or of another kind that is refused")


def words_of(name: str) -> tuple[str, ...]:
    """The words of a name of an archive, which is meant below the root whatever it begins with."""
    words = tuple(word for word in PurePosixPath("/", name).parts[1:] if word != ".")
    if ".." in words or "\0" in name:
        raise InvalidImage(f"a layer wants to write to {name!r}")
    return words


def hidden_by(whiteout: str) -> str:
    """The name that a whiteout removes."""
    name = whiteout.removeprefix(WHITEOUT)
    if name in ("", ".", "..") or name.startswith(WHITEOUT):
        raise InvalidImage(f"{whiteout!r} hides nothing that a layer can have")
    return name


def _owner(member: tarfile.TarInfo) -> tuple[int, int]:
    if not (0 <= member.uid <= LARGEST_ID and 0 <= member.gid <= LARGEST_ID):
        raise InvalidImage(f"{member.name!r} has an owner that no file can have")
    return member.uid, member.gid


def _moment(member: tarfile.TarInfo) -> float:
    moment = float(member.mtime)
    return min(max(moment, 0.0), LATEST) if math.isfinite(moment) else 0.0


def _attributes(member: tarfile.TarInfo) -> Iterator[tuple[str, bytes]]:
    for header, value in member.pax_headers.items():
        name = header.removeprefix(_XATTR)
        if name != header and name.startswith(_KEPT_XATTRS) and not name.startswith(_STEERING):
            yield name, os.fsencode(value)
