"""Volumes on machines' disks, beside whoever is root inside the machine."""

from pathlib import Path

import pytest

from hypershift.local.controllers.disk import Disks


def disks(var: Path) -> Disks:
    return Disks(lambda node: var if node == "n1" else None)


def test_a_volume_is_open_to_all_and_made_once(tmp_path: Path) -> None:
    assert disks(tmp_path).make("n1", "pvc-1")
    place = tmp_path / "lib/hypershift/volumes/pvc-1"
    assert place.stat().st_mode & 0o777 == 0o777
    (place / "data").write_text("kept")
    assert disks(tmp_path).make("n1", "pvc-1")
    assert (place / "data").read_text() == "kept"


def test_a_node_that_is_not_here_has_no_disk(tmp_path: Path) -> None:
    assert not disks(tmp_path).make("n2", "pvc-1")
    disks(tmp_path).remove("n2", "pvc-1")
    assert list(tmp_path.iterdir()) == []


def test_a_removed_volume_takes_its_content_along(tmp_path: Path) -> None:
    disks(tmp_path).make("n1", "pvc-1")
    volumes = tmp_path / "lib/hypershift/volumes"
    (volumes / "pvc-1/deep").mkdir()
    disks(tmp_path).remove("n1", "pvc-1")
    disks(tmp_path).remove("n1", "pvc-1")
    assert list(volumes.iterdir()) == []


def test_removing_from_a_disk_that_never_had_volumes_is_all_right(tmp_path: Path) -> None:
    disks(tmp_path).remove("n1", "pvc-1")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("link", ["lib", "lib/hypershift", "lib/hypershift/volumes"])
def test_a_link_that_the_machines_root_planted_is_not_followed(tmp_path: Path, link: str) -> None:
    var, outside = tmp_path / "var", tmp_path / "host"
    (outside / "pvc-1").mkdir(parents=True)
    (outside / "volumes/pvc-1").mkdir(parents=True)
    (var / link).parent.mkdir(parents=True)
    (var / link).symlink_to(outside)
    with pytest.raises(OSError, match=r"Not a directory|symbolic links"):
        disks(var).make("n1", "pvc-1")
    disks(var).remove("n1", "pvc-1")
    assert (outside / "pvc-1").is_dir()
    assert (outside / "volumes/pvc-1").is_dir()


def test_a_volume_that_is_a_link_is_neither_opened_nor_emptied(tmp_path: Path) -> None:
    var, outside = tmp_path / "var", tmp_path / "host"
    outside.mkdir(mode=0o700)
    (outside / "kept").touch()
    volumes = var / "lib/hypershift/volumes"
    volumes.mkdir(parents=True)
    (volumes / "pvc-1").symlink_to(outside)
    with pytest.raises(OSError, match=r"Not a directory|symbolic links"):
        disks(var).make("n1", "pvc-1")
    disks(var).remove("n1", "pvc-1")
    assert outside.stat().st_mode & 0o777 == 0o700
    assert (outside / "kept").exists()
