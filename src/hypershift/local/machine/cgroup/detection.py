"""Which control groups this host has."""

from collections.abc import Iterator
from pathlib import Path

from hypershift.kit import TransientError
from hypershift.local.machine.cgroup.hierarchies import Hierarchies
from hypershift.local.machine.cgroup.version1 import Hierarchy, Version1
from hypershift.local.machine.cgroup.version2 import Version2


def detect(mountinfo: Path = Path("/proc/self/mountinfo")) -> Hierarchies:
    """The version that owns the memory controller on this host."""
    lines = mountinfo.read_text().splitlines()
    first = tuple(_unique(_first_version(lines)))
    if any("memory" in hierarchy.controllers for hierarchy in first):
        return Version1(first)
    for path, kind, _ in _cgroup_mounts(lines):
        if kind == "cgroup2":
            return Version2(path)
    raise TransientError("the host has no control groups mounted below /sys/fs/cgroup")


def _first_version(lines: list[str]) -> Iterator[Hierarchy]:
    known = set(_controllers())
    for path, kind, options in _cgroup_mounts(lines):
        if kind != "cgroup":
            continue
        parts = [part for part in options.split(",") if part in known or part.startswith("name=")]
        named = parts and all(part.startswith("name=") for part in parts)
        yield Hierarchy(path, ",".join(["none", *parts] if named else parts))


def _unique(hierarchies: Iterator[Hierarchy]) -> Iterator[Hierarchy]:
    """Drop second mounts of the same hierarchy."""
    seen: set[str] = set()
    for hierarchy in hierarchies:
        if hierarchy.options and hierarchy.options not in seen:
            seen.add(hierarchy.options)
            yield hierarchy


def _cgroup_mounts(lines: list[str]) -> Iterator[tuple[Path, str, str]]:
    for line in lines:
        left, _, right = line.partition(" - ")
        kind, _, options = right.split(" ")[:3]
        if kind in ("cgroup", "cgroup2"):
            yield Path(left.split()[4]), kind, options


def _controllers() -> Iterator[str]:
    for line in Path("/proc/cgroups").read_text().splitlines():
        if not line.startswith("#"):
            yield line.split()[0]
