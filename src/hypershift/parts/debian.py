"""Tools of the distribution: packages unpacked into the cache, with nothing installed.

The package manager resolves from an empty system, so that a tree holds every library that its
tools need, whatever this machine happens to have.
"""

import hashlib
import os
import re
import shutil
from collections.abc import Sequence
from pathlib import Path

import msgspec

from hypershift.parts.cache import Cache, sha256_of
from hypershift.parts.errors import PartUnavailable
from hypershift.parts.lock import Report, locked
from hypershift.parts.process import run

#: Where packages come from that this machine's release has too old.
NEWER = "http://deb.debian.org/debian trixie"
KEYRING = Path("/usr/share/keyrings/debian-archive-keyring.gpg")
_FROM_NOTHING = ("--no-install-recommends", "-o", "Dir::State::status=/dev/null")
_INSTALLED = re.compile(r"Inst (?P<name>[^ ]+) .*?\((?P<version>[^ ]+) ")
#: Documentation and translations, which no machine reads.
_PRUNED = ("usr/share/doc", "usr/share/man", "usr/share/locale", "usr/share/lintian")


class TreeRecord(msgspec.Struct, frozen=True):
    """What was unpacked: packages by version, files by size and time, and by checksum."""

    packages: dict[str, str]
    stamps: dict[str, tuple[int, int]]
    checksums: dict[str, str]


def available() -> bool:
    """Whether this machine can fetch packages."""
    return bool(shutil.which("apt-get") and shutil.which("dpkg-deb"))


def tree_directory(cache: Cache, packages: Sequence[str]) -> Path:
    """Where the tree of a set of packages lies, whether it is there or not."""
    key = hashlib.sha256("\n".join(sorted(packages)).encode()).hexdigest()[:12]
    return cache.root / "debian" / key


def find_tree(cache: Cache, packages: Sequence[str], *, thorough: bool = False) -> Path | None:
    """The tree of a set of packages, when it is there and whole."""
    directory = tree_directory(cache, packages)
    record = _record(directory)
    if record is None:
        return None
    if thorough:
        files = {name: sha256_of(directory / name) for name in _files(directory)}
        return directory if files == record.checksums else None
    return directory if _stamps(directory) == record.stamps else None


def find_file(cache: Cache, packages: Sequence[str], name: str) -> Path | None:
    """One file of a tree, when it is there and whole; `name` may lie below /usr or not."""
    directory = tree_directory(cache, packages)
    record = _record(directory)
    stamps = record.stamps if record else {}
    plain = name.removeprefix("usr/")
    for place in (plain, f"usr/{plain}"):
        if stamps.get(place, ()) == _stamp(f"{directory}/{place}"):
            return directory / place
    return None


async def fetch_tree(
    cache: Cache, packages: Sequence[str], report: Report, *, since: tuple[int, ...] = ()
) -> Path:
    """The tree of a set of packages, fetched when it is not there.

    `since` is the oldest useful version of the first one.
    """
    directory = tree_directory(cache, packages)
    name = f"debian-{directory.name}"
    async with locked(cache.lock(name), "packages", report):
        if found := find_tree(cache, packages):
            return found
        work = cache.workspace(name)
        try:
            versions = await _download(packages, work, report, since)
            made = await _unpack(work, versions)
            shutil.rmtree(directory, ignore_errors=True)
            directory.parent.mkdir(parents=True, exist_ok=True)
            made.rename(directory)
        finally:
            cache.discard_workspace(name)
    return directory


async def _download(
    packages: Sequence[str], work: Path, report: Report, since: tuple[int, ...]
) -> dict[str, str]:
    report(f"{', '.join(packages)}: downloading the distribution's packages")
    plain = ("-o", f"Dir::Cache={work / 'cache'}", "-o", "APT::Sandbox::User=root")
    known = await _resolve(packages, plain) if since else {}
    if known and numbers(known.get(packages[0], "")) < since:
        if versions := await _download_newer(packages, plain, work):
            return versions
        report(f"{packages[0]} of this distribution is {known[packages[0]]}, which is too old")
    if versions := await _download_by(packages, plain, work):
        return versions
    # No package lists on this machine, or lists of packages that are gone: get new ones, but not
    # into the system's own place.
    own = (*plain, *_lists(work / "lists"))
    await run(("apt-get", *own, "update"))
    if versions := await _download_by(packages, own, work):
        return versions
    raise PartUnavailable(
        f"the distribution's packages {', '.join(packages)} are not in the cache and cannot "
        "be downloaded: connect to a network, or point HYPERSHIFT_PARTS_DIR to their binaries"
    )


async def _download_newer(
    packages: Sequence[str], options: tuple[str, ...], work: Path
) -> dict[str, str]:
    """Download from a newer release of Debian, where this machine trusts its keys."""
    if not os.path.exists(KEYRING):  # noqa: ASYNC240, PTH110 - one look
        return {}
    (work / "sources.list").write_text(f"deb [signed-by={KEYRING}] {NEWER} main\n")
    own = (
        *options,
        *("-o", f"Dir::Etc::SourceList={work / 'sources.list'}"),
        *("-o", "Dir::Etc::SourceParts=/dev/null", *_lists(work / "newer")),
    )
    await run(("apt-get", *own, "update"))
    return await _download_by(packages, own, work)


def _lists(directory: Path) -> tuple[str, str]:
    """The option for package lists of our own; apt wants the directory to be there."""
    (directory / "partial").mkdir(parents=True, exist_ok=True)
    return "-o", f"Dir::State::Lists={directory}"


def numbers(version: str) -> tuple[int, ...]:
    """The numbers of a package's version, without its epoch: `1:2.6.12-1` has 2, 6 and 12."""
    upstream = version.rpartition(":")[2].partition("-")[0].partition("+")[0]
    return tuple(int(each) for each in upstream.split(".") if each.isdigit())


async def _download_by(
    packages: Sequence[str], options: tuple[str, ...], work: Path
) -> dict[str, str]:
    """Download what the lists say; nothing when they do not say it, or not the truth."""
    versions = await _resolve(packages, options)
    wanted = [f"{name}={version}" for name, version in versions.items()]
    if not wanted:
        return {}
    finished = await run(("apt-get", *options, "download", *wanted), directory=work)
    return versions if finished.ok else {}


async def _resolve(packages: Sequence[str], options: tuple[str, ...]) -> dict[str, str]:
    """The packages themselves and the libraries under them, with versions."""
    finished = await run(
        ("apt-get", *options, *_FROM_NOTHING, "install", "--simulate", *packages),
        keep=2000,
    )
    found = (match for line in finished.lines if (match := _INSTALLED.match(line)))
    return {
        match["name"]: match["version"]
        for match in found
        if match["name"] in packages or match["name"].startswith("lib")
    }


async def _unpack(work: Path, versions: dict[str, str]) -> Path:
    root = work / "root"
    for file in _archives(work):
        finished = await run(("dpkg-deb", "-x", file, root))
        if not finished.ok:
            raise PartUnavailable(f"package {file.name} does not unpack: {finished.text}")
    for pruned in _PRUNED:
        shutil.rmtree(root / pruned, ignore_errors=True)
    checksums = {name: sha256_of(root / name) for name in _files(root)}
    record = TreeRecord(versions, _stamps(root), checksums)
    (root / "tree.json").write_bytes(msgspec.json.encode(record))
    return root


def _archives(work: Path) -> list[Path]:
    return sorted(work.glob("*.deb"))


def _record(directory: Path) -> TreeRecord | None:
    try:
        return msgspec.json.decode((directory / "tree.json").read_bytes(), type=TreeRecord)
    except (OSError, msgspec.DecodeError):
        return None


def _files(root: Path) -> list[str]:
    """Every regular file of a tree but its record."""
    found = []
    for where, _, names in os.walk(root):
        paths = (os.path.join(where, name) for name in names)  # noqa: PTH118 - thousands of them
        found += [os.path.relpath(path, root) for path in paths if not os.path.islink(path)]  # noqa: PTH114
    return sorted(set(found) - {"tree.json"})


def _stamps(root: Path) -> dict[str, tuple[int, int]]:
    return {name: _stamp(f"{root}/{name}") for name in _files(root)}


def _stamp(file: str) -> tuple[int, int]:
    try:
        status = os.stat(file)  # noqa: PTH116 - thousands of them
    except FileNotFoundError:
        return (-1, 0)
    return (status.st_size, status.st_mtime_ns)
