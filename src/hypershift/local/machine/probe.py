"""Whether this host can give a machine users of its own: `python -m ...machine.probe DIRECTORY`.

It puts an empty machine together below the directory, with users, mounts and control groups, and
ends with 0 when that went through: the kernel's version and the file system decide it, and whether
we run in a container ourselves.
"""

import os
import sys
import tempfile
from pathlib import Path
from typing import Final

from hypershift.local.machine import cgroup, mounts
from hypershift.local.machine.separate import separated
from hypershift.local.machine.spec import ALL_IDS, Attachment, MachineSpec, Metadata

#: What an image has at least: where the machine's own mounts go.
DIRECTORIES: Final = ("dev", "proc", "run", "sys", "tmp", "usr", "var")


def main(directory: Path) -> int:
    """Try it; 0 when it works."""
    with tempfile.TemporaryDirectory(dir=directory, prefix=".probe-") as scratch:
        image = Path(scratch, "image")
        for name in DIRECTORIES:
            (image / name).mkdir(parents=True)
        spec = MachineSpec(
            name="probe",
            scope="probe",
            os_tree=image,
            directory=Path(scratch),
            network=Attachment(bridge="none", address="192.0.2.1/24"),
            metadata=Metadata(hostname="probe"),
            ids=ALL_IDS[0],
        )
        # A mount namespace of its own ends with the child, so that nothing holds the directory.
        child = os.fork()
        if child == 0:
            os._exit(_tried(spec))
        _, status = os.waitpid(child, 0)
    return os.waitstatus_to_exitcode(status)


def _tried(spec: MachineSpec) -> int:
    worked, tells = os.pipe()
    try:
        with separated(spec, lambda _: None, lambda: _first(tells)):
            os.close(tells)
            return 0 if os.read(worked, 1) else 1
    except Exception as error:  # noqa: BLE001 - whatever it was, the answer is no
        print(error, file=sys.stderr)  # noqa: T201 - for a person who runs it by hand
        return 1


def _first(tells: int) -> None:
    root = mounts.assemble(cgroup.detect(), own_users=True)
    # containerd marks what an image's layer deletes by such a device.
    os.mknod(root / "var/whiteout", 0o020000, 0)
    mounts.enter(root)
    os.write(tells, b"1")


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
