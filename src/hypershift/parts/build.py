"""Building parts from their Go modules: one compiler run per module, for the binaries asked for.

A program that is a package's tests takes a run of its own, since the compiler wants it so.
"""

import asyncio
import os
import time
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

from hypershift.parts.errors import BuildFailed, PartUnavailable
from hypershift.parts.lock import Report
from hypershift.parts.part import GoModule
from hypershift.parts.process import Finished, run
from hypershift.parts.recipe import ldflags
from hypershift.parts.source_tree import archive, work_directory
from hypershift.parts.toolchain import Toolchain

#: How often a long build says that it is alive.
INTERVAL = 15.0
#: More programs than these are called by their module's name.
FEW = 3
#: What a build lasts beyond its even share of all cores.
SLACK = 1.2

_UNREACHABLE = ("dial tcp", "no such host", "connection refused", "i/o timeout", "TLS handshake")


async def build(
    module: GoModule,
    names: Sequence[str],
    out: Path,
    toolchain: Toolchain,
    *,
    report: Report,
    environment: dict[str, str] | None = None,
) -> dict[str, Path]:
    """Compile binaries of one module into an empty directory."""
    packages = {name: module.packages[name] for name in names if name in module.packages}
    for name in names:
        if name in module.data:
            await archive(module, module.data[name], out / name, toolchain)
    if not packages:
        return {name: out / name for name in names}
    what = module.title if len(names) > FEW else f"{', '.join(names)} {module.version}"
    cores = os.cpu_count() or 1
    lasts = elapsed(module.cpu_seconds / cores * SLACK)
    report(
        f"{what}: building {count(names)} from {module.upstream} with {toolchain.version}, "
        f"about {lasts} on {cores} cores"
    )
    start = time.monotonic()
    directory = await work_directory(module, out, toolchain)
    async with _heartbeat(what, report) as seen:
        for arguments in _commands(module, packages, out):
            finished = await run(
                (toolchain.command, *arguments),
                directory=directory,
                environment=toolchain.environment() | (environment or {}),
                on_line=seen.append,
            )
            if not finished.ok:
                raise _failure(what, module, finished)
    report(f"{what}: built in {elapsed(time.monotonic() - start)}")
    ready = module.tests | module.data.keys()
    return {
        name: out / name if name in ready else _built(module, packages[name], name, out)
        for name in names
    }


def _commands(module: GoModule, packages: Mapping[str, str], out: Path) -> Iterator[list[str]]:
    """Yield the compiler's arguments: one run for the programs, one for each package's tests."""
    tags = [f"-tags={','.join(module.tags)}"] if module.tags else []
    # -v writes one line for each package that is compiled: the progress that we show
    options = ["-v", "-mod=readonly", *tags, f"-ldflags={ldflags(module)}", "-o"]
    if programs := [package for name, package in packages.items() if name not in module.tests]:
        yield ["build", *options, f"{out}/", *programs]
    for name in packages.keys() & module.tests:
        # Vetting reads every dependency again, and that code is not ours to correct.
        yield ["test", "-c", "-vet=off", *options, f"{out / name}", packages[name]]


def _built(module: GoModule, package: str, name: str, out: Path) -> Path:
    """Give a binary its own name: the compiler calls it after its package."""
    target = out / name
    words = (f"hypershift/parts/{module.name}" if package == "." else package).split("/")
    # `go.etcd.io/etcd/server/v3` compiles to `server`: a major version is no name
    called = words[-2] if words[-1].lstrip("v").isdigit() else words[-1]
    if called != name:
        (out / called).rename(target)
    return target


@asynccontextmanager
async def _heartbeat(what: str, report: Report) -> AsyncIterator[list[str]]:
    """Say now and then how far a build is."""
    seen: list[str] = []
    task = asyncio.create_task(_tell(what, seen, report))
    try:
        yield seen
    finally:
        task.cancel()


async def _tell(what: str, seen: list[str], report: Report) -> None:
    start = time.monotonic()
    while True:
        await asyncio.sleep(INTERVAL)
        downloads = sum(line.startswith("go: downloading") for line in seen)
        compiled = len(seen) - downloads
        doing = f"{compiled} packages compiled" if compiled else "linking"
        if seen and seen[-1].startswith("go: downloading"):
            doing = f"downloading modules ({downloads} so far)"
        report(f"{what}: {doing}, {elapsed(time.monotonic() - start)}")


def count(names: Sequence[str]) -> str:
    """How many programs are built."""
    return "1 program" if len(names) == 1 else f"{len(names)} programs"


def elapsed(seconds: float) -> str:
    """A duration as people say it: `8s`, `2m05s`."""
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes}m{rest:02}s" if minutes else f"{rest}s"


def _failure(what: str, module: GoModule, finished: Finished) -> Exception:
    if any(sign in finished.text for sign in _UNREACHABLE):
        return PartUnavailable(
            f"{what} is not in the cache, and neither an official download nor the Go module "
            "proxy is reachable: connect to a network, or point HYPERSHIFT_PARTS_DIR to a "
            "directory that has it"
        )
    # a line of one word is a package that was compiled
    errors = [line for line in finished.lines if " " in line and "go: downloading" not in line]
    tail = "\n  ".join(errors[-8:])
    ending = f"building {what} from {module.upstream} failed ({finished.ending})"
    return BuildFailed(f"{ending}:\n  {tail}" if tail else ending)
