"""Hostile images, disks and guests of Platform Local against the host's files (C5).

A tenant writes the machine's image, its disk and the names in its own API. The host side of a
machine is root: nothing of it may read, change or create a file outside of the machine's tree.
"""

import os
import random
import stat
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hypershift.ignition import Config, Directory, File, Link, Storage, Systemd, file, unit
from hypershift.kit import HypershiftError, InvalidSpec
from hypershift.local.controllers.disk import Disks
from hypershift.local.machine import (
    Attachment,
    MachineSpec,
    Metadata,
    init,
    metadata,
    mounts,
    rootfs,
    tree,
    units,
)
from hypershift.local.machine.apply import apply, drop
from hypershift.local.machine.spec import check

SECRET = "token-of-the-host"
#: Places of a machine's tree that the host side reads or writes.
PLACES = (
    "etc", "etc/hostname", "etc/hosts", "etc/machine-id", "etc/resolv.conf", "etc/inittab",
    "etc/passwd", "etc/systemd", "etc/systemd/system", "etc/systemd/system/a.service",
    "etc/systemd/system/a.service.d", "etc/systemd/system/a.service.d/10.conf",
    "etc/systemd/system/multi-user.target.wants", "etc/systemd/system-preset",
    "etc/systemd/system-preset/20-ignition.preset", "etc/sysctl.d", "run", "run/machine",
    "run/machine/units", "run/metadata", "tmp", "lib", "lib/hypershift", "lib/hypershift/volumes",
    "lib/hypershift/volumes/pvc-1", "lib/kubelet", "log", "cache", "usr", "usr/lib",
    "usr/lib/systemd/system", "srv", "srv/a", "srv/b",
)  # fmt: skip


def a_spec(**changes: Any) -> MachineSpec:
    plain: dict[str, Any] = {
        "name": "m1",
        "scope": "test",
        "os_tree": Path("/tree"),
        "directory": Path("/machines/m1"),
        "network": Attachment(bridge="b", address="10.0.0.5/16", resolvers=("10.0.0.1",)),
        "metadata": Metadata(hostname="m1"),
    }
    return MachineSpec(**plain | changes)


def a_host(base: Path) -> Path:
    """The host's own files: names like the machine's, so that each link finds its counterpart."""
    host = base / "host"
    for name in ("passwd", "hostname", "hosts", "machine-id", "a.service", "10.conf", "x.preset"):
        host.mkdir(mode=0o700, exist_ok=True)
        (host / name).write_text(f"{SECRET}\n")
        (host / name).chmod(0o600)
    for name in ("system", "units", "pvc-1", "volumes", "kubelet", "etc"):
        (host / name).mkdir(mode=0o700)
        (host / name / "a.service").write_text(f"{SECRET}\n")
    return host


def photograph(host: Path) -> list[tuple[Any, ...]]:
    """Everything about the host's files that a write, a chmod or a new name would change."""
    found = []
    for path in (host.parent, *sorted(host.rglob("*")), host):
        facts = path.lstat()
        names = (
            tuple(sorted(one.name for one in path.iterdir())) if stat.S_ISDIR(facts.st_mode) else ()
        )
        own = () if path == host.parent else (facts.st_mtime_ns, facts.st_nlink, facts.st_size)
        found.append((str(path), facts.st_mode, facts.st_uid, names, *own))
    return found


def plant(root: Path, host: Path, chance: random.Random) -> None:
    """Fill a tree with links to the host, relative and absolute, and with ordinary nodes."""
    root.mkdir()
    targets = [str(host), *(str(path) for path in host.rglob("*")), "/", "..", "../../host"]
    for place in chance.sample(PLACES, k=len(PLACES)):
        path = root / place
        if any(part.is_symlink() for part in path.parents) or chance.random() < 0.4:
            continue
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            match chance.randrange(4):
                case 0:
                    path.mkdir()
                case 1:
                    path.write_text("[Service]\nExecStart=/bin/a\n")
                case 2:
                    path.symlink_to(chance.choice(targets))
                case _:
                    path.symlink_to(f"{chance.choice(targets)}/{path.name}")
        except OSError:
            continue


def a_config(chance: random.Random) -> Config:
    paths = [f"/{place}" for place in chance.sample(PLACES, k=6)]
    return Config(
        storage=Storage(
            directories=(Directory(path=paths[0], overwrite=chance.random() < 0.5),),
            files=(file(paths[1], "x"), File(path=f"{paths[2]}/../x", overwrite=True)),
            links=(
                Link(path=paths[3], target=paths[4], hard=chance.random() < 0.3, overwrite=True),
                Link(path=f"{paths[5]}/..", target="/", overwrite=True),
            ),
        ),
        systemd=Systemd(units=(unit("a.service", "[Service]\nExecStart=/bin/a\n"),)),
    )


def everything(root: Path, config: Config) -> list[Any]:
    """What the host side does with a machine's tree; each step as if it were alone."""
    return [
        lambda: metadata.publish(a_spec(), root),
        lambda: metadata.install(a_spec(), root),
        lambda: apply(config, root),
        lambda: drop(tuple(f"/{place}" for place in PLACES), root, root),
        lambda: units.enabled_services(root),
        lambda: units._text(root, "a.service"),  # noqa: SLF001 - whatever enabled it
        lambda: init.install((units.parse("a.service", "[Service]\nExecStart=/bin/a\n"),), root),
        lambda: prepared(root),
        lambda: Disks(lambda _: root).make("n1", "pvc-1"),
        lambda: Disks(lambda _: root).remove("n1", "pvc-1"),
        lambda: tree.read_text(root, "/etc/passwd"),
    ]


def prepared(root: Path) -> None:
    with tree.descend(root, ()) as var:
        mounts.prepare_disk(var)


@settings(max_examples=150, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_no_tree_of_links_reaches_a_file_of_the_host(
    seed: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    chance = random.Random(seed)  # noqa: S311 - a schedule, not a secret
    base = tmp_path_factory.mktemp("hostile")
    host, root = a_host(base), base / "root"
    plant(root, host, chance)
    before = photograph(host)
    steps = everything(root, a_config(chance))
    chance.shuffle(steps)
    for step in steps:
        try:
            answer = step()
        except (HypershiftError, OSError) as error:
            answer = error
        assert SECRET not in f"{answer}"
        assert photograph(host) == before


def test_a_unit_that_is_a_link_to_a_file_of_the_host_is_not_read(tmp_path: Path) -> None:
    host = a_host(tmp_path)
    place = tmp_path / "root/etc/systemd/system"
    place.mkdir(parents=True)
    (place / "a.service").symlink_to(host / "passwd")
    preset = tmp_path / "root/etc/systemd/system-preset/20.preset"
    preset.parent.mkdir()
    preset.write_text("enable a.service\n")
    assert units.enabled_services(tmp_path / "root") == ()


def test_an_error_about_a_unit_names_the_line_and_not_what_it_says() -> None:
    with pytest.raises(units.UnitError, match="line 2") as raised:
        units.parse("a.service", f"[Service]\n{SECRET}\n")
    assert SECRET not in str(raised.value)


@pytest.mark.parametrize("name", ["../../x.service", "a/b.service", "*.service", "a b.service", ""])
def test_a_name_that_no_unit_can_have_is_never_a_path(tmp_path: Path, name: str) -> None:
    assert not units.is_name(name)
    (tmp_path / "etc/systemd/system-preset").mkdir(parents=True)
    (tmp_path / "etc/systemd/system-preset/1.preset").write_text(f"enable {name}\n")
    (tmp_path / "etc/x.service").write_text("[Service]\nExecStart=/bin/x\n")
    assert units.enabled_services(tmp_path) == ()


def test_an_image_whose_etc_is_a_link_changes_its_own_files_alone(tmp_path: Path) -> None:
    host, root = a_host(tmp_path), tmp_path / "root"
    root.mkdir()
    (root / "etc").symlink_to(host)
    before = photograph(host)
    metadata.install(a_spec(), root)
    init.install((), root)
    assert photograph(host) == before
    assert (root / str(host).lstrip("/") / "hostname").read_text() == "m1\n"


def test_a_link_in_the_place_of_var_tmp_keeps_its_targets_mode(tmp_path: Path) -> None:
    host, var = a_host(tmp_path), tmp_path / "root"
    var.mkdir()
    (var / "tmp").symlink_to(host)
    (var / "lib").symlink_to(host)
    before = photograph(host)
    prepared(var)
    assert photograph(host) == before


@pytest.mark.parametrize("name", ["..", ".", "", "../../host", "a/b", "/etc", "x\0y", "n" * 300])
def test_a_volume_name_that_is_no_file_name_is_refused(tmp_path: Path, name: str) -> None:
    host, var = a_host(tmp_path), tmp_path / "var"
    var.mkdir()
    disks = Disks(lambda _: var)
    disks.make("n1", "pvc-1")
    before = photograph(host)
    for action in (disks.make, disks.remove):
        with pytest.raises(tree.UnsafePath):
            action("n1", name)
    assert photograph(host) == before
    assert (var / "lib/hypershift/volumes/pvc-1").is_dir()


def test_a_pipe_or_a_huge_file_in_the_place_of_a_unit_is_refused_at_once(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(tree.UnsafePath, match="not a regular file"):
        tree.read(tmp_path, "/pipe")
    with (tmp_path / "huge").open("wb") as huge:
        huge.truncate(1 << 40)
    with pytest.raises(tree.UnsafePath, match="more than"):
        tree.read(tmp_path, "/huge")


@pytest.mark.parametrize("name", ["..", "a/b", "-x", ".x", "a\nb", "é", "", "a" * 300])
def test_a_machine_name_is_one_harmless_word(name: str) -> None:
    for field in ("name", "scope"):
        with pytest.raises(InvalidSpec):
            check(a_spec(**{field: name}))


@pytest.mark.parametrize("zone", ["a\nMACHINE_NODE_IP=10.0.0.1", "a b", "a;b"])
def test_a_fact_about_a_machine_cannot_add_another_one(zone: str) -> None:
    with pytest.raises(InvalidSpec):
        check(a_spec(metadata=Metadata(hostname="m1", zone=zone)))


@pytest.mark.parametrize("digest", ["sha256:../../x", "sha256:/etc", "..", "sha256:", "a" * 64])
def test_a_digest_that_is_none_names_no_tree(tmp_path: Path, digest: str) -> None:
    with pytest.raises(InvalidSpec):
        rootfs.place_of(tmp_path, digest)
