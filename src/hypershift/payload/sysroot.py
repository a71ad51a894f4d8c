"""Programs of a distribution, with every library they need, as entries of an image.

Everything is placed below /usr, also from distributions that do otherwise: the image links /bin,
/lib and the like there.
"""

import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from hypershift.kit import TerminalError
from hypershift.oci import Entry, file, link
from hypershift.payload.elf import Dynamic, read_dynamic

MERGED = ("bin", "lib", "lib64", "sbin")
_HOST = Path("/")


def merged(path: str) -> str:
    """A path below /usr, where a merged tree has it."""
    plain = path.strip("/")
    return f"usr/{plain}" if plain.split("/", 1)[0] in MERGED else plain


def merged_links() -> dict[str, Entry]:
    """The links that let the old paths work; the loader's own path is one of them."""
    return {name: link(f"usr/{name}") for name in MERGED}


@dataclass(slots=True)
class Sysroot:
    """File trees to take programs and libraries from, the first that has one wins."""

    roots: tuple[Path, ...]
    entries: dict[str, Entry] = field(default_factory=dict)

    def add(self, source: Path, target: str = "") -> None:
        """Take a program, under its own path or another one, and the libraries under it."""
        root = next((each for each in self.roots if source.is_relative_to(each)), _HOST)
        place = merged(target or str(source.relative_to(root)))
        real = follow(root, source)
        self.entries[place] = file(real, 0o755)
        if dynamic := read_dynamic(real):
            self._add_libraries(dynamic, real)

    def _add_libraries(self, dynamic: Dynamic, user: Path) -> None:
        for name in filter(None, (dynamic.interpreter, *dynamic.needed)):
            found = self._library(name, dynamic, user)
            if found is None:
                raise TerminalError(f"{user} needs {name}, which is nowhere to be found")
            if found[0] not in self.entries:
                self.add(found[1], found[0])

    def _library(self, name: str, dynamic: Dynamic, user: Path) -> tuple[str, Path] | None:
        """Where a library lies here, and where it goes in the image."""
        if name.startswith("/"):
            # Packages of newer releases have the loader below /usr alone.
            ways = (root / way for root in self.roots for way in (name.lstrip("/"), merged(name)))
            return next(((merged(name), source) for source in ways if exists(source)), None)
        for root in self.roots:
            for where in self._directories(root, dynamic, user):
                if exists(where / name):
                    return f"usr/lib/{triplet()}/{name}", where / name
        return None

    def _directories(self, root: Path, dynamic: Dynamic, user: Path) -> Iterator[Path]:
        for path in dynamic.search:
            yield Path(path.replace("$ORIGIN", str(user.parent)))
        for path in (f"lib/{triplet()}", f"usr/lib/{triplet()}", "lib64", "usr/lib64", "usr/lib"):
            yield root / path


def sysroot(tools: Path | None) -> Sysroot:
    """The distribution's unpacked packages, and this machine's own files behind them."""
    return Sysroot(tuple(each for each in (tools, _HOST) if each))


def triplet() -> str:
    """The directory name that a Debian keeps this architecture's libraries under."""
    return f"{os.uname().machine}-linux-gnu"


def exists(path: Path) -> bool:
    """Whether a name is there, be it a link whose target lies in another root."""
    return os.path.lexists(path)


def follow(root: Path, path: Path) -> Path:
    """The file behind links, read as inside the root."""
    while path.is_symlink():
        target = PurePosixPath(path.readlink())
        path = root / str(target).lstrip("/") if target.is_absolute() else path.parent / target
    return path
