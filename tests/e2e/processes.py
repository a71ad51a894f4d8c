"""What really runs on the host behind pods: processes, their programs, their control groups."""

import hashlib
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from tests.e2e.embedded import Manifest


@dataclass(frozen=True)
class Process:
    """One process of a pod."""

    pid: int
    pod: str  # the uid
    program: str
    cgroup: str


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


def in_machines(index: int) -> Iterator[int]:
    """Every process in the machines that are the nodes of the embedded cluster of this number."""
    scope = f"hypershift/mgmt{index}/"
    for place in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if scope in (place / "cgroup").read_text():
                yield int(place.name)


def checksums(pids: Iterable[int]) -> dict[str, set[str]]:
    """What these processes execute, by the name of the program.

    Some run for a moment only and are gone by now, or execute something else: the name and
    the checksum come from one open file, so that they belong together.
    """
    found: dict[str, set[str]] = {}
    for pid in pids:
        try:
            with Path(f"/proc/{pid}/exe").open("rb") as program:
                name = Path(f"/proc/self/fd/{program.fileno()}").readlink().name
                checksum = hashlib.file_digest(program, "sha256").hexdigest()
        except OSError:
            continue
        found.setdefault(name, set()).add(checksum)
    return found


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
