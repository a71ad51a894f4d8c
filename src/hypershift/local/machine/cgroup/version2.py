"""Control groups of version 2: one hierarchy for everything."""

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from hypershift.local.machine.cgroup import devices
from hypershift.local.machine.cgroup.hierarchies import PERIOD, Mount, give, write
from hypershift.local.machine.spec import Limits

#: Where pid 1 of a machine goes, since inner groups may hold no process.
_INIT: Final = "init.scope"


@dataclass(frozen=True, slots=True)
class Version2:
    """One hierarchy for everything.

    Processes may be in leaves alone, so pid 1 moves into a group of its own, and every level above
    must delegate the controllers. Written after the kernel's documentation; it was not tried on a
    host with version 2.
    """

    root: Path

    @property
    def needed_calls(self) -> frozenset[str]:
        return frozenset({"bpf"})  # runc's rules for devices are programs

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
        write(directory / "cpu.max", f"{quota} {PERIOD}")
        write(directory / "memory.max", limits.memory or "max")

    def give(self, group: str, owner: int) -> None:
        names = ("cgroup.procs", "cgroup.subtree_control", "cgroup.threads")
        give(self.root / group, names, owner)

    def restrict(self, group: str, *, own_users: bool) -> str:
        """Device programs of pods run beside those of the machine, for any user of it."""
        del own_users
        try:
            devices.restrict(self.root / group)
        except OSError as error:
            return str(error)
        return ""

    def join(self, group: str, pid: int) -> None:
        write(self.root / group / "cgroup.procs", pid)

    def settle(self, group: str, pid: int) -> None:
        leaf = self.root / group / _INIT
        leaf.mkdir(exist_ok=True)
        write(leaf / "cgroup.procs", pid)
        _hand_down(self.root / group)

    def freeze(self, group: str, *, frozen: bool) -> None:
        write(self.root / group / "cgroup.freeze", int(frozen))

    def memory(self, group: str) -> int:
        return int((self.root / group / "memory.current").read_text())

    def cpu_seconds(self, group: str) -> float:
        lines = (self.root / group / "cpu.stat").read_text().splitlines()
        usage = next(line for line in lines if line.startswith("usage_usec "))
        return int(usage.split()[1]) / 1e6


def _hand_down(directory: Path) -> None:
    available = (directory / "cgroup.controllers").read_text().split()
    wanted = " ".join(f"+{name}" for name in available)
    write(directory / "cgroup.subtree_control", wanted)
