"""What a machine needs of control groups, in both versions."""

import os
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Protocol

from hypershift.local.machine.spec import Limits

#: Microseconds in which a machine may use its share of the processors.
PERIOD: Final = 100_000


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

    @property
    def needed_calls(self) -> frozenset[str]:
        """System calls that runc needs for these groups, of those refused to a machine."""
        ...

    def mounts(self) -> tuple[Mount, ...]:
        """What to mount inside a machine."""
        ...

    def directories(self, group: str) -> tuple[Path, ...]:
        """The directories of a group."""
        ...

    def create(self, group: str, limits: Limits) -> None:
        """Make the group, or bring its limits up to date."""
        ...

    def give(self, group: str, owner: int) -> None:
        """Let a user make groups within this one; its limits and devices stay the host's."""
        ...

    def restrict(self, group: str, *, own_users: bool) -> str:
        """Allow the group a machine's devices only; else return why that is impossible."""
        ...

    def join(self, group: str, pid: int) -> None:
        """Put a process into the group."""
        ...

    def settle(self, group: str, pid: int) -> None:
        """Prepare the group for groups within, once the cgroup namespace is made."""
        ...

    def freeze(self, group: str, *, frozen: bool) -> None:
        """Freeze or thaw the group's processes."""
        ...

    def memory(self, group: str) -> int:
        """Bytes that the group uses."""
        ...

    def cpu_seconds(self, group: str) -> float:
        """Processor time that the group has used."""
        ...


def give(directory: Path, names: Iterable[str], owner: int) -> None:
    """Give a group's directory and those of its files that are there to a user."""
    for place in (directory, *(directory / name for name in names)):
        with suppress(FileNotFoundError):
            os.chown(place, owner, owner)


def write(path: Path, value: object) -> None:
    """Set one file of a group."""
    path.write_text(str(value))
