"""What really runs on the host behind pods: processes, their programs, their control groups."""

from dataclasses import dataclass
from pathlib import Path

from tests.e2e.embedded import Manifest

from hypershift.parts.cache import sha256_of


@dataclass(frozen=True)
class Process:
    """One process of a pod."""

    pid: int
    pod: str  # the uid
    program: str
    cgroup: str

    @property
    def sha256(self) -> str:
        """The checksum of what it executes, read from the kernel's own link."""
        return sha256_of(Path(f"/proc/{self.pid}/exe"))


def of_pods(uids: set[str]) -> list[Process]:
    """Every process that is in the control group of one of these pods."""
    found = (_look(int(path.name), uids) for path in Path("/proc").glob("[0-9]*"))
    return [process for process in found if process]


def _look(pid: int, uids: set[str]) -> Process | None:
    try:
        cgroup = Path(f"/proc/{pid}/cgroup").read_text()
        pod = next((uid for uid in uids if f"pod{uid}" in cgroup), "")
        program = Path(f"/proc/{pid}/exe").readlink().name if pod else ""
    except OSError:
        return None
    return Process(pid, pod, program, cgroup) if pod else None


def shims(sandboxes: list[Manifest]) -> list[int]:
    """The processes of containerd that watch over these pods' containers."""
    uids = {pod["metadata"]["uid"] for pod in sandboxes}
    parents = {_parent(each.pid) for each in of_pods(uids) if each.program == "pause"}
    return sorted(parents - {0, 1})


def _parent(pid: int) -> int:
    try:
        stat = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return 0
    return int(stat.rpartition(")")[2].split()[1])
