"""The ways to a part, in order: the user's directory, the cache, a download, a build."""

import os
import shutil
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from hypershift.parts import debian
from hypershift.parts.build import build
from hypershift.parts.cache import Cache
from hypershift.parts.download import Downloads
from hypershift.parts.errors import ChecksumMismatch, PartUnavailable, SignatureRefused
from hypershift.parts.gpgv import find_gpgv
from hypershift.parts.install import install_packages
from hypershift.parts.lock import Report, locked
from hypershift.parts.part import GoModule, Package, Part
from hypershift.parts.pins import pinned_checksum
from hypershift.parts.process import run
from hypershift.parts.recipe import PAUSE_SOURCE
from hypershift.parts.settings import Settings
from hypershift.parts.table import DATA_PACKAGES, PACKAGES, SECCOMP
from hypershift.parts.toolchain import Toolchain, find_toolchain

#: Tools come from one tree, so that they share their libraries; but for those that may be newer.
TOOLS = tuple(
    sorted({*DATA_PACKAGES, *(each.package for each in PACKAGES.values() if not each.since)})
)

#: What a system without a C compiler lacks.
C_COMPILER = ("gcc", "libc6-dev")

#: Stands in for pkg-config, which knows only what is installed. The paths go by environment
#: variables, because Go does not see that an answer of pkg-config changed.
_PKG_CONFIG = """#!/bin/sh
test "$1" = --cflags || echo -lseccomp
"""


def tree_packages(package: Package) -> tuple[str, ...]:
    """The packages of the tree that a tool comes from."""
    return (package.package,) if package.since else TOOLS


@dataclass(slots=True)
class Sources:
    """Where parts come from for one user."""

    settings: Settings
    downloads: Downloads = field(init=False)
    cache: Cache = field(init=False)

    def __post_init__(self) -> None:
        known = self.settings.cache / "downloads.json"
        self.cache = Cache(self.settings.cache / "parts")
        self.downloads = Downloads(
            self.settings.architecture,
            known,
            pinned_only=self.settings.pinned_only,
            gpgv=partial(find_gpgv, self.cache),
        )

    def find(self, part: Part) -> Path | None:
        """A part that is here already: the user's own, or a cached one."""
        if own := self._own(part):
            return own
        if isinstance(part.source, GoModule):
            return self.cache.find(part)
        return self._tool(part.name, part.source)

    def _own(self, part: Part) -> Path | None:
        """A binary in the user's directory: `kubelet-1.34.10`, or `kubelet` for the default."""
        if self.settings.directory is None:
            return None
        names = [f"{part.name}-{part.version}"]
        if "@" not in part.id:
            names.append(part.name)
        places = (self.settings.directory / name for name in names)
        return next((place for place in places if os.access(place, os.X_OK)), None)

    def _tool(self, name: str, package: Package) -> Path | None:
        if unpacked := debian.find_file(self.cache, tree_packages(package), package.path):
            return unpacked
        found = None if debian.available() else shutil.which(name)
        return Path(found) if found else None

    async def obtain(self, module: GoModule, missing: Sequence[Part], report: Report) -> None:
        """Get binaries of one module into the cache, by download or by build."""
        async with locked(self.cache.lock(module.name), module.name, report):
            parts = [part for part in missing if self.cache.find(part) is None]
            if not parts:
                return
            work = self.cache.workspace(module.name)
            try:
                if not await self._download(module, parts, work, report):
                    await self._build(module, parts, work, report)
            finally:
                self.cache.discard_workspace(module.name)

    async def obtain_tools(self, wanted: Iterable[Package], report: Report) -> None:
        """Get the distribution's tools into the cache, all of a tree at once."""
        trees = {tree_packages(each): each.since for each in wanted}
        for packages, since in trees.items() if debian.available() else ():
            await debian.fetch_tree(self.cache, packages, report, since=since)

    async def _download(
        self, module: GoModule, parts: Sequence[Part], work: Path, report: Report
    ) -> bool:
        if module.release is None or self.settings.offline:
            return False
        try:
            files = await self.downloads.fetch(module, [part.name for part in parts], work, report)
        except (PartUnavailable, ChecksumMismatch, SignatureRefused) as error:
            report(f"{module.name}: {error}; building it instead")
            return False
        for part in parts:
            got = files[part.name]
            self.cache.store(
                part,
                got.file,
                source="download",
                url=got.url,
                download=got.sha256,
                signer=got.signer,
            )
        return True

    async def _build(
        self, module: GoModule, parts: Sequence[Part], work: Path, report: Report
    ) -> None:
        if module.name == "pause" and await self._compile_pause(parts[0], work):
            return
        async with locked(self.cache.lock("toolchain"), "Go compiler", report):
            toolchain = await find_toolchain(self.settings.cache, report)
        environment = await self._c_environment(work, report) if module.cgo else None
        names = [part.name for part in parts]
        files = await build(module, names, work, toolchain, report=report, environment=environment)
        for part in parts:
            self.cache.store(part, files[part.name], source="build", toolchain=toolchain.version)
            self._compare(part, toolchain, report)

    async def _compile_pause(self, part: Part, work: Path) -> bool:
        """A pause in C is a tenth of the Go one; without a C compiler the Go one does."""
        if not (compiler := shutil.which("gcc")):
            return False
        out = work / "pause"
        finished = await run((compiler, "-Os", "-static", "-s", "-o", out, PAUSE_SOURCE))
        if finished.ok:
            self.cache.store(part, out, source="build", toolchain="gcc")
        return finished.ok

    async def _c_environment(self, work: Path, report: Report) -> dict[str, str]:
        """What runc's C half needs: a compiler, and libseccomp unpacked beside the system."""
        if not debian.available():
            raise PartUnavailable(
                "runc needs gcc and Debian's libseccomp-dev to be built: point "
                "HYPERSHIFT_PARTS_DIR to a directory that has runc"
            )
        if not shutil.which("gcc"):
            await install_packages(C_COMPILER, "runc is built with gcc, which is missing", report)
        tree = await debian.fetch_tree(self.cache, (SECCOMP.package,), report)
        libraries = next(tree.glob("usr/lib/*/libseccomp.a")).parent
        tool = work / "pkg-config"
        tool.write_text(_PKG_CONFIG)
        tool.chmod(0o755)
        return {
            "CGO_ENABLED": "1",
            "CGO_CFLAGS": f"-O2 -I{tree / 'usr/include'}",
            "CGO_LDFLAGS": f"-O2 -L{libraries}",
            "PKG_CONFIG": str(tool),
        }

    def _compare(self, part: Part, toolchain: Toolchain, report: Report) -> None:
        """The sources were verified by go.sum; a pin says more: the same bytes as everywhere."""
        record = self.cache.record(part)
        pin = pinned_checksum(part, toolchain.version, self.settings.architecture)
        if record and pin and pin != record.sha256:
            report(f"{part.id}: built, but not the pinned bytes ({record.sha256}, pinned {pin})")
