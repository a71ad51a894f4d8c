"""What others ask of parts: is it here, get it, how long would that take."""

import os
import sys
from collections.abc import Iterable, Sequence
from datetime import timedelta
from pathlib import Path

from hypershift.parts import debian
from hypershift.parts.build import SLACK
from hypershift.parts.cache import State
from hypershift.parts.errors import PartMissing, PartUnavailable
from hypershift.parts.find import find, find_all
from hypershift.parts.lock import Report
from hypershift.parts.part import GoModule, Package, Part
from hypershift.parts.settings import Settings
from hypershift.parts.sources import TOOLS, Sources, tree_packages
from hypershift.parts.table import PACKAGES

#: One for each cache, so that a host that could not be reached is not asked again.
_SOURCES: dict[Settings, Sources] = {}


def to_stderr(line: str) -> None:
    """The report of a command line."""
    print(line, file=sys.stderr, flush=True)  # noqa: T201 - progress is for people


def sources(settings: Settings | None = None) -> Sources:
    """The sources of a user, by default as the environment says."""
    chosen = settings or Settings.from_environment()
    return _SOURCES.setdefault(chosen, Sources(chosen))


def path(name: str, kubernetes: str = "", settings: Settings | None = None) -> Path:
    """A part's binary that is here already; nothing is downloaded or built."""
    part = find(name, kubernetes)
    if found := sources(settings).find(part):
        return found
    raise PartMissing(part.id)


def missing(
    names: Iterable[str], kubernetes: str = "", settings: Settings | None = None
) -> tuple[Part, ...]:
    """The parts that `ensure` would have to get."""
    wanted = find_all(names, kubernetes)
    return tuple(part for part in wanted.values() if sources(settings).find(part) is None)


def damaged(
    names: Iterable[str], kubernetes: str = "", settings: Settings | None = None
) -> tuple[Part, ...]:
    """The parts that are in the cache and not what they were when they came there."""
    cache = sources(settings).cache
    absent = missing(names, kubernetes, settings)
    return tuple(part for part in absent if cache.look(part) is State.CORRUPT)


def estimate(
    names: Iterable[str], kubernetes: str = "", settings: Settings | None = None
) -> timedelta:
    """How long building the missing parts takes on this machine, with nothing compiled yet."""
    needed = missing(names, kubernetes, settings)
    modules = {
        part.source.name: part.source for part in needed if isinstance(part.source, GoModule)
    }
    seconds = sum(module.cpu_seconds for module in modules.values())
    return timedelta(seconds=seconds / max(1, os.cpu_count() or 1) * SLACK)


async def ensure(
    names: Iterable[str],
    kubernetes: str = "",
    settings: Settings | None = None,
    report: Report = to_stderr,
) -> dict[str, Path]:
    """Every part asked for, here and whole: what is missing is downloaded, else built.

    Modules are built in the order of the names, each with one compiler run.
    """
    wanted = find_all(names, kubernetes)
    origin = sources(settings)
    absent = [part for part in wanted.values() if origin.find(part) is None]
    for module in _modules(absent):
        await origin.obtain(module, [part for part in absent if part.source == module], report)
    tools = [part.source for part in absent if isinstance(part.source, Package)]
    await origin.obtain_tools(tools, report)
    return {name: _found(origin, part) for name, part in wanted.items()}


async def tools_tree(
    tool: str = "", settings: Settings | None = None, report: Report = to_stderr
) -> Path | None:
    """The directory in which the distribution's tools and their libraries are unpacked.

    A tool may have a directory of its own. Nothing on a machine whose distribution has no packages
    of the kind: its own files serve then.
    """
    if not debian.available():
        return None
    origin = sources(settings)
    own = PACKAGES[tool] if tool else None
    packages, since = (tree_packages(own), own.since) if own else (TOOLS, ())
    return debian.find_tree(origin.cache, packages) or await debian.fetch_tree(
        origin.cache, packages, report, since=since
    )


async def packages_tree(
    packages: Sequence[str], settings: Settings | None = None, report: Report = to_stderr
) -> Path | None:
    """The directory in which some packages of the distribution are unpacked, beside the tools.

    Nothing on a machine whose distribution has no packages of the kind.
    """
    if not debian.available():
        return None
    return await debian.fetch_tree(sources(settings).cache, packages, report)


def _modules(parts: Iterable[Part]) -> list[GoModule]:
    found: dict[str, GoModule] = {}
    for part in parts:
        if isinstance(part.source, GoModule):
            found.setdefault(part.source.name, part.source)
    return list(found.values())


def _found(origin: Sources, part: Part) -> Path:
    if found := origin.find(part):
        return found
    raise PartUnavailable(
        f"{part.id} is neither here nor to be had: install it, or point HYPERSHIFT_PARTS_DIR to it"
    )
