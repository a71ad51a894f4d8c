"""Looks before anything is changed: can this machine do it, what will it take, how long."""

import os
import shutil
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

from hypershift.kit import UsageError
from hypershift.local.host import ports

GIB = 1 << 30
#: Measured: a node with the add-ons, and the control plane with registry and resolver.
MEMORY_BASE = 1.2
MEMORY_PER_NODE = 0.3
DISK_BASE = 3.0
DISK_PER_NODE = 1.0
#: Sources, compiler caches and binaries of parts that have to be built.
DISK_FOR_BUILDS = 12.0

#: Tools that must be on the host itself, and the packages that have them.
PACKAGES = {"ip": "iproute2"}
FILE_SYSTEMS = ("overlay", "proc", "tmpfs")


@dataclass(frozen=True, slots=True)
class Machine:
    """What we can see of the host."""

    system: str
    root: bool
    tools: frozenset[str]
    file_systems: frozenset[str]
    disk_free: int
    memory_free: int
    ports_taken: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Work:
    """What lies before us."""

    nodes: int
    build_time: timedelta = timedelta()
    fresh: bool = True

    @property
    def memory(self) -> float:
        return MEMORY_BASE + MEMORY_PER_NODE * self.nodes

    @property
    def disk(self) -> float:
        own = DISK_BASE + DISK_PER_NODE * self.nodes if self.fresh else 1.0
        return own + (DISK_FOR_BUILDS if self.build_time else 0.0)


def look(directory: Path) -> Machine:
    """See the host."""
    there = next(path for path in (directory, *directory.parents) if path.exists())
    return Machine(
        system=sys.platform,
        root=os.geteuid() == 0,
        tools=frozenset(name for name in PACKAGES if shutil.which(name)),
        file_systems=_file_systems(),
        disk_free=shutil.disk_usage(there).free,
        memory_free=_memory_free(),
        ports_taken=tuple(ports.taken()),
    )


def check_system(machine: Machine) -> None:
    """Raise one sentence where nothing can be tried at all."""
    if machine.system != "linux":
        raise UsageError(f"the embedded cluster needs Linux; this is {machine.system}")
    if not machine.root:
        raise UsageError(
            "the embedded cluster needs root for namespaces and mounts: run it with sudo"
        )


def complaints(machine: Machine, work: Work) -> list[str]:
    """Everything that stands in the way, each with its remedy."""
    unknown = [name for name in FILE_SYSTEMS if name not in machine.file_systems]
    found = [f"this kernel has no {name} file system" for name in unknown]
    if machine.disk_free < work.disk * GIB:
        free = machine.disk_free / GIB
        found.append(f"{work.disk:.0f} GiB of disk are needed and {free:.1f} GiB are free")
    if machine.memory_free < work.memory * GIB:
        free = machine.memory_free / GIB
        found.append(f"{work.memory:.1f} GiB of memory are needed and {free:.1f} GiB are free")
    if machine.ports_taken:
        found.append(ports.complaint(machine.ports_taken))
    return found


def absent(machine: Machine) -> tuple[str, ...]:
    """The tools that the host lacks."""
    return tuple(sorted(PACKAGES.keys() - machine.tools))


def check(machine: Machine, work: Work) -> None:
    """Raise one error with everything that stands in the way."""
    if found := complaints(machine, work):
        raise UsageError("; ".join(found))


def summary(work: Work, where: Path, missing: Iterable[str]) -> list[str]:
    """What will be done, for the user to read before it is done."""
    machines = "1 machine" if work.nodes == 1 else f"{work.nodes} machines"
    need = f"about {work.disk:.0f} GiB of disk, {work.memory:.1f} GiB of memory"
    made = f"one bridge with routes and NAT, namespaces and cgroups for {machines}"
    lines = [
        f"state in {where}; {need}",
        f"as root: {made}; `hypershift local reset` undoes it",
    ]
    if wanted := list(missing):
        minutes = max(1, round(work.build_time.total_seconds() / 60))
        lines.append(
            f"parts to download or build first: {', '.join(wanted)} "
            f"(about {minutes} min when all have to be built)"
        )
    return lines


def _file_systems() -> frozenset[str]:
    try:
        text = Path("/proc/filesystems").read_text()
    except OSError:
        return frozenset()
    return frozenset(line.split()[-1] for line in text.splitlines() if line.split())


def _memory_free() -> int:
    try:
        text = Path("/proc/meminfo").read_text()
    except OSError:
        return 0
    return memory_available(dict(line.split(":", 1) for line in text.splitlines() if ":" in line))


def memory_available(meminfo: Mapping[str, str]) -> int:
    """Bytes that programs can still take."""
    return int(meminfo.get("MemAvailable", "0 kB").split()[0]) * 1024
