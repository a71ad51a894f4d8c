import io
import os
import tarfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hypershift.oci import Entry, InvalidImage, Tree, directory, file, link, write_layer
from hypershift.oci.spec import digest_of

names = st.from_regex(r"[a-z]{1,3}(/[a-z]{1,3}){0,2}", fullmatch=True)
entries = st.one_of(
    st.builds(file, st.binary(max_size=2000), st.sampled_from((0o644, 0o755))),
    st.builds(link, st.sampled_from(("a", "../b", "/c"))),
    st.just(directory(0o1777)),
)


def written(tree: Tree) -> bytes:
    out = io.BytesIO()
    write_layer(tree, out)
    return out.getvalue()


@given(st.dictionaries(names, entries, max_size=6), st.randoms())
def test_the_order_of_adding_does_not_show(content: dict[str, Entry], random: object) -> None:
    items = list(content.items())
    shuffled = list(items)
    random.shuffle(shuffled)  # type: ignore[attr-defined]  # hypothesis' random
    # a parent that is added on the way is an ordinary directory: what is given wins, in any order
    one, other = Tree(), Tree()
    for path, entry in sorted(items):
        one.add(path, entry)
    for path, entry in sorted(shuffled):
        other.add(path, entry)
    assert written(one) == written(other)


@given(st.dictionaries(names, st.binary(max_size=2000), max_size=6))
def test_a_layer_is_an_archive_that_others_read(content: dict[str, bytes]) -> None:
    plain = {path: raw for path, raw in content.items() if not inner(path, content)}
    tree = Tree().add_all({path: file(raw) for path, raw in plain.items()})
    with tarfile.open(fileobj=io.BytesIO(written(tree))) as archive:
        found = {
            member.name: archive.extractfile(member).read()  # type: ignore[union-attr]  # files
            for member in archive
            if member.isfile()
        }
        assert all(member.mtime == 0 for member in archive.getmembers())
    assert found == plain


def inner(path: str, content: dict[str, bytes]) -> bool:
    return any(other.startswith(f"{path}/") for other in content)


def test_digest_and_size_are_those_of_the_bytes() -> None:
    out = io.BytesIO()
    result = write_layer(Tree().add("a", file("x")), out)
    assert (result.digest, result.size) == (digest_of(out.getvalue()), len(out.getvalue()))


def test_owners_times_and_odd_modes_of_the_source_do_not_show(tmp_path: Path) -> None:
    for name, mode in (("one", 0o700), ("two", 0o775)):
        (tmp_path / name).mkdir()
        (tmp_path / name / "tool").write_text("x")
        (tmp_path / name / "tool").chmod(mode)
        (tmp_path / name / "link").symlink_to("tool")
    os.utime(tmp_path / "one" / "tool", (1, 1))
    one = Tree().add_copy("bin", tmp_path / "one")
    two = Tree().add_copy("bin", tmp_path / "two")
    assert written(one) == written(two)
    assert one.fingerprint() != two.fingerprint()  # other files: read again, to the same bytes


def test_parents_appear_by_themselves_and_come_first() -> None:
    tree = Tree().add("/usr/bin/tool", file("x", 0o755))
    assert [path for path, _ in tree] == ["usr", "usr/bin", "usr/bin/tool"]


def test_skipped_names_stay_out(tmp_path: Path) -> None:
    (tmp_path / "__pycache__").mkdir()
    (tmp_path / "__pycache__" / "a.pyc").write_text("x")
    (tmp_path / "a.py").write_text("x")
    tree = Tree().add_copy("lib", tmp_path, skip=("__pycache__",))
    assert [path for path, _ in tree] == ["lib", "lib/a.py"]


def test_a_long_path_survives() -> None:
    path = "/".join(["directory-with-a-long-name"] * 8)
    with tarfile.open(fileobj=io.BytesIO(written(Tree().add(path, file("x"))))) as archive:
        assert path in archive.getnames()


def test_a_file_that_grows_meanwhile_is_noticed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = tmp_path / "log"
    source.write_text("grown")
    monkeypatch.setattr("hypershift.oci.layer._size", lambda _content: 3)
    with pytest.raises(InvalidImage, match="changed while it was read"):
        written(Tree().add("log", file(source)))


def test_the_fingerprint_follows_content_mode_and_target() -> None:
    trees = [
        Tree().add("a", file("x")),
        Tree().add("a", file("y")),
        Tree().add("a", file("x", 0o755)),
        Tree().add("a", link("x")),
        Tree().add("a", link("y")),
        Tree().add("a", file("x", uid=1)),
    ]
    assert len({tree.fingerprint() for tree in trees}) == len(trees)
