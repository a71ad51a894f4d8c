"""The users of a machine: a range of the host's ids, in a user namespace of the machine.

Root of such a machine is a user of the host who owns nothing outside of the machine, so that
neither a device, nor a setting of the kernel, nor a way out of the mounts makes it more than that.
A machine without ids of its own has the host's users.
"""

import os
import subprocess
import sys
from collections.abc import Collection
from functools import cache
from pathlib import Path

from hypershift.local.machine.spec import IDS, ids_of
from hypershift.local.machine.syscalls import CLONE_NEWUSER, setns


def shift(pid: int, first: int) -> None:
    """Give the user namespace of a process its users, from outside."""
    for name in ("uid_map", "gid_map"):
        Path(f"/proc/{pid}/{name}").write_text(f"0 {first} {IDS}\n")


def become_root() -> None:
    """Be root of the user namespace that this process is in."""
    os.setgroups([])
    os.setresgid(0, 0, 0)
    os.setresuid(0, 0, 0)


def join(pid: int, target: int) -> None:
    """Become root of the machine of `pid`, behind the pidfd `target`, if it has its own users."""
    if Path(f"/proc/{pid}/ns/user").stat() != Path("/proc/self/ns/user").stat():
        setns(target, CLONE_NEWUSER)
        become_root()


def ids(scope: str, name: str, directory: Path, taken: Collection[int | None] = ()) -> int | None:
    """First id of a new machine's own range; None where the host cannot give it users."""
    return ids_of(scope, name, taken) if supported(directory) else None


@cache
def supported(directory: Path) -> bool:
    """Whether this host can give machines whose disks lie in `directory` their own users."""
    directory.mkdir(parents=True, exist_ok=True)
    command = (sys.executable, "-m", "hypershift.local.machine.probe", str(directory))
    done = subprocess.run(command, capture_output=True, timeout=60, check=False)
    return done.returncode == 0
