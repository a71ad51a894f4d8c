from pathlib import Path

import pytest

from hypershift.kit import TransientError
from hypershift.local.machine.cgroup import Mount, Version1, Version2, detect
from hypershift.local.machine.spec import Limits

V1 = """\
30 24 0:26 / /sys/fs/cgroup rw - tmpfs tmpfs rw,mode=755
31 30 0:27 / /sys/fs/cgroup/cpu,cpuacct rw - cgroup cgroup rw,cpu,cpuacct
32 30 0:28 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory
33 30 0:29 / /sys/fs/cgroup/systemd rw - cgroup cgroup rw,name=systemd
34 30 0:30 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw
35 30 0:28 / /elsewhere/memory rw - cgroup cgroup rw,memory
"""
V2 = "30 24 0:26 / /sys/fs/cgroup rw,nosuid - cgroup2 cgroup2 rw,nsdelegate\n"


def detected(tmp_path: Path, text: str) -> Version1 | Version2:
    file = tmp_path / "mountinfo"
    file.write_text(text)
    found = detect(file)
    assert isinstance(found, Version1 | Version2)
    return found


def test_version_1_is_told_by_the_owner_of_the_memory_controller(tmp_path: Path) -> None:
    found = detected(tmp_path, V1)
    assert found.mounts() == (
        Mount("cpu,cpuacct", "cgroup", "cpu,cpuacct", ("cpu", "cpuacct")),
        Mount("memory", "cgroup", "memory"),
        Mount("systemd", "cgroup", "none,name=systemd"),
    )
    assert found.directories("a/b")[1] == Path("/sys/fs/cgroup/memory/a/b")


def test_version_2_is_one_hierarchy(tmp_path: Path) -> None:
    found = detected(tmp_path, V2)
    assert found.mounts() == (Mount("", "cgroup2", ""),)
    assert found.directories("a/b") == (Path("/sys/fs/cgroup/a/b"),)


def test_a_host_without_control_groups_is_named(tmp_path: Path) -> None:
    with pytest.raises(TransientError, match="no control groups"):
        detected(tmp_path, "1 2 0:3 / / rw - ext4 /dev/vda rw\n")


def test_version_2_hands_controllers_down_and_moves_pid_1_into_a_leaf(tmp_path: Path) -> None:
    groups = Version2(tmp_path)
    for level in ("", "hypershift", "hypershift/s", "hypershift/s/m"):
        (tmp_path / level).mkdir(exist_ok=True)
        (tmp_path / level / "cgroup.controllers").write_text("cpu memory\n")
    groups.create("hypershift/s/m", Limits(cpu=500, memory=1024))
    machine = tmp_path / "hypershift/s/m"
    assert (machine / "cpu.max").read_text() == "50000 100000"
    assert (machine / "memory.max").read_text() == "1024"
    assert (tmp_path / "hypershift/s/cgroup.subtree_control").read_text() == "+cpu +memory"
    groups.settle("hypershift/s/m", 42)
    assert (machine / "init.scope/cgroup.procs").read_text() == "42"
    assert (machine / "cgroup.subtree_control").read_text() == "+cpu +memory"


def test_no_limit_is_all_of_the_host(tmp_path: Path) -> None:
    (tmp_path / "cgroup.controllers").write_text("cpu memory\n")
    Version2(tmp_path).create("m", Limits())
    assert (tmp_path / "m/cpu.max").read_text() == "max 100000"
    assert (tmp_path / "m/memory.max").read_text() == "max"
