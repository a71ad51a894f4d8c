"""Processes that outlive their supervisor: started, recognised again, watched and stopped.

A pid alone is no identity, since the kernel hands it out again; pid and start time together are.
Both are on disk, so a supervisor that was killed finds its children again.
"""

import asyncio
import contextlib
import json
import os
import signal
import subprocess
from dataclasses import asdict, dataclass
from pathlib import Path

from hypershift.local.cluster.state import write_file
from hypershift.local.units.unit import Unit

TICKS = os.sysconf("SC_CLK_TCK")
START_TIME_FIELD = 19  # of /proc/PID/stat, counted behind the command's closing parenthesis
STATE_FIELD = 0
CPU_FIELDS = (11, 12)


@dataclass(frozen=True, slots=True)
class Process:
    """A running process, recognised by pid and start time."""

    pid: int
    start_time: int
    digest: str = ""
    started: float = 0.0

    @property
    def alive(self) -> bool:
        """Whether this very process still runs (a zombie does not)."""
        fields = stat(self.pid)
        return (
            fields is not None
            and int(fields[START_TIME_FIELD]) == self.start_time
            and fields[STATE_FIELD] not in ("Z", "X")
        )

    @property
    def cpu_seconds(self) -> float:
        fields = stat(self.pid)
        return sum(int(fields[at]) for at in CPU_FIELDS) / TICKS if fields else 0.0

    @property
    def memory(self) -> int:
        """Proportional set size in bytes: shared pages are counted once among their users."""
        return memory_of(self.pid)

    def cost(self, now: float) -> dict[str, object]:
        """What `local status` shows of a process."""
        return {
            "pid": self.pid,
            "age": round(now - self.started, 1) if self.started else 0,
            "memory": self.memory,
            "cpuSeconds": self.cpu_seconds,
        }

    async def wait(self) -> None:
        """Return when the process has ended, also if it is not our child."""
        try:
            descriptor = os.pidfd_open(self.pid)
        except ProcessLookupError:
            return
        loop, ended = asyncio.get_running_loop(), asyncio.Event()
        try:
            if not self.alive:
                return
            loop.add_reader(descriptor, ended.set)
            await ended.wait()
        finally:
            loop.remove_reader(descriptor)
            os.close(descriptor)
            reap(self.pid)

    async def stop(self, stop_signal: int = signal.SIGTERM, grace: float = 3.0) -> None:
        """Ask it to end, then insist."""
        for number in (stop_signal, signal.SIGKILL):
            if not self.alive:
                break
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.pid, number)
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self.wait(), grace)
        reap(self.pid)


def memory_of(pid: int) -> int:
    """The proportional set size of a process in bytes; nothing when it is gone."""
    with contextlib.suppress(OSError):
        for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
            if line.startswith("Pss:"):
                return int(line.split()[1]) * 1024
    return 0


def stat(pid: int) -> list[str] | None:
    """The fields of /proc/PID/stat behind the command name, which may hold anything."""
    try:
        text = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return None
    return text.rpartition(")")[2].split()


def identify(pid: int, digest: str = "", started: float = 0.0) -> Process | None:
    """The process that has this pid now."""
    fields = stat(pid)
    return Process(pid, int(fields[START_TIME_FIELD]), digest, started) if fields else None


#: Of a process that does not run.
NO_COST: dict[str, object] = {"pid": 0, "age": 0, "memory": 0, "cpuSeconds": 0}


def reap(pid: int) -> None:
    """Reap a child that has ended; other processes are reaped by their parent."""
    with contextlib.suppress(ChildProcessError):
        os.waitpid(pid, os.WNOHANG)


def start(unit: Unit, log: Path, now: float) -> Process:
    """Start a unit in a session of its own, so that a Ctrl-C at a terminal never reaches it."""
    environment = {"PATH": os.environ.get("PATH", os.defpath), **unit.environment}
    descriptor = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    try:
        child = subprocess.Popen(
            unit.argv,
            cwd=unit.directory,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=descriptor,
            stderr=descriptor,
            start_new_session=True,
        )
    finally:
        os.close(descriptor)
    child.returncode = 0  # we wait by pidfd; without this Popen warns about a running child
    process = identify(child.pid, unit.digest, now)
    return process or Process(child.pid, -1, unit.digest, now)


def remember(path: Path, process: Process) -> None:
    """Write down who runs, for the next supervisor."""
    write_file(path, json.dumps(asdict(process)))


def recall(path: Path) -> Process | None:
    """The remembered process, if it still runs."""
    try:
        found = Process(**json.loads(path.read_text()))
    except (OSError, ValueError, TypeError):
        return None
    return found if found.alive else None


def rotate(log: Path, limit: int = 16 << 20, keep: int = 2) -> None:
    """Move a large log aside; its writer keeps the file open for appending, so copy and cut."""
    try:
        if log.stat().st_size < limit:
            return
    except FileNotFoundError:
        return
    for number in range(keep - 1, 0, -1):
        older = log.with_name(f"{log.name}.{number}")
        if older.exists():
            older.replace(log.with_name(f"{log.name}.{number + 1}"))
    newest = log.with_name(f"{log.name}.1")
    newest.write_bytes(log.read_bytes())
    newest.chmod(0o600)
    os.truncate(log, 0)


def tail(log: Path, lines: int = 15) -> list[str]:
    """The last lines of a log, for error messages."""
    try:
        with log.open("rb") as file:
            file.seek(0, os.SEEK_END)
            file.seek(max(0, file.tell() - 64 * 1024))
            text = file.read().decode(errors="replace")
    except FileNotFoundError:
        return []
    return text.splitlines()[-lines:]
