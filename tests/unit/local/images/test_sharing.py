from pathlib import Path

from hypershift.local.images import sharing


def a_registry(root: Path) -> Path:
    for name, text in {
        "blobs/sha256/aa/data": "content",
        "repositories/x/_manifests/tags/1/current/link": "sha256:aa",
        "repositories/x/_uploads/1/data": "half",
    }.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return root


def test_content_is_shared_and_tags_are_not(tmp_path: Path) -> None:
    source, target = a_registry(tmp_path / "source"), tmp_path / "target"
    sharing.share_registry(source, target)
    blob, tag = "blobs/sha256/aa/data", "repositories/x/_manifests/tags/1/current/link"
    assert (target / blob).samefile(source / blob)
    assert (target / tag).read_text() == "sha256:aa"
    assert not (target / tag).samefile(source / tag)
    assert not (target / "repositories/x/_uploads").exists()


def test_a_registry_that_is_there_stays(tmp_path: Path) -> None:
    source, target = a_registry(tmp_path / "source"), tmp_path / "target"
    (target / "own").mkdir(parents=True)
    sharing.share_registry(source, target)
    assert [path.name for path in target.iterdir()] == ["own"]
    assert not (tmp_path / "target.new").exists()


def test_a_tree_keeps_its_links_and_modes(tmp_path: Path) -> None:
    source, target = tmp_path / "source", tmp_path / "deep" / "target"
    (source / "usr").mkdir(parents=True)
    (source / "usr" / "tool").write_text("x")
    (source / "usr" / "tool").chmod(0o755)
    (source / "bin").symlink_to("usr")
    sharing.plant_tree(source, target)
    assert (target / "bin").readlink() == Path("usr")
    assert (target / "usr" / "tool").samefile(source / "usr" / "tool")


def test_a_file_takes_the_place_of_another(tmp_path: Path) -> None:
    old, new = tmp_path / "old", tmp_path / "new"
    old.write_text("old")
    new.write_text("new")
    sharing.plant_file(new, old)
    assert old.read_text() == "new"


def test_only_wanted_content_comes_along(tmp_path: Path) -> None:
    source, target = tmp_path / "source", tmp_path / "target"
    kept, old = "a" * 64, "b" * 64
    for digest in (kept, old):
        place = source / "blobs" / "sha256" / digest[:2] / digest
        place.mkdir(parents=True)
        (place / "data").write_text(digest)
    sharing.share_registry(source, target, {kept})
    assert {path.parent.name for path in target.rglob("data")} == {kept}
