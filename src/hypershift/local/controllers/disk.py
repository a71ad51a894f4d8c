"""Directories on the disks of machines, made and removed from outside.

Root inside a machine may put a link to anywhere in our way, and we are root outside: no step of a
path follows a link. A volume's name comes from the guest's API: one step of a path, or refused.
"""

import os
import shutil
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from hypershift.local.machine.tree import descend, segment

#: Where volumes lie inside a machine, and that place below its /var.
DIRECTORY = "/var/lib/hypershift/volumes"
STEPS = tuple(DIRECTORY.removeprefix("/var/").split("/"))
#: As other provisioners do: every user of a pod may write.
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
        with descend(var, STEPS, make=True) as place:
            with suppress(FileExistsError):
                os.mkdir(segment(name), dir_fd=place)
            with descend(place, (name,)) as directory:
                os.fchmod(directory, OPEN_TO_ALL)
        return True

    def remove(self, node: str, name: str) -> None:
        """Remove a volume's directory and what is in it; where there is none, that is all right."""
        var = self.var(node)
        if var is None:
            return
        with suppress(FileNotFoundError, NotADirectoryError), descend(var, STEPS) as place:
            shutil.rmtree(segment(name), ignore_errors=True, dir_fd=place)
