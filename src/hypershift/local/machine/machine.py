"""A machine: namespaces on this host with a root, a disk, a wire and limits of their own.

absent ── create ──> stopped ── boot ──> booting ──> running <── pause/resume ──> paused
                        ^                                 │
                        └── shutdown, kill, its own end ──┘          destroy: absent again
"""

import asyncio
import fcntl
import os
import shutil
import signal
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Self

import msgspec

from hypershift.kit import Secret, TransientError
from hypershift.local.machine import cgroup, network, process
from hypershift.local.machine.process import Identity
from hypershift.local.machine.spec import TOP_GROUP, MachineSpec, check, group_of, link_of
from hypershift.local.machine.store import Store


class State(StrEnum):
    """Where a machine is in its life."""

    ABSENT = "absent"
    STOPPED = "stopped"
    BOOTING = "booting"
    RUNNING = "running"
    PAUSED = "paused"


@dataclass(frozen=True, slots=True)
class Status:
    """What can be seen of a machine."""

    state: State
    pid: int | None = None
    #: Why the last boot did not come through.
    failure: str = ""
    #: It ended by itself or lost its power, since the host was booted; it was not shut down.
    fell: bool = False
    memory: int = 0
    cpu_seconds: float = 0.0


class Machine:
    """One machine of this host; a second object of the same directory is the same machine."""

    def __init__(self, spec: MachineSpec) -> None:
        check(spec)
        self.spec = spec
        self._store = Store(spec.directory)
        self._groups = cgroup.detect()

    @classmethod
    def load(cls, directory: Path) -> Self:
        """The machine of a directory, running or not: how a new supervisor adopts it."""
        return cls(Store(directory).spec())

    @property
    def console(self) -> Path:
        """The file with the machine's console output."""
        return self._store.console

    @property
    def var(self) -> Path:
        """Where the host sees the machine's /var."""
        return self._store.disk / "var"

    def status(self) -> Status:
        """What can be seen of the machine now."""
        if not self._store.exists():
            return Status(State.ABSENT)
        pid = self._pid()
        stage = self._store.stage
        if pid is None:
            failure = stage if stage.startswith("failed") else ""
            return Status(State.STOPPED, failure=failure, fell=self._fell())
        state = State.RUNNING if stage == "running" else State.BOOTING
        if (self.spec.directory / "paused").exists():
            state = State.PAUSED
        return self._measured(state, pid.pid)

    def pids(self) -> set[int]:
        """Every process of the machine, as the host numbers them."""
        return cgroup.pids(self._groups, self.spec.group)

    def create(self, user_data: bytes | Secret[bytes] | None = None) -> None:
        """Write the machine down; other user data than before provision its disk at next boot."""
        raw = user_data.reveal() if isinstance(user_data, Secret) else user_data
        self._store.save(self.spec, raw)

    def reprovision(self, os_tree: Path, user_data: bytes | Secret[bytes]) -> None:
        """Another image and configuration for the same disk, from the next boot on."""
        self.spec = msgspec.structs.replace(self.spec, os_tree=os_tree)
        self.create(user_data)

    async def boot(self) -> None:
        """Power on; a machine that runs is left alone, traces of a crashed one go first."""
        async with self._alone():
            if self._pid() is None:
                await self._clean()
                await self._start()

    async def _start(self) -> None:
        self._store.rotate_console()
        with self.console.open("ab") as console:
            stage1 = await asyncio.create_subprocess_exec(
                sys.executable,
                "-m",
                "hypershift.local.machine.stage1",
                str(self.spec.directory),
                stdin=asyncio.subprocess.DEVNULL,
                stdout=console,
                stderr=console,
                start_new_session=True,
            )
        if await stage1.wait() != 0:
            await self._clean()
            raise TransientError(f"machine {self.spec.name} did not start: {self._last_words()}")

    async def wait(self) -> None:
        """Return once the machine is off."""
        if (pid := self._pid()) is not None:
            await process.ended(pid)

    async def booted(self, timeout: float = 60.0) -> None:  # noqa: ASYNC109 - the caller's patience
        """Return once init runs; if the machine ends before, raise with the reason."""
        async with asyncio.timeout(timeout):
            # The machine is no child process of ours, so its state has to be polled.
            while (status := self.status()).state is State.BOOTING:  # noqa: ASYNC110
                await asyncio.sleep(0.02)
        if status.state not in (State.RUNNING, State.PAUSED):
            raise TransientError(f"machine {self.spec.name} did not boot: {self._last_words()}")

    async def shutdown(self, grace: float = 10.0) -> None:
        """Stop kubelet, containers and containerd, then power off; the power goes after `grace`."""
        pid = self._pid()
        if pid is not None and self.status().state is State.RUNNING:
            with suppress(ProcessLookupError):
                os.kill(pid.pid, signal.SIGUSR2)
            with suppress(TimeoutError):
                async with asyncio.timeout(grace):
                    await process.ended(pid)
        await self.kill()
        self._store.record(None)

    async def kill(self) -> None:
        """Cut the power: everything in the machine ends at once, and only the disk stays."""
        if not self._store.exists():
            return
        async with self._alone():
            if (pid := self._pid()) is not None:
                with suppress(ProcessLookupError):
                    os.kill(pid.pid, signal.SIGKILL)
                self._thaw()
                await process.ended(pid)
            await self._clean()

    async def reboot(self, *, grace: float = 10.0) -> None:
        """Shut down and power on again."""
        await self.shutdown(grace)
        await self.boot()

    def pause(self) -> None:
        """Stop every process of the machine where it is."""
        self._groups.freeze(self.spec.group, frozen=True)
        (self.spec.directory / "paused").touch()

    def resume(self) -> None:
        """Resume a paused machine."""
        self._thaw()

    def exec_command(self, command: Sequence[str]) -> list[str]:
        """The command line that runs `command` inside the machine, for the caller to execute."""
        pid = self._pid()
        if pid is None:
            raise TransientError(f"machine {self.spec.name} is not running")
        module = "hypershift.local.machine.enter"
        return [sys.executable, "-m", module, str(pid.pid), self.spec.group, *command]

    async def exec(self, *command: str, stdin: bytes = b"") -> tuple[int, str]:
        """Run a command inside the machine; returns its exit code and the text of both outputs."""
        child = await asyncio.create_subprocess_exec(
            *self.exec_command(command),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
        )
        output, _ = await child.communicate(stdin)
        return child.returncode or 0, output.decode(errors="replace")

    async def destroy(self) -> None:
        """Power off and remove every trace, the disk too."""
        await self.kill()
        await asyncio.to_thread(shutil.rmtree, self.spec.directory, ignore_errors=True)

    @asynccontextmanager
    async def _alone(self) -> AsyncIterator[None]:
        """Hold the machine's switch: another process may want to turn it at the same time."""
        flags = os.O_RDWR | os.O_CREAT | os.O_CLOEXEC
        descriptor = os.open(self.spec.directory / "lock", flags, 0o600)
        try:
            await asyncio.to_thread(fcntl.flock, descriptor, fcntl.LOCK_EX)
            yield
        finally:
            os.close(descriptor)

    def _pid(self) -> Identity | None:
        identity = self._store.running()
        return identity if identity is not None and process.lives(identity) else None

    def _fell(self) -> bool:
        """Whether a run is on record that ended without a shutdown, in this boot of the host."""
        identity = self._store.running()
        return identity is not None and identity.boot == process.host_boot()

    def _measured(self, state: State, pid: int) -> Status:
        try:
            memory = self._groups.memory(self.spec.group)
            cpu = self._groups.cpu_seconds(self.spec.group)
        except OSError:
            return Status(state, pid)
        return Status(state, pid, memory=memory, cpu_seconds=cpu)

    def _thaw(self) -> None:
        (self.spec.directory / "paused").unlink(missing_ok=True)
        with suppress(OSError):
            self._groups.freeze(self.spec.group, frozen=False)

    async def _clean(self) -> None:
        """Remove what an ended machine may have left on the host."""
        await asyncio.to_thread(clean, self.spec.scope, self.spec.name)
        (self.spec.directory / "paused").unlink(missing_ok=True)

    def _last_words(self) -> str:
        with suppress(OSError):
            lines = self.console.read_text(errors="replace").strip().splitlines()
            return " / ".join(lines[-3:]) or "the console is empty"
        return "there is no console"


def clean(scope: str, name: str) -> None:
    """Remove the processes, control groups and wire of a machine by its name alone."""
    cgroup.remove(cgroup.detect(), group_of(scope, name))
    network.disconnect(link_of(scope, name))


def sweep(scope: str) -> tuple[str, ...]:
    """Clean every machine of a scope that left a control group; their names."""
    groups = cgroup.detect()
    names: set[str] = set()
    for directory in groups.directories(f"{TOP_GROUP}/{scope}"):
        if directory.is_dir():
            names |= {child.name for child in directory.iterdir() if child.is_dir()}
    for name in names:
        clean(scope, name)
    return tuple(sorted(names))
