"""Writing a configuration into a machine's root: directories, files, links, users, units.

Every path is walked within the root: a link that points elsewhere leads to a place in the root, as
it would for a process of the machine, and never to the host.
"""

import os
import shutil
import stat
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

from hypershift.ignition import (
    Config,
    ConfigError,
    Directory,
    File,
    Link,
    Owner,
    Unit,
    User,
    inline_contents,
    unpacked,
)
from hypershift.local.machine import tree
from hypershift.local.machine.tree import inside

USERS: Final = "etc/passwd"
GROUPS: Final = "etc/group"
#: How many fields a line of these tables has.
FIELDS: Final = {USERS: 7, GROUPS: 4}
UNITS: Final = "/etc/systemd/system"
PRESET: Final = "/etc/systemd/system-preset/20-ignition.preset"


def apply(config: Config, root: Path) -> tuple[str, ...]:
    """Apply the configuration to the root; its contents must all be inline.

    Returns where the files and links really lie, so that a later configuration can drop them.
    """
    for directory in sorted(config.storage.directories, key=lambda one: one.path):
        write_directory(root, directory)
    written = [
        *(write_file(root, file) for file in config.storage.files),
        *(write_link(root, link) for link in config.storage.links),
        *(write_keys(root, user) for user in config.passwd.users),
        *(place for unit in config.systemd.units for place in write_unit(root, unit)),
        _put(root, PRESET, "".join(_presets(config.systemd.units)).encode(), 0o644),
    ]
    return tuple(f"/{place.relative_to(root)}" for place in written)


def drop(paths: Iterable[str], upper: Path, var: Path) -> None:
    """Take what a former configuration wrote off a disk that is not mounted.

    Where the image has a file of that name, it shows again: through the mounted root it would
    only be hidden.
    """
    for path in paths:
        root, name = (var, path.removeprefix("/var")) if path.startswith("/var/") else (upper, path)
        # The machine may have put something else in its place: that is the machine's own.
        with suppress(FileNotFoundError, NotADirectoryError, IsADirectoryError):
            tree.node(root, name).unlink()


def write_directory(root: Path, node: Directory) -> None:
    """Make a directory; with `overwrite` it replaces another kind of file."""
    place = _cleared(root, node.path, overwrite=bool(node.overwrite), keep=stat.S_IFDIR)
    place.mkdir(exist_ok=True)
    _own(root, place, node.user, node.group, 0o755 if node.mode is None else node.mode)


def write_file(root: Path, node: File) -> Path:
    """Write a file's contents, then what is to be appended."""
    given = node.contents.source is not None
    overwrite = bool(node.overwrite)
    place = _cleared(root, node.path, overwrite=overwrite, keep=stat.S_IFREG)
    if given and place.exists() and not overwrite and place.read_bytes() != _bytes(node):
        raise ConfigError("the image has another file here, and overwrite is false", path=node.path)
    before = place.read_bytes() if place.exists() and not given else b""
    after = b"".join(
        unpacked(part, inline_contents(part.source or "data:,", node.path), node.path)
        for part in node.append
    )
    tree.replace(root, node.path, (_bytes(node) if given else before) + after)
    _own(root, place, node.user, node.group, 0o644 if node.mode is None else node.mode)
    return place


def write_link(root: Path, node: Link) -> Path:
    """Make a link."""
    place = _cleared(root, node.path, overwrite=bool(node.overwrite), keep=stat.S_IFLNK)
    place.unlink(missing_ok=True)
    if node.hard:
        place.hardlink_to(inside(root, node.target))
    else:
        place.symlink_to(node.target)
        os.chown(place, *_ids(root, node.user, node.group), follow_symlinks=False)
    return place


def write_keys(root: Path, user: User) -> Path:
    """Let the user in with these keys; the user must be one of the image's."""
    entry = _entry(root, USERS, user.name)
    if entry is None:
        raise ConfigError(f"the image has no user {user.name!r}", path="$.passwd.users")
    home, ids = entry[5], (int(entry[2]), int(entry[3]))
    for path in (home, f"{home}/.ssh"):
        place = _cleared(root, path, overwrite=False, keep=stat.S_IFDIR)
        place.mkdir(mode=0o700, exist_ok=True)
        os.chown(place, *ids)
    keys = "".join(f"{key}\n" for key in user.ssh_authorized_keys)
    place = _put(root, f"{home}/.ssh/authorized_keys", keys.encode(), 0o600)
    os.chown(place, *ids)
    return place


def write_unit(root: Path, unit: Unit) -> Iterator[Path]:
    """Write a unit and its drop-ins, or mask it."""
    if unit.mask:
        link = Link(path=f"{UNITS}/{unit.name}", target="/dev/null", overwrite=True)
        yield write_link(root, link)
    elif unit.contents is not None:
        yield _put(root, f"{UNITS}/{unit.name}", unit.contents.encode(), 0o644)
    for dropin in unit.dropins:
        text = (dropin.contents or "").encode()
        yield _put(root, f"{UNITS}/{unit.name}.d/{dropin.name}", text, 0o644)


def _presets(units: tuple[Unit, ...]) -> list[str]:
    words = {True: "enable", False: "disable"}
    return [f"{words[unit.enabled]} {unit.name}\n" for unit in units if unit.enabled is not None]


def _bytes(node: File) -> bytes:
    contents = inline_contents(node.contents.source or "data:,", node.path)
    return unpacked(node.contents, contents, node.path)


def _put(root: Path, path: str, contents: bytes, mode: int) -> Path:
    _cleared(root, path, overwrite=True, keep=stat.S_IFREG)
    return tree.replace(root, path, contents, mode)


def _cleared(root: Path, path: str, *, overwrite: bool, keep: int) -> Path:
    """The place of a node, free for its kind: parents made, another kind removed when allowed."""
    place = tree.node(root, path)
    place.parent.mkdir(parents=True, exist_ok=True)
    if not os.path.lexists(place) or stat.S_IFMT(place.lstat().st_mode) == keep:
        return place
    if not overwrite:
        raise ConfigError("something else is here, and overwrite is false", path=path)
    if place.is_dir() and not place.is_symlink():
        shutil.rmtree(place)
    else:
        place.unlink()
    return place


def _own(root: Path, place: Path, user: Owner, group: Owner, mode: int) -> None:
    os.chown(place, *_ids(root, user, group))
    place.chmod(mode)


def _ids(root: Path, user: Owner, group: Owner) -> tuple[int, int]:
    return _id(root, USERS, user), _id(root, GROUPS, group)


def _id(root: Path, table: str, owner: Owner) -> int:
    if owner.id is not None:
        return owner.id
    if owner.name is None:
        return -1  # stays as it is: what we make is root's, as we are
    entry = _entry(root, table, owner.name)
    if entry is None:
        raise ConfigError(f"{owner.name!r} is not in /{table}", path="$.storage")
    return int(entry[2])


def _entry(root: Path, table: str, name: str) -> list[str] | None:
    """The fields of a user's or group's line; a line that is cut short is none."""
    lines = (tree.read_text(root, table) or "").splitlines()
    entries = (line.split(":") for line in lines)
    return next((one for one in entries if one[0] == name and _is_entry(one, table)), None)


def _is_entry(entry: list[str], table: str) -> bool:
    numbers = entry[2:4] if table == USERS else entry[2:3]
    return len(entry) == FIELDS[table] and all(one.isdecimal() for one in numbers)
