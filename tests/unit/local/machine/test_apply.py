import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hypershift.ignition import (
    Config,
    ConfigError,
    Directory,
    Dropin,
    File,
    Link,
    Passwd,
    Resource,
    Storage,
    Systemd,
    Unit,
    User,
    file,
)
from hypershift.local.machine.apply import apply, drop
from hypershift.local.machine.tree import UnsafePath, inside


@pytest.fixture
def root(tmp_path: Path) -> Path:
    tree = tmp_path / "root"
    (tree / "etc").mkdir(parents=True)
    uid, gid = os.getuid(), os.getgid()
    (tree / "etc/passwd").write_text(f"core:x:{uid}:{gid}:core:/var/home/core:/bin/sh\n")
    (tree / "etc/group").write_text(f"core:x:{gid}:\n")
    return tree


def storage(
    files: tuple[File, ...] = (),
    directories: tuple[Directory, ...] = (),
    links: tuple[Link, ...] = (),
) -> Config:
    return Config(storage=Storage(files=files, directories=directories, links=links))


def test_files_directories_and_links_are_made_with_their_modes(root: Path) -> None:
    config = storage(
        (file("/opt/a/b", "text", 0o640),),
        (Directory(path="/srv/x", mode=0o700),),
        (Link(path="/etc/link", target="/opt/a/b"),),
    )
    apply(config, root)
    assert (root / "opt/a/b").read_text() == "text"
    assert (root / "opt/a/b").stat().st_mode & 0o7777 == 0o640
    assert (root / "srv/x").stat().st_mode & 0o7777 == 0o700
    assert str((root / "etc/link").readlink()) == "/opt/a/b"


def test_a_second_application_changes_nothing(root: Path) -> None:
    config = storage((file("/opt/a", "text"),), (Directory(path="/srv"),))
    assert apply(config, root) == apply(config, root)
    assert (root / "opt/a").read_text() == "text"


def test_a_link_that_points_outside_leads_to_a_place_inside(root: Path, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (root / "etc/evil").symlink_to(outside)
    (root / "etc/up").symlink_to("../../../../../../..")
    apply(storage((file("/etc/evil/file", "x"), file("/etc/up/file", "y"))), root)
    assert list(outside.iterdir()) == []
    assert (root / str(outside).lstrip("/") / "file").read_text() == "x"
    assert (root / "file").read_text() == "y"


def test_a_link_at_the_place_of_a_file_is_replaced_not_followed(root: Path, tmp_path: Path) -> None:
    victim = tmp_path / "victim"
    victim.write_text("safe")
    (root / "etc/config").symlink_to(victim)
    apply(storage((file("/etc/config", "x"),)), root)
    assert victim.read_text() == "safe"
    assert not (root / "etc/config").is_symlink()


@given(st.lists(st.sampled_from(["..", ".", "a", "link", "deep"]), min_size=1, max_size=8))
def test_no_path_leaves_the_root(parts: list[str]) -> None:
    root = Path("/proc/self")  # a place with links of every kind, never written to
    place = inside(root, "/".join(parts))
    assert place == root or root in place.parents


def test_links_in_a_circle_are_refused(root: Path) -> None:
    (root / "a").symlink_to("b")
    (root / "b").symlink_to("a")
    with pytest.raises(UnsafePath, match="too many links"):
        apply(storage((file("/a/file", "x"),)), root)


def test_a_file_of_the_image_is_kept_unless_overwrite_says_otherwise(root: Path) -> None:
    (root / "etc/motd").write_text("image")
    theirs = File(path="/etc/motd", contents=Resource(source="data:,new"))
    with pytest.raises(ConfigError, match="overwrite is false"):
        apply(storage((theirs,)), root)
    apply(storage((file("/etc/motd", "new"),)), root)
    assert (root / "etc/motd").read_text() == "new"


def test_appended_contents_come_after_what_is_there(root: Path) -> None:
    (root / "etc/hosts").write_text("1\n")
    add = File(path="/etc/hosts", append=(Resource(source="data:,2%0A"),))
    apply(storage((add,)), root)
    assert (root / "etc/hosts").read_text() == "1\n2\n"


def test_keys_of_a_user_are_for_that_user_alone(root: Path) -> None:
    users = (User(name="core", ssh_authorized_keys=("ssh-ed25519 AAA", "ssh-ed25519 BBB")),)
    apply(Config(passwd=Passwd(users=users)), root)
    keys = root / "var/home/core/.ssh/authorized_keys"
    assert keys.read_text().splitlines() == ["ssh-ed25519 AAA", "ssh-ed25519 BBB"]
    assert keys.stat().st_mode & 0o777 == 0o600


def test_a_user_that_the_image_lacks_is_refused_by_name(root: Path) -> None:
    with pytest.raises(ConfigError, match="'alice'"):
        apply(Config(passwd=Passwd(users=(User(name="alice"),))), root)


def test_units_dropins_masks_and_presets_are_written(root: Path) -> None:
    units = (
        Unit(
            name="a.service",
            contents="[Service]\n",
            enabled=True,
            dropins=(Dropin(name="10.conf", contents="[Service]\nX=1\n"),),
        ),
        Unit(name="b.service", enabled=False),
        Unit(name="c.service", mask=True),
    )
    apply(Config(systemd=Systemd(units=units)), root)
    place = root / "etc/systemd/system"
    assert (place / "a.service").exists()
    assert (place / "a.service.d/10.conf").exists()
    assert str((place / "c.service").readlink()) == "/dev/null"
    preset = root / "etc/systemd/system-preset/20-ignition.preset"
    assert preset.read_text() == "enable a.service\ndisable b.service\n"


def test_what_was_written_can_be_dropped_from_the_disk(root: Path, tmp_path: Path) -> None:
    (root / "usr").mkdir()
    (root / "usr/local").symlink_to("../var/usrlocal")
    written = apply(storage((file("/usr/local/bin/tool", "x"), file("/etc/mine", "y"))), root)
    assert {"/var/usrlocal/bin/tool", "/etc/mine"} <= set(written)
    (root / "var").rename(tmp_path / "var")
    drop(written, root, tmp_path / "var")
    assert not (root / "etc/mine").exists()
    assert not (tmp_path / "var/usrlocal/bin/tool").exists()
