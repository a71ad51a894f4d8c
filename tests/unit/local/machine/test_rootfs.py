from pathlib import Path

from hypershift import oci
from hypershift.local.machine.rootfs import place_of, prune, tree_from_layout


def a_layout(tmp_path: Path, name: str, text: str) -> oci.Layout:
    layout = oci.Layout(tmp_path / "layout")
    tree = oci.Tree().add("etc/version", oci.file(text))
    settings = oci.Settings(command=("/init",), environment={}, labels={})
    image = oci.assemble([layout.put_layer(tree)], settings, "amd64")
    layout.put_image(image)
    layout.name({name: image.descriptor})
    return layout


def test_an_image_is_extracted_once_by_its_digest(tmp_path: Path) -> None:
    layout = a_layout(tmp_path, "os:1", "1")
    tree = tree_from_layout(layout, layout.find("os:1").digest, tmp_path / "trees")
    assert (tree / "etc/version").read_text() == "1"
    (tree / "mark").touch()
    assert (
        tree_from_layout(layout, layout.find("os:1").digest, tmp_path / "trees") / "mark"
    ).exists()
    assert ":" not in str(tree)


def test_trees_that_nobody_boots_from_are_removed(tmp_path: Path) -> None:
    layout = a_layout(tmp_path, "os:1", "1")
    old = tree_from_layout(layout, layout.find("os:1").digest, tmp_path / "trees")
    a_layout(tmp_path, "os:2", "2")
    new = tree_from_layout(layout, layout.find("os:2").digest, tmp_path / "trees")
    assert prune(tmp_path / "trees", [new]) == (old,)
    assert new.is_dir()
    assert prune(tmp_path / "missing", []) == ()


def test_a_digest_names_its_place(tmp_path: Path) -> None:
    digest = "ab" * 32
    assert place_of(tmp_path, f"sha256:{digest}") == tmp_path / f"sha256-{digest}"
