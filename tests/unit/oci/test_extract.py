import io
import tarfile
from pathlib import Path

import pytest

from hypershift.oci import InvalidImage, Tree, directory, extract, file, link, write_layer


def layer(tree: Tree) -> io.BytesIO:
    out = io.BytesIO()
    write_layer(tree, out)
    out.seek(0)
    return out


def raw(*members: tarfile.TarInfo) -> io.BytesIO:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w:gz") as archive:
        for member in members:
            archive.addfile(member, io.BytesIO(b"x" * member.size) if member.size else None)
    out.seek(0)
    return out


def member(
    name: str, kind: bytes = tarfile.REGTYPE, target: str = "", size: int = 0
) -> tarfile.TarInfo:
    info = tarfile.TarInfo(name)
    info.type, info.linkname, info.size = kind, target, size
    return info


def names(root: Path) -> set[str]:
    return {str(each.relative_to(root)) for each in root.rglob("*")}


def test_files_links_and_modes_come_out_as_they_went_in(tmp_path: Path) -> None:
    tree = Tree().add("bin/tool", file("#!", 0o755)).add("sh", link("bin/tool"))
    extract([layer(tree.add("tmp", directory(0o1777)))], tmp_path)
    assert (tmp_path / "bin/tool").read_text() == "#!"
    assert (tmp_path / "bin/tool").stat().st_mode & 0o7777 == 0o755
    assert (tmp_path / "tmp").stat().st_mode & 0o7777 == 0o1777
    assert (tmp_path / "sh").readlink() == Path("bin/tool")
    assert (tmp_path / "bin").stat().st_mtime == 0


def test_upper_layers_replace_and_whiteouts_remove(tmp_path: Path) -> None:
    lower = Tree().add("a", file("old")).add("gone/x", file("x")).add("keep", file("k"))
    upper = Tree().add("a", file("new")).add(".wh.gone", file(""))
    extract([layer(lower), layer(upper)], tmp_path)
    assert (tmp_path / "a").read_text() == "new"
    assert names(tmp_path) == {"a", "keep"}


def test_an_opaque_directory_keeps_only_what_its_layer_brings(tmp_path: Path) -> None:
    lower = Tree().add("d/old", file("x")).add("d/sub/old", file("x"))
    upper = raw(
        member("d", tarfile.DIRTYPE),
        member("d/new", size=1),
        member("d/deep/new", size=1),
        member("d/.wh..wh..opq"),
    )
    extract([layer(lower), upper], tmp_path)
    assert names(tmp_path) == {"d", "d/new", "d/deep", "d/deep/new"}


def test_a_directory_may_become_a_file_and_a_file_a_directory(tmp_path: Path) -> None:
    lower = Tree().add("a/x", file("x")).add("b", file("b"))
    upper = Tree().add("a", file("now a file")).add("b/y", file("y"))
    extract([layer(lower), layer(upper)], tmp_path)
    assert (tmp_path / "a").read_text() == "now a file"
    assert (tmp_path / "b/y").read_text() == "y"


def test_hard_links_stay_inside(tmp_path: Path) -> None:
    extract([raw(member("a", size=3), member("b", tarfile.LNKTYPE, "a"))], tmp_path)
    assert (tmp_path / "b").read_text() == "xxx"


@pytest.mark.parametrize(
    "members",
    [
        (member("../evil", size=1),),
        (member("a/../../evil", size=1),),
    ],
)
def test_names_that_climb_are_refused(tmp_path: Path, members: tuple[tarfile.TarInfo, ...]) -> None:
    root = tmp_path / "root"
    with pytest.raises(InvalidImage):
        extract([raw(*members)], root)
    assert not (tmp_path / "evil").exists()


@pytest.mark.parametrize("target", ["..", "../..", "/", "/etc", "../outside"])
def test_a_link_never_leads_outside(tmp_path: Path, target: str) -> None:
    root, outside = tmp_path / "root", tmp_path / "outside"
    outside.mkdir()
    extract([raw(member("exit", tarfile.SYMTYPE, target), member("exit/evil", size=1))], root)
    assert names(outside) == set()
    assert {each.name for each in tmp_path.iterdir()} == {"root", "outside"}
    assert not Path("/etc/evil").exists()
    assert not Path("/evil").exists()


def test_a_whiteout_through_a_link_stays_inside(tmp_path: Path) -> None:
    root, outside = tmp_path / "root", tmp_path / "outside"
    outside.mkdir()
    (outside / "file").write_text("precious")
    extract([raw(member("x", tarfile.SYMTYPE, str(outside)), member("x/.wh.file"))], root)
    assert (outside / "file").read_text() == "precious"


def test_a_hard_link_to_a_file_outside_is_not_made(tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("precious")
    with pytest.raises(InvalidImage):
        extract([raw(member("a", tarfile.LNKTYPE, "../secret"))], tmp_path / "root")


def test_endless_links_end(tmp_path: Path) -> None:
    loop = (member("a", tarfile.SYMTYPE, "b"), member("b", tarfile.SYMTYPE, "a"))
    with pytest.raises(InvalidImage, match="too many links"):
        extract([raw(*loop, member("a/x", size=1))], tmp_path)


def test_garbage_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidImage, match="no tar archive"):
        extract([io.BytesIO(b"garbage" * 200)], tmp_path)
