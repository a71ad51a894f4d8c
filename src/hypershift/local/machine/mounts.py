"""The machine's root: the shared image below, its own disk above, its own kernel file systems.

The host lays out the parts (`stage`, `show`) in a mount namespace that ends with the boot; pid 1
puts them together (`assemble`) as the machine's own root, which may be no user of the host at all.
All paths are relative to the stage: a machine's user could not walk to it.

/            overlay: image (read-only, shared) under disk/root
/usr         the image alone, read-only: node software changes with the image only
/var         disk/var, no overlay (containerd's snapshots must not lie on one)
/run /tmp    memory
/proc        own; the host's settings under /proc/sys are read-only, the network's are not
/sys /dev    own, with the machine's control groups as the root of all groups
"""

import os
import stat
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Final

from hypershift.local.machine import cgroup, tree
from hypershift.local.machine.spec import MachineSpec
from hypershift.local.machine.syscalls import (
    MS_BIND,
    MS_NODEV,
    MS_NOEXEC,
    MS_NOSUID,
    MS_PRIVATE,
    MS_RDONLY,
    MS_REC,
    MS_REMOUNT,
    MS_SHARED,
    bind,
    bind_shifted,
    mount,
    pivot_root,
)

DEVICES: Final = {
    "null": (1, 3),
    "zero": (1, 5),
    "full": (1, 7),
    "random": (1, 8),
    "urandom": (1, 9),
    # The kubelet wants to read a kernel log. The host's is not the machine's: this one is empty.
    "kmsg": (1, 3),
    "tty": (5, 0),
}
LINKS: Final = {
    "ptmx": "pts/ptmx",
    "fd": "/proc/self/fd",
    "stdin": "/proc/self/fd/0",
    "stdout": "/proc/self/fd/1",
    "stderr": "/proc/self/fd/2",
}
#: Kernel settings that a kubelet wants and else would change for the whole host: it reads these.
SHADOWS: Final = {
    "vm/overcommit_memory": "1",
    "vm/panic_on_oom": "0",
    "kernel/panic": "10",
    "kernel/panic_on_oops": "1",
    "kernel/keys/root_maxkeys": "1000000",
    "kernel/keys/root_maxbytes": "25000000",
}
#: Directories that show or change the host's hardware and kernel: empty in a machine.
MASKED: Final = (
    "proc/acpi", "proc/asound", "proc/kallsyms", "proc/kcore", "proc/keys", "proc/kmsg",
    "proc/kpagecount", "proc/kpageflags", "proc/latency_stats", "proc/sched_debug", "proc/scsi",
    "proc/sysrq-trigger", "proc/timer_list", "sys/devices/virtual/powercap", "sys/firmware",
    "sys/kernel/debug", "sys/kernel/security", "sys/kernel/tracing", "sys/power",
)  # fmt: skip
#: What containers read and no machine changes.
READ_ONLY: Final = ("proc/bus", "proc/fs", "proc/irq", "proc/mtrr", "sys")
_PLAIN: Final = MS_NOSUID | MS_NODEV | MS_NOEXEC
#: What the kernel gives each machine: place, file system, flags, options.
KERNEL_MOUNTS: Final = (
    ("run", "tmpfs", MS_NOSUID | MS_NODEV, "mode=755"),
    ("tmp", "tmpfs", MS_NOSUID | MS_NODEV, "mode=1777"),
    ("proc", "proc", _PLAIN, ""),
    ("sys", "sysfs", _PLAIN, ""),
)
#: The names on the stage; `DISK_OF` holds the layers of the disk.
IMAGE, DISK_OF, DEV, ROOT = "image", "disk", "dev", "root"
LAYERS: Final = ("root", "work", "var")
#: The upper directory must make sense over the next image too: nothing that refers to the lower.
OVERLAY: Final = f"lowerdir={IMAGE},upperdir={DISK_OF}/root,workdir={DISK_OF}/work,index=off"
PRIVILEGED: Final = ",redirect_dir=off,metacopy=off"
#: What only root of the host may set as attributes of files is in attributes of users; the other
#: options are implied.
UNPRIVILEGED: Final = ",userxattr"
#: Directories below /var that every machine has.
DISK: Final = (
    "lib", "lib/kubelet", "lib/containerd", "log", "tmp", "cache", "usrlocal", "home",
)  # fmt: skip


def stage(spec: MachineSpec) -> None:
    """Make the stage and go there: a place in memory, in a mount namespace of the host's."""
    mount("none", "/", flags=MS_REC | MS_PRIVATE)
    for path in (spec.directory / "root", *(spec.directory / "disk" / name for name in LAYERS)):
        path.mkdir(parents=True, exist_ok=True)
    place = spec.directory / "root"
    mount("tmpfs", place, "tmpfs", MS_NOSUID, "mode=755,size=64k")
    os.chdir(place)
    for name in (IMAGE, DISK_OF, ROOT):
        Path(name).mkdir()
    _devices(Path(DEV), spec.ids or 0)


def show(spec: MachineSpec, users: int | None) -> None:
    """Show image and disk on the stage, with owners as the machine's users have them."""
    for source, target, read_only in (
        (spec.os_tree.resolve(), IMAGE, True),
        (spec.directory / "disk", DISK_OF, False),
    ):
        if users is None:
            bind(source, target, read_only=read_only)
        else:
            bind_shifted(source, target, users, read_only=read_only)


def assemble(hierarchies: cgroup.Hierarchies, *, own_users: bool) -> Path:
    """Mount the machine's root in this mount namespace, which must be the machine's own.

    Image and disk are another party's: a source or target of a mount is a directory of theirs
    and no link, which would lead to a directory of the host.
    """
    root = Path(ROOT)
    mount("overlay", root, "overlay", data=OVERLAY + (UNPRIVILEGED if own_users else PRIVILEGED))
    with _directory(Path(IMAGE), "usr") as source, _directory(root, "usr") as target:
        bind(source, target)
    with tree.descend(Path(DISK_OF), ("var",)) as var, _directory(root, "var") as target:
        prepare_disk(var)
        bind(_path(var), target)
    for name, kind, flags, options in KERNEL_MOUNTS:
        with _directory(root, name) as target:
            mount(kind, target, kind, flags, options)
    with _directory(root, "dev") as target:
        bind(DEV, target)
    _cgroups(root / "sys/fs/cgroup", hierarchies)
    _terminals(root / "dev")
    return root


@contextmanager
def _directory(root: Path, name: str) -> Iterator[Path]:
    """A directory of the machine's root, held open, as a path that cannot lead elsewhere."""
    with ExitStack() as held:
        try:
            descriptor = held.enter_context(tree.descend(root, (name,)))
        except OSError:
            raise tree.UnsafePath(f"/{name} of the machine is not a directory") from None
        yield _path(descriptor)


def _path(descriptor: int) -> Path:
    return Path(f"/proc/self/fd/{descriptor}")


def shadow_host_settings(root: Path, boot_id: str, memory: int | None) -> None:
    """Keep the machine from changing the host's kernel, and show it its own share of it."""
    sys = root / "proc/sys"
    shadows = {**SHADOWS, "kernel/random/boot_id": boot_id}
    held = root / "run/machine/kernel"
    held.mkdir(parents=True)
    bind(sys, sys, read_only=True)
    bind(sys / "net", sys / "net")
    mount("none", sys / "net", flags=MS_BIND | MS_REMOUNT | _PLAIN)
    for number, (name, value) in enumerate(shadows.items()):
        if (sys / name).exists():
            (held / str(number)).write_text(f"{value}\n")
            bind(held / str(number), sys / name)
    if memory is not None:
        (held / "meminfo").write_text(meminfo(Path("/proc/meminfo").read_text(), memory))
        bind(held / "meminfo", root / "proc/meminfo")


def hide_host(root: Path) -> None:
    """Take the host's hardware and kernel out of the machine's view, as container runtimes do."""
    for name in MASKED:
        place = root / name
        if place.is_dir():
            mount("tmpfs", place, "tmpfs", _PLAIN | MS_RDONLY, "size=0,mode=555")
        elif place.exists():
            bind(root / "dev/null", place)
    for name in READ_ONLY:
        place = root / name
        if place.exists() and name != "sys":
            bind(place, place)
        if place.exists():
            mount("none", place, flags=MS_BIND | MS_REMOUNT | MS_RDONLY | _PLAIN)


def meminfo(host: str, limit: int) -> str:
    """The host's figures cut to the machine's limit: what the kubelet takes for its capacity."""
    cut = limit // 1024
    lines = []
    for line in host.splitlines():
        name, _, rest = line.partition(":")
        if name in ("MemTotal", "MemFree", "MemAvailable"):
            figure = min(int(rest.split()[0]), cut)
            lines.append(f"{name}:{figure:>{24 - len(name) - 1}} kB")
        elif name in ("SwapTotal", "SwapFree"):
            lines.append(f"{name}:{0:>{24 - len(name) - 1}} kB")
        else:
            lines.append(line)
    return "\n".join(lines) + "\n"


def enter(root: Path) -> None:
    """Make `root` the root; later mounts propagate to namespaces that share it, as pods expect."""
    pivot_root(root)
    mount("none", "/", flags=MS_REC | MS_SHARED)


def prepare_disk(var: int) -> None:
    """Make the directories that every machine has; what the machine put there itself is left."""
    for path in DISK:
        *parents, name = path.split("/")
        # A parent that is a link now is the machine's own choice: nothing of ours is behind it.
        absent = suppress(NotADirectoryError, FileNotFoundError, FileExistsError)
        with absent, tree.descend(var, parents) as place:
            os.mkdir(name, 0o755, dir_fd=place)
    with suppress(NotADirectoryError), tree.descend(var, ("tmp",)) as place:
        os.fchmod(place, 0o1777)
    with suppress(FileExistsError):
        os.symlink("/run", "run", dir_fd=var)


def _cgroups(target: Path, hierarchies: cgroup.Hierarchies) -> None:
    wanted = hierarchies.mounts()
    if all(one.name for one in wanted):
        mount("tmpfs", target, "tmpfs", _PLAIN, "mode=755")
    for one in wanted:
        place = target / one.name
        place.mkdir(exist_ok=True)
        mount(one.kind, place, one.kind, _PLAIN, one.options)
        for alias in one.aliases:
            (target / alias).symlink_to(one.name)


def _devices(dev: Path, owner: int) -> None:
    """Make the devices of a machine, which could not make them itself."""
    dev.mkdir()
    mount("tmpfs", dev, "tmpfs", MS_NOSUID, f"mode=755,size=64k,uid={owner},gid={owner}")
    for name, (major, minor) in DEVICES.items():
        os.mknod(dev / name, 0o666 | stat.S_IFCHR, os.makedev(major, minor))
        (dev / name).chmod(0o666)
        os.chown(dev / name, owner, owner)


def _terminals(dev: Path) -> None:
    for name, target in LINKS.items():
        (dev / name).symlink_to(target)
    for name in ("pts", "shm", "mqueue"):
        (dev / name).mkdir()
    mount(
        "devpts", dev / "pts", "devpts", MS_NOSUID | MS_NOEXEC, "newinstance,ptmxmode=0666,mode=620"
    )
    mount("tmpfs", dev / "shm", "tmpfs", MS_NOSUID | MS_NODEV, "mode=1777")
    mount("mqueue", dev / "mqueue", "mqueue", _PLAIN)
