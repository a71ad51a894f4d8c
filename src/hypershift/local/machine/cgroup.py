"""Control groups: the whole difference between version 1 and version 2 lives here.

A machine is one group in every hierarchy. Its cgroup namespace shows that group as the root, so
that the kubelet and containers in it make theirs below, and the machine's limits hold for all.
"""

import os
import signal
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Protocol

from hypershift.kit import TransientError
from hypershift.local.machine.spec import Limits

#: Microseconds in which a machine may use its share of the processors.
PERIOD: Final = 100_000
#: Where pid 1 of a machine goes in version 2, whose inner groups may hold no process.
_INIT: Final = "init.scope"


@dataclass(frozen=True, slots=True)
class Mount:
    """One mount that a machine needs below /sys/fs/cgroup (or on it, when `name` is empty)."""

    name: str
    kind: str
    options: str
    #: Other names of the same hierarchy.
    aliases: tuple[str, ...] = ()


class Hierarchies(Protocol):
    """What a machine asks of control groups, in either version."""

    def mounts(self) -> tuple[Mount, ...]:
        """What to mount inside a machine."""
        ...

    def directories(self, group: str) -> tuple[Path, ...]:
        """The directories of a group."""
        ...

    def create(self, group: str, limits: Limits) -> None:
        """Make the group, or bring its limits up to date."""
        ...

    def join(self, group: str, pid: int) -> None:
        """Put a process into the group."""
        ...

    def settle(self, group: str, pid: int) -> None:
        """Prepare the group for groups within, once the cgroup namespace is made."""
        ...

    def freeze(self, group: str, *, frozen: bool) -> None:
        """Stop the group's processes where they are, or let them go on."""
        ...

    def memory(self, group: str) -> int:
        """Bytes that the group uses."""
        ...

    def cpu_seconds(self, group: str) -> float:
        """Processor time that the group has used."""
        ...


@dataclass(frozen=True, slots=True)
class Hierarchy:
    """A mounted version 1 hierarchy."""

    path: Path
    #: As the kernel wants them to mount it again: `memory`, `cpu,cpuacct`, `none,name=systemd`.
    options: str

    @property
    def controllers(self) -> frozenset[str]:
        return frozenset(self.options.split(","))


@dataclass(frozen=True, slots=True)
class Version1:
    """One hierarchy for each controller."""

    hierarchies: tuple[Hierarchy, ...]

    def mounts(self) -> tuple[Mount, ...]:
        return tuple(_v1_mount(hierarchy) for hierarchy in self.hierarchies)

    def directories(self, group: str) -> tuple[Path, ...]:
        return tuple(hierarchy.path / group for hierarchy in self.hierarchies)

    def create(self, group: str, limits: Limits) -> None:
        for hierarchy in self.hierarchies:
            (hierarchy.path / group).mkdir(parents=True, exist_ok=True)
            if "cpuset" in hierarchy.controllers:
                _inherit_cpuset(hierarchy.path, group)
        quota = -1 if limits.cpu is None else limits.cpu * PERIOD // 1000
        _write(self._of("cpu", group) / "cpu.cfs_period_us", PERIOD)
        _write(self._of("cpu", group) / "cpu.cfs_quota_us", quota)
        _write(self._of("memory", group) / "memory.limit_in_bytes", limits.memory or -1)

    def join(self, group: str, pid: int) -> None:
        for directory in self.directories(group):
            _write(directory / "cgroup.procs", pid)

    def settle(self, group: str, pid: int) -> None:
        """Version 1 lets processes and groups lie side by side."""

    def freeze(self, group: str, *, frozen: bool) -> None:
        state = "FROZEN" if frozen else "THAWED"
        _write(self._of("freezer", group) / "freezer.state", state)

    def memory(self, group: str) -> int:
        return int((self._of("memory", group) / "memory.usage_in_bytes").read_text())

    def cpu_seconds(self, group: str) -> float:
        return int((self._of("cpuacct", group) / "cpuacct.usage").read_text()) / 1e9

    def _of(self, controller: str, group: str) -> Path:
        for hierarchy in self.hierarchies:
            if controller in hierarchy.controllers:
                return hierarchy.path / group
        raise TransientError(f"the host has no cgroup hierarchy of {controller!r}")


@dataclass(frozen=True, slots=True)
class Version2:
    """One hierarchy for everything.

    Processes may live in leaves alone, so that pid 1 moves into a group of its own, and every
    level above must hand the controllers down. Written by the kernel's documentation; no host
    with version 2 was at hand to try it.
    """

    root: Path

    def mounts(self) -> tuple[Mount, ...]:
        return (Mount("", "cgroup2", ""),)

    def directories(self, group: str) -> tuple[Path, ...]:
        return (self.root / group,)

    def create(self, group: str, limits: Limits) -> None:
        directory = self.root
        for part in Path(group).parts:
            _hand_down(directory)
            directory /= part
            directory.mkdir(exist_ok=True)
        quota = "max" if limits.cpu is None else str(limits.cpu * PERIOD // 1000)
        _write(directory / "cpu.max", f"{quota} {PERIOD}")
        _write(directory / "memory.max", limits.memory or "max")

    def join(self, group: str, pid: int) -> None:
        _write(self.root / group / "cgroup.procs", pid)

    def settle(self, group: str, pid: int) -> None:
        leaf = self.root / group / _INIT
        leaf.mkdir(exist_ok=True)
        _write(leaf / "cgroup.procs", pid)
        _hand_down(self.root / group)

    def freeze(self, group: str, *, frozen: bool) -> None:
        _write(self.root / group / "cgroup.freeze", int(frozen))

    def memory(self, group: str) -> int:
        return int((self.root / group / "memory.current").read_text())

    def cpu_seconds(self, group: str) -> float:
        lines = (self.root / group / "cpu.stat").read_text().splitlines()
        usage = next(line for line in lines if line.startswith("usage_usec "))
        return int(usage.split()[1]) / 1e6


def detect(mountinfo: Path = Path("/proc/self/mountinfo")) -> Hierarchies:
    """The version that owns the memory controller on this host."""
    lines = mountinfo.read_text().splitlines()
    first = tuple(_unique(_v1_hierarchies(lines)))
    if any("memory" in hierarchy.controllers for hierarchy in first):
        return Version1(first)
    for path, kind, _ in _cgroup_mounts(lines):
        if kind == "cgroup2":
            return Version2(path)
    raise TransientError("the host has no control groups mounted below /sys/fs/cgroup")


def pids(hierarchies: Hierarchies, group: str) -> set[int]:
    """Every process of the group and of those below it."""
    found: set[int] = set()
    for top in hierarchies.directories(group):
        for directory, _, _ in os.walk(top):
            with suppress(OSError):
                found |= {
                    int(pid) for pid in (Path(directory) / "cgroup.procs").read_text().split()
                }
    return found


def remove(hierarchies: Hierarchies, group: str, timeout: float = 10.0) -> None:
    """Kill what is left in the group and take it away, with parents that became empty."""
    deadline = time.monotonic() + timeout
    killed: set[int] = set()
    # A process leaves its group before it ends: pid 1 still has to wait for those of its namespace.
    while not _removed(hierarchies, group) or any(_ends(pid) for pid in killed):
        with suppress(OSError):
            hierarchies.freeze(group, frozen=False)
        for pid in pids(hierarchies, group):
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
            killed.add(pid)
        if time.monotonic() > deadline:
            raise TransientError(f"control group {group} still has processes")
        time.sleep(0.02)
    for parent in list(Path(group).parents)[:-1]:
        for directory in hierarchies.directories(str(parent)):
            with suppress(OSError):
                directory.rmdir()


def _ends(pid: int) -> bool:
    """Whether a killed process is still there, and no zombie."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False


def _removed(hierarchies: Hierarchies, group: str) -> bool:
    for top in hierarchies.directories(group):
        for directory, _, _ in os.walk(top, topdown=False):
            with suppress(OSError):
                Path(directory).rmdir()
    return not any(top.exists() for top in hierarchies.directories(group))


def _v1_mount(hierarchy: Hierarchy) -> Mount:
    names = [part.removeprefix("name=") for part in hierarchy.options.split(",") if part != "none"]
    return Mount(",".join(names), "cgroup", hierarchy.options, tuple(names) if names[1:] else ())


def _v1_hierarchies(lines: list[str]) -> Iterator[Hierarchy]:
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


def _inherit_cpuset(root: Path, group: str) -> None:
    """A new cpuset is empty, and no process may join it before every level has been filled."""
    directory = root
    for part in Path(group).parts:
        for name in ("cpuset.cpus", "cpuset.mems"):
            inherited = (directory / name).read_text()
            if not (directory / part / name).read_text().strip():
                _write(directory / part / name, inherited.strip())
        directory /= part


def _hand_down(directory: Path) -> None:
    available = (directory / "cgroup.controllers").read_text().split()
    wanted = " ".join(f"+{name}" for name in available)
    _write(directory / "cgroup.subtree_control", wanted)


def _write(path: Path, value: object) -> None:
    path.write_text(str(value))
