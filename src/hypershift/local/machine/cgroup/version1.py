"""Control groups of version 1: one hierarchy for each controller."""

from dataclasses import dataclass
from pathlib import Path

from hypershift.kit import TransientError
from hypershift.local.machine.cgroup import devices
from hypershift.local.machine.cgroup.hierarchies import PERIOD, Mount, give, write
from hypershift.local.machine.spec import Limits


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

    @property
    def needed_calls(self) -> frozenset[str]:
        return frozenset()

    def mounts(self) -> tuple[Mount, ...]:
        return tuple(_mount(hierarchy) for hierarchy in self.hierarchies)

    def directories(self, group: str) -> tuple[Path, ...]:
        return tuple(hierarchy.path / group for hierarchy in self.hierarchies)

    def create(self, group: str, limits: Limits) -> None:
        for hierarchy in self.hierarchies:
            (hierarchy.path / group).mkdir(parents=True, exist_ok=True)
            if "cpuset" in hierarchy.controllers:
                _inherit_cpuset(hierarchy.path, group)
        quota = -1 if limits.cpu is None else limits.cpu * PERIOD // 1000
        write(self._of("cpu", group) / "cpu.cfs_period_us", PERIOD)
        write(self._of("cpu", group) / "cpu.cfs_quota_us", quota)
        write(self._of("memory", group) / "memory.limit_in_bytes", limits.memory or -1)

    def give(self, group: str, owner: int) -> None:
        for hierarchy in self.hierarchies:
            give(hierarchy.path / group, ("cgroup.procs", "tasks"), owner)

    def restrict(self, group: str, *, own_users: bool) -> str:
        if not own_users:
            # runc asks for all devices for a privileged pod, and a group cannot give more than it
            # has; where a machine has users of its own runc leaves devices alone.
            return "its pods would not start with version 1"
        directory = self._of("devices", group)
        write(directory / "devices.deny", "a")
        for device in devices.rows():
            write(directory / "devices.allow", device)
        return ""

    def join(self, group: str, pid: int) -> None:
        for directory in self.directories(group):
            write(directory / "cgroup.procs", pid)

    def settle(self, group: str, pid: int) -> None:
        """Version 1 lets processes and groups lie side by side."""

    def freeze(self, group: str, *, frozen: bool) -> None:
        state = "FROZEN" if frozen else "THAWED"
        write(self._of("freezer", group) / "freezer.state", state)

    def memory(self, group: str) -> int:
        return int((self._of("memory", group) / "memory.usage_in_bytes").read_text())

    def cpu_seconds(self, group: str) -> float:
        return int((self._of("cpuacct", group) / "cpuacct.usage").read_text()) / 1e9

    def _of(self, controller: str, group: str) -> Path:
        for hierarchy in self.hierarchies:
            if controller in hierarchy.controllers:
                return hierarchy.path / group
        raise TransientError(f"the host has no cgroup hierarchy of {controller!r}")


def _mount(hierarchy: Hierarchy) -> Mount:
    names = [part.removeprefix("name=") for part in hierarchy.options.split(",") if part != "none"]
    return Mount(",".join(names), "cgroup", hierarchy.options, tuple(names) if names[1:] else ())


def _inherit_cpuset(root: Path, group: str) -> None:
    """A new cpuset is empty, and no process may join it before every level has been filled."""
    directory = root
    for part in Path(group).parts:
        for name in ("cpuset.cpus", "cpuset.mems"):
            inherited = (directory / name).read_text()
            if not (directory / part / name).read_text().strip():
                write(directory / part / name, inherited.strip())
        directory /= part
