from pathlib import Path

import pytest

from hypershift.kit import TransientError
from hypershift.local.machine.cgroup import (
    Mount,
    Version1,
    Version2,
    detect,
    pids,
    remove,
)
from hypershift.local.machine.cgroup.version1 import Hierarchy
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


def test_version_2_freezes_counts_and_takes_processes_in(tmp_path: Path) -> None:
    groups = Version2(tmp_path)
    (tmp_path / "m").mkdir()
    groups.join("m", 7)
    assert (tmp_path / "m/cgroup.procs").read_text() == "7"
    groups.freeze("m", frozen=True)
    assert (tmp_path / "m/cgroup.freeze").read_text() == "1"
    groups.freeze("m", frozen=False)
    assert (tmp_path / "m/cgroup.freeze").read_text() == "0"
    (tmp_path / "m/memory.current").write_text("4096\n")
    (tmp_path / "m/cpu.stat").write_text("nr_periods 3\nusage_usec 2500000\nuser_usec 1\n")
    assert groups.memory("m") == 4096
    assert groups.cpu_seconds("m") == 2.5


def test_version_2_counts_the_processes_of_groups_within(tmp_path: Path) -> None:
    for path, text in (("m", ""), ("m/init.scope", "1\n"), ("m/kubepods/pod", "2\n3\n")):
        (tmp_path / path).mkdir(parents=True, exist_ok=True)
        (tmp_path / path / "cgroup.procs").write_text(text)
    assert pids(Version2(tmp_path), "m") == {1, 2, 3}


def test_version_2_is_removed_with_parents_that_became_empty(tmp_path: Path) -> None:
    (tmp_path / "hypershift/mgmt0/m/kubepods/pod").mkdir(parents=True)
    remove(Version2(tmp_path), "hypershift/mgmt0/m")
    assert list(tmp_path.iterdir()) == []


def test_version_2_keeps_parents_that_others_use(tmp_path: Path) -> None:
    for name in ("m", "n"):
        (tmp_path / "hypershift/mgmt0" / name).mkdir(parents=True)
    remove(Version2(tmp_path), "hypershift/mgmt0/m")
    assert [path.name for path in (tmp_path / "hypershift/mgmt0").iterdir()] == ["n"]


def test_a_machine_gets_its_group_and_not_its_limits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    given: set[str] = set()
    monkeypatch.setattr(
        "os.chown", lambda path, uid, gid: given.add(f"{path.relative_to(tmp_path)} {uid} {gid}")
    )
    for name in ("devices", "memory"):
        (tmp_path / name / "g").mkdir(parents=True)
    for name in ("cgroup.procs", "tasks", "memory.limit_in_bytes"):
        (tmp_path / "memory/g" / name).touch()
    groups = Version1(
        (Hierarchy(tmp_path / "devices", "devices"), Hierarchy(tmp_path / "memory", "memory"))
    )
    groups.give("g", 7)
    assert given >= {"devices/g 7 7", "memory/g 7 7", "memory/g/cgroup.procs 7 7"}
    assert not any("limit" in path for path in given)
    Version2(tmp_path / "memory").give("g", 8)
    assert "memory/g/cgroup.procs 8 8" in given


def test_version_1_leaves_devices_to_machines_without_users_of_their_own(tmp_path: Path) -> None:
    (tmp_path / "g").mkdir()
    groups = Version1((Hierarchy(tmp_path, "devices"),))
    assert "would not start" in groups.restrict("g", own_users=False)
    assert not (tmp_path / "g/devices.deny").exists()
    assert not groups.restrict("g", own_users=True)
    assert (tmp_path / "g/devices.deny").read_text() == "a"
    assert (tmp_path / "g/devices.allow").read_text() == "c 136:* rwm"


def test_version_2_says_why_devices_cannot_be_taken(tmp_path: Path) -> None:
    (tmp_path / "g").mkdir()  # no group, so that the kernel takes no program for it
    assert "bpf 16" in Version2(tmp_path).restrict("g", own_users=True)
