"""Directories on the disks of machines, made and removed from outside.

Whoever is root inside a machine may put a link to anywhere in our way, and we are root outside: so
no step of a path follows one.
"""

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

#: Where volumes lie inside a machine, and that place below its /var.
DIRECTORY = "/var/lib/hypershift/volumes"
STEPS = tuple(DIRECTORY.removeprefix("/var/").split("/"))
#: As other provisioners do: whoever the pod runs as may write.
OPEN_TO_ALL = 0o777

#: The directory of the host that a node sees as /var; None when the node has no disk here.
Var = Callable[[str], Path | None]


@dataclass(frozen=True, slots=True)
class Disks:
    """The disks of a cluster's nodes, as far as they are on this host."""

    var: Var

    def make(self, node: str, name: str) -> bool:
        """Make a volume's directory; False when the node has no disk here."""
        var = self.var(node)
        if var is None:
            return False
        with _opened(var, make=True) as place:
            with suppress(FileExistsError):
                os.mkdir(name, dir_fd=place)
            with _step(place, name) as directory:
                os.fchmod(directory, OPEN_TO_ALL)
        return True

    def remove(self, node: str, name: str) -> None:
        """Remove a volume's directory and what is in it; where there is none, that is all right."""
        var = self.var(node)
        if var is None:
            return
        with suppress(FileNotFoundError, NotADirectoryError), _opened(var, make=False) as place:
            shutil.rmtree(name, ignore_errors=True, dir_fd=place)


@contextmanager
def _opened(var: Path, *, make: bool) -> Iterator[int]:
    """The volumes' place on a disk, step by step."""
    place = os.open(var, os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    try:
        for name in STEPS:
            if make:
                with suppress(FileExistsError):
                    os.mkdir(name, 0o755, dir_fd=place)
            deeper = os.open(name, os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=place)
            os.close(place)
            place = deeper
        yield place
    finally:
        os.close(place)


@contextmanager
def _step(place: int, name: str) -> Iterator[int]:
    descriptor = os.open(name, os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=place)
    try:
        yield descriptor
    finally:
        os.close(descriptor)
