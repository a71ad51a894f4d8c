"""Root in a machine of Platform Local against the host: each way out that is known, tried for real.

A consumer brings the machine's image and a cluster-admin runs privileged pods, so that both are
root there. Where the host gives machines users of their own, root is nobody outside.
"""

import os
import stat
import struct
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import suppress
from pathlib import Path

import pytest
from tests.e2e import machines

from hypershift.ignition import Config, Systemd, encode, unit
from hypershift.local.machine import Machine, sweep, users
from hypershift.local.machine.cgroup.devices import encoded, restrict
from hypershift.local.machine.mounts import DEVICES
from hypershift.local.machine.spec import ALL_IDS, IDS
from hypershift.local.machine.syscalls import bpf, load_program

pytestmark = pytest.mark.integration

MIB = 1024 * 1024
#: Devices that a process tries to make: kind, major, minor. containerd makes whiteouts.
NODES = {
    "null": (stat.S_IFCHR, 1, 3), "whiteout": (stat.S_IFCHR, 0, 0), "memory": (stat.S_IFCHR, 1, 1),
    "kvm": (stat.S_IFCHR, 10, 232), "fuse": (stat.S_IFCHR, 10, 229), "disk": (stat.S_IFBLK, 8, 0),
    "loop": (stat.S_IFBLK, 7, 0), "block 1:3": (stat.S_IFBLK, 1, 3),
}  # fmt: skip
#: Attempts as shell scripts; one that reaches its end has succeeded.
OUT_OF_PROC = {
    "a setting of the kernel, below what we lay over it":
        "umount -l /proc/sys; echo '|/bin/x' > /proc/sys/kernel/core_pattern",
    "a setting of the kernel, in a new procfs":
        "mkdir -p /run/p && mount -t proc p /run/p && echo '|/x' > /run/p/sys/kernel/core_pattern",
    "the helper for modules": "mount -t proc p /mnt && echo /x > /mnt/sys/kernel/modprobe",
    "the magic key": "mkdir -p /run/q && mount -t proc p /run/q && echo h > /run/q/sysrq-trigger",
    "the host's memory": "umount -l /proc/kcore; head -c 1 /proc/kcore | grep -q .",
    "settings of memory": "umount -l /proc/sys; echo 2 > /proc/sys/vm/overcommit_memory",
}  # fmt: skip
OUT_OF_DEVICES = {
    "a node of the host's disk": "mknod /run/disk b {major} {minor} && head -c 1 /run/disk",
    "a node on its own disk": "mknod /var/disk b {major} {minor}",
    "a node of the host's memory": "mknod /dev/shm/mem c 1 1",
    "a node of its ports": "mknod /run/port c 1 4",
    "a node of its log": "mknod /run/log c 1 11",
    "a node of virtual machines": "mknod /run/kvm c 10 232",
    "a node of file systems of users": "mknod /run/fuse c 10 229",
    "a node of tunnels": "mknod /run/tun c 10 200",
    "a node of loop devices": "mknod /run/loop c 10 237",
    "a loop device": "dd if=/dev/zero of=/var/disk.img bs=1M count=1; losetup -f /var/disk.img",
    "devices that it has not": "ls /dev/mem || ls /dev/vda || ls /dev/kvm || ls /dev/loop-control",
    "the devices of the host": "mkdir -p /run/d && mount -t devtmpfs d /run/d",
    "the host's disk": "mkdir -p /run/e && mount -t ext4 /dev/vda /run/e",
    "more devices": "echo a > /sys/fs/cgroup/devices/devices.allow",
}
OUT_OF_GROUPS = {
    "an agent of the host, at the end of a group":
        "mkdir -p /run/g && mount -t cgroup -o memory g /run/g && echo /x > /run/g/release_agent",
    "its own limit of memory": "echo -1 > /sys/fs/cgroup/memory/memory.limit_in_bytes",
    "its own limit of processors": "echo -1 > /sys/fs/cgroup/cpu/cpu.cfs_quota_us",
    "freedom from its group": "echo $$ > /sys/fs/cgroup/memory/../../../cgroup.procs",
}  # fmt: skip
OUT_OF_SYS = {
    "a setting below /sys": "mount -o remount,rw /sys; echo 1 > /sys/kernel/mm/ksm/run",
    "a setting below a new /sys":
        "mkdir -p /run/s && mount -t sysfs s /run/s && echo 1 > /run/s/kernel/mm/ksm/run",
    "the helper for events": "echo /x > /sys/kernel/uevent_helper",
    "tracing": "mkdir -p /run/t && mount -t tracefs t /run/t",
    "debugging": "mkdir -p /run/u && mount -t debugfs u /run/u",
    "programs in the kernel": "mkdir -p /run/b && mount -t bpf b /run/b && mkdir /run/b/x",
}  # fmt: skip
OUT_OF_FILES = {
    "the image that others boot": "mount -o remount,rw /usr; touch /usr/mark",
    "the image that others boot, by another mount":
        "mkdir -p /run/i && mount --bind /usr /run/i && mount -o remount,rw,bind /run/i"
        " && touch /run/i/mark",
    "the host's root by its first process": "ls /proc/1/root/{marker}",
    "a module": "insmod /usr/bin/busybox",
    "the clock": "date -s 2000-01-01; test $(date +%Y) = 2000",
    "swap": "dd if=/dev/zero of=/var/swap bs=1M count=1 && mkswap /var/swap && swapon /var/swap",
}  # fmt: skip
ATTEMPTS = OUT_OF_PROC | OUT_OF_DEVICES | OUT_OF_GROUPS | OUT_OF_SYS | OUT_OF_FILES


@pytest.fixture(scope="module")
def machine_os(tmp_path_factory: pytest.TempPathFactory) -> Path:
    machines.needs_root()
    return machines.machine_os(tmp_path_factory.mktemp("trees"))


@pytest.fixture
async def machine(machine_os: Path, tmp_path: Path) -> AsyncIterator[Machine]:
    """A machine with users of its own, that runs."""
    with machines.bridge():
        if not users.supported(tmp_path):
            pytest.skip("this host cannot give machines users of their own")
        made = machines.a_machine(machine_os, tmp_path, memory=256 * MIB, cpu=500)
        idle = unit("idle.service", "[Service]\nExecStart=/bin/sleep 1000000\n")
        made.create(encode(Config(systemd=Systemd(units=(idle,)))))
        try:
            await made.boot()
            await made.booted()
            yield made
        finally:
            await made.destroy()
            sweep(machines.SCOPE)


def of_the_host(tree: Path) -> dict[str, str]:
    """What the attempts would have changed."""
    files = ("kernel/core_pattern", "kernel/modprobe", "vm/overcommit_memory")
    every = {name: Path("/proc/sys", name) for name in files}
    found = {name: path.read_text() for name, path in every.items() if path.exists()}
    return found | {"image": ", ".join(sorted(one.name for one in (tree / "usr").iterdir()))}


def the_disk(place: Path) -> dict[str, object]:
    """The host's disk as the attempts name it."""
    disk = place.stat().st_dev
    return {"major": os.major(disk), "minor": os.minor(disk), "marker": place}


async def test_root_in_a_machine_finds_no_way_to_the_host(
    machine: Machine, machine_os: Path, tmp_path: Path
) -> None:
    facts, before = the_disk(tmp_path), of_the_host(machine_os)
    assert await machine.exec("sh", "-ec", "mkdir /run/works; test -d /run/works") == (0, "")
    gained = {}
    for name, script in ATTEMPTS.items():
        code, said = await machine.exec("sh", "-ec", script.format(**facts).replace("; ", "\n"))
        if code == 0:
            gained[name] = said
    assert gained == {}
    assert of_the_host(machine_os) == before


async def test_a_machine_has_the_devices_of_a_container_and_no_others(machine: Machine) -> None:
    code, said = await machine.exec("sh", "-c", "find /dev -type b; find /dev -type c | sort")
    nodes = [one for one in said.split() if not one.startswith("/dev/pts/")]
    assert (code, nodes) == (0, sorted(f"/dev/{name}" for name in DEVICES))


def test_a_group_of_version_2_has_these_devices_alone(tmp_path: Path) -> None:
    machines.needs_root()
    group = a_group_of_version_2()
    log = tmp_path / "log"  # of the host's kernel
    os.mknod(log, 0o600 | stat.S_IFCHR, os.makedev(1, 11))
    below = group / "pod"
    try:
        assert opened(group, log) == ""
        for _ in range(2):  # a machine that starts again has its group already
            restrict(group)
        assert "not permitted" in opened(group, log)
        assert opened(group, Path("/dev/null")) == ""
        below.mkdir()
        allow_all(below)
        assert "not permitted" in opened(below, log)
        made = {name: making(group, tmp_path / name, *numbers) for name, numbers in NODES.items()}
        assert {name for name, problem in made.items() if not problem} == {"null", "whiteout"}
    finally:
        for place in (below, group):
            with suppress(FileNotFoundError):
                place.rmdir()


def a_group_of_version_2() -> Path:
    """A group at the top of the host's hierarchy of version 2, wherever that is mounted."""
    for line in Path("/proc/self/mountinfo").read_text().splitlines():
        left, _, right = line.partition(" - ")
        if right.startswith("cgroup2 "):
            made = Path(left.split()[4]) / "hypershift-devices"
            made.mkdir()
            return made
    pytest.skip("this host has no control groups of version 2")


def opened(group: Path, device: Path) -> str:
    """What a process of the group is told when it opens a device."""
    return in_group(group, f"open({str(device)!r}, 'rb').close()")


def making(group: Path, place: Path, kind: int, major: int, minor: int) -> str:
    """What a process of the group is told when it makes a device."""
    node = f"os.mknod({str(place)!r}, {0o600 | kind}, os.makedev({major}, {minor}))"
    return in_group(group, f"import os; {node}")


def in_group(group: Path, code: str) -> str:
    join = f"open({str(group / 'cgroup.procs')!r}, 'w').write('0')"
    done = subprocess.run((sys.executable, "-c", f"{join}; {code}"), capture_output=True,
                          text=True, check=False)  # fmt: skip
    return done.stderr


def allow_all(group: Path) -> None:
    """What runc does for a privileged pod: a program that allows everything."""
    move_one_and_exit = [(0xB7, 0, 0, 0, 1), (0x95, 0, 0, 0, 0)]
    loaded = load_program(15, encoded(move_one_and_exit))
    directory = os.open(group, os.O_RDONLY)
    bpf(8, struct.pack("=IIII", directory, loaded, 6, 2))
    os.close(directory)
    os.close(loaded)


async def test_root_of_a_machine_is_nobody_outside(machine: Machine) -> None:
    first = machine.spec.ids
    assert first is not None
    assert first in ALL_IDS
    outside = {uid for pid in machine.pids() for uid in uids(pid)}
    assert outside
    assert all(first <= uid < first + IDS for uid in outside)
    code, said = await machine.exec("sh", "-c", "id -u; echo mine > /var/own; stat -c %u /var/own")
    assert (code, said.split()) == (0, ["0", "0"])


def uids(pid: int) -> set[int]:
    """The users of a process, as the host has them."""
    status = Path(f"/proc/{pid}/status").read_text()
    return {int(one) for one in status.partition("Uid:")[2].splitlines()[0].split()}
