"""Unpacking layers into a directory, as a container runtime would, and never outside of it."""

import contextlib
import os
import shutil
import stat
import tarfile
from collections.abc import Iterable
from pathlib import Path, PurePosixPath
from typing import BinaryIO

from hypershift.oci.errors import InvalidImage

WHITEOUT = ".wh."
OPAQUE = ".wh..wh..opq"
MAX_LINKS = 40
_XATTR = "SCHILY.xattr."


def extract(layers: Iterable[BinaryIO], root: Path) -> None:
    """Apply layers, lowest first, on a directory."""
    root.mkdir(parents=True, exist_ok=True)
    for layer in layers:
        extract_layer(layer, root)


def extract_layer(layer: BinaryIO, root: Path) -> None:
    """Apply one layer; owners are kept when we may set them."""
    times: list[tuple[Path, float]] = []
    new: set[Path] = set()
    try:
        with tarfile.open(fileobj=layer, mode="r|*") as archive:
            for member in archive:
                if place := _apply(archive, member, root, new):
                    new.add(place)
                    times.append((place, member.mtime))
    except tarfile.TarError as error:
        raise InvalidImage(f"a layer is no tar archive: {error}") from error
    for place, moment in reversed(times):
        # last, since making a child changes its directory's time
        with contextlib.suppress(OSError):
            os.utime(place, (moment, moment), follow_symlinks=False)


def inside(root: Path, name: str) -> Path:
    """Where a name of an archive lies below the root, with links in its parents followed.

    Links are read as the container would read them: an absolute one starts at the root, and
    nothing climbs above it.
    """
    place = root
    pending = [word for word in PurePosixPath("/", name).parts[1:] if word != "."]
    links = 0
    while pending:
        word = pending.pop(0)
        if word == "..":
            place = place if place == root else place.parent
        elif pending and (place / word).is_symlink():
            links += 1
            if links > MAX_LINKS:
                raise InvalidImage(f"{name} goes through too many links")
            target = PurePosixPath((place / word).readlink())
            place = root if target.is_absolute() else place
            pending[:0] = [part for part in target.parts if part != "/"]
        else:
            place /= word
    return place


def _apply(
    archive: tarfile.TarFile, member: tarfile.TarInfo, root: Path, new: set[Path]
) -> Path | None:
    place = inside(root, member.name)
    if place == root:
        return None
    if ".." in PurePosixPath(member.name).parts:
        raise InvalidImage(f"a layer wants to write to {member.name}")
    place.parent.mkdir(parents=True, exist_ok=True)
    if place.name == OPAQUE:
        _empty(place.parent, new)
        return None
    if place.name.startswith(WHITEOUT):
        _remove(place.with_name(place.name.removeprefix(WHITEOUT)))
        return None
    _create(archive, member, root, place)
    _own(member, place)
    return place


def _create(archive: tarfile.TarFile, member: tarfile.TarInfo, root: Path, place: Path) -> None:
    if not (member.isdir() and place.is_dir() and not place.is_symlink()):
        _remove(place)
    if member.isdir():
        place.mkdir(exist_ok=True)
    elif member.issym():
        place.symlink_to(member.linkname)
    elif member.islnk():
        place.hardlink_to(inside(root, member.linkname))
    elif member.isfile():
        source = archive.extractfile(member)
        with place.open("wb") as out:
            shutil.copyfileobj(source or _nothing(member), out, 1 << 20)
    else:
        _make_device(member, place)


def _nothing(member: tarfile.TarInfo) -> BinaryIO:
    raise InvalidImage(f"{member.name} has no content")


def _make_device(member: tarfile.TarInfo, place: Path) -> None:
    kind = {
        tarfile.CHRTYPE: stat.S_IFCHR,
        tarfile.BLKTYPE: stat.S_IFBLK,
        tarfile.FIFOTYPE: stat.S_IFIFO,
    }.get(member.type)
    if kind is None:
        raise InvalidImage(f"{member.name} is of a kind that layers do not have")
    with contextlib.suppress(PermissionError):  # without root an image has no devices
        os.mknod(place, kind | member.mode, os.makedev(member.devmajor, member.devminor))


def _own(member: tarfile.TarInfo, place: Path) -> None:
    if not os.path.lexists(place):
        return
    if os.geteuid() == 0:
        os.chown(place, member.uid, member.gid, follow_symlinks=False)
    if not member.issym():
        place.chmod(member.mode & 0o7777)
    for name, value in member.pax_headers.items():
        if name.startswith(_XATTR):
            with contextlib.suppress(OSError):
                os.setxattr(
                    place,
                    name.removeprefix(_XATTR),
                    value.encode("utf-8", "surrogateescape"),
                    follow_symlinks=False,
                )


def _remove(place: Path) -> None:
    if place.is_dir() and not place.is_symlink():
        shutil.rmtree(place)
    else:
        place.unlink(missing_ok=True)


def _empty(directory: Path, new: set[Path]) -> None:
    """Hide what lower layers put here, but keep what this layer brings itself."""
    kept = {each for place in new for each in (place, *place.parents)}
    for child in directory.iterdir():
        if child not in kept:
            _remove(child)
