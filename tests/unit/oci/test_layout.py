import io
import tarfile
import time
from pathlib import Path

import pytest

from hypershift.oci import (
    ImageNotFound,
    InvalidImage,
    Layout,
    Platform,
    Settings,
    Tree,
    assemble,
    extract_image,
    file,
    image_index,
    write_archive,
    write_layer,
)
from hypershift.oci.image import Image
from hypershift.oci.spec import INDEX, describe, encode


def an_image(layout: Layout, content: str = "x") -> Image:
    layer = layout.put_layer(Tree().add("file", file(content)))
    image = assemble([layer], Settings(("/file",), environment={"B": "2", "A": "1"}), "amd64")
    layout.put_image(image)
    return image


def test_two_builds_of_equal_inputs_have_equal_digests(tmp_path: Path) -> None:
    one, two = an_image(Layout(tmp_path / "1")), an_image(Layout(tmp_path / "2"))
    assert one == two


def test_an_image_is_found_by_its_name_and_unpacked(tmp_path: Path) -> None:
    layout = Layout(tmp_path / "layout")
    image = an_image(layout)
    layout.name({"example/x:1": image.descriptor})
    found = layout.find("example/x:1")
    assert found.digest == image.descriptor.digest
    extract_image(layout, layout.manifest(found.digest), tmp_path / "root")
    assert (tmp_path / "root/file").read_text() == "x"


def test_a_name_moves_and_others_stay(tmp_path: Path) -> None:
    layout = Layout(tmp_path)
    first, second = an_image(layout), an_image(layout, "y")
    layout.name({"a": first.descriptor, "b": first.descriptor})
    layout.name({"a": second.descriptor})
    assert layout.find("a").digest == second.descriptor.digest
    assert layout.find("b").digest == first.descriptor.digest


def test_the_same_files_are_not_read_twice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    layout = Layout(tmp_path)
    first = layout.put_layer(Tree().add("a", file("x")))
    monkeypatch.setattr("hypershift.oci.layout.write_layer", None)
    assert layout.put_layer(Tree().add("a", file("x"))) == first


def test_a_layer_whose_content_was_lost_is_made_again(tmp_path: Path) -> None:
    layout = Layout(tmp_path)
    first = layout.put_layer(Tree().add("a", file("x")))
    layout.blob(first.digest).unlink()
    assert layout.put_layer(Tree().add("a", file("x"))) == first
    assert layout.has(first.digest, first.size)


def test_corrupt_content_is_noticed_when_read(tmp_path: Path) -> None:
    layout = Layout(tmp_path)
    digest = layout.put(b"content")
    layout.blob(digest).write_bytes(b"rotten!")
    with pytest.raises(InvalidImage, match="corrupt"):
        layout.read(digest)


@pytest.mark.parametrize("digest", ["sha256:../../etc", "md5:abc", "latest"])
def test_a_digest_is_never_a_path(tmp_path: Path, digest: str) -> None:
    with pytest.raises(InvalidImage):
        Layout(tmp_path).blob(digest)


def test_what_is_missing_is_named(tmp_path: Path) -> None:
    with pytest.raises(ImageNotFound, match="example/none"):
        Layout(tmp_path).find("example/none")


def test_an_archive_holds_what_other_tools_import(tmp_path: Path) -> None:
    layout = Layout(tmp_path / "layout")
    image = an_image(layout)
    layout.name({"example/x:1": image.descriptor, "example/other:1": image.descriptor})
    write_archive(layout, ["example/x:1"], tmp_path / "x.tar")
    with tarfile.open(tmp_path / "x.tar") as archive:
        found = set(archive.getnames())
        index = archive.extractfile("index.json")
        assert index is not None
        assert b'"io.containerd.image.name":"example/x:1"' in index.read()
    assert {"oci-layout", f"blobs/{image.descriptor.digest.replace(':', '/')}"} <= found


def test_an_index_names_one_image_for_each_platform() -> None:
    one = describe("m", b"one", Platform(architecture="amd64"))
    two = describe("m", b"two", Platform(architecture="arm64"))
    index = encode(image_index((two, one)))
    assert index == encode(image_index((one, two)))
    assert INDEX.encode() in index
    assert index.index(b"amd64") < index.index(b"arm64")


def test_a_layer_written_to_memory_equals_the_stored_one(tmp_path: Path) -> None:
    tree = Tree().add("a", file("x"))
    written = write_layer(tree, io.BytesIO())
    assert Layout(tmp_path).put_layer(tree) == written


def test_pruning_removes_what_no_named_image_needs_once_it_is_old(tmp_path: Path) -> None:
    layout = Layout(tmp_path)
    old, new = an_image(layout), an_image(layout, "y")
    layout.name({"a": new.descriptor})
    layout.prune(before=0)
    assert layout.has(old.descriptor.digest, old.descriptor.size)
    layout.prune(before=time.time() + 1)
    assert not layout.has(old.descriptor.digest, old.descriptor.size)
    assert all(layout.blob(digest).exists() for digest in layout.digests(new.descriptor))
    assert an_image(layout) == old
