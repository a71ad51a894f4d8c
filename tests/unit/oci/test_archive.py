import io
import json
import tarfile
from pathlib import Path
from typing import Any

import pytest

from hypershift.oci import (
    Archived,
    InvalidImage,
    Layout,
    Settings,
    Tree,
    assemble,
    digest_of,
    file,
    read_archive,
    write_archive,
)
from hypershift.oci.spec import INDEX, REFERENCE_NAME


def an_archive(target: Path, members: dict[str, Any], mode: str = "w") -> Path:
    with tarfile.open(target, mode) as out:  # type: ignore[call-overload]
        for name, content in members.items():
            raw = content if isinstance(content, bytes) else json.dumps(content).encode()
            member = tarfile.TarInfo(name)
            member.size = len(raw)
            out.addfile(member, io.BytesIO(raw))
    return target


def test_what_we_write_can_be_read(tmp_path: Path) -> None:
    layout = Layout(tmp_path / "layout")
    tree = Tree()
    tree.add("app", file(b"#!/bin/sh\n"))
    image = assemble([layout.put_layer(tree)], Settings(), "arm64")
    layout.put_image(image)
    layout.name({"quay.io/me/app:1": image.descriptor})
    write_archive(layout, ["quay.io/me/app:1"], tmp_path / "app.tar")
    expected = Archived("quay.io/me/app:1", frozenset({"arm64"}))
    assert read_archive(tmp_path / "app.tar") == (expected,)


@pytest.mark.parametrize("mode", ["w", "w:gz"])
def test_docker_s_own_kind_has_full_names(tmp_path: Path, mode: str) -> None:
    members = {
        "layer.tar": b"\0" * 100,
        "config.json": {"architecture": "amd64"},
        "manifest.json": [{"Config": "config.json", "RepoTags": ["app:2"], "Layers": []}],
    }
    archive = an_archive(tmp_path / "a", members, mode)
    assert read_archive(archive) == (Archived("docker.io/library/app:2", frozenset({"amd64"})),)


def test_an_index_counts_the_platforms_whose_content_is_there(tmp_path: Path) -> None:
    config = json.dumps({"architecture": "amd64"}).encode()
    manifest = json.dumps({"config": {"digest": digest_of(config)}}).encode()
    others = {"digest": f"sha256:{'0' * 64}", "platform": {"architecture": "arm64"}}
    index = json.dumps({"manifests": [{"digest": digest_of(manifest)}, others]}).encode()
    entry = {
        "digest": digest_of(index),
        "mediaType": INDEX,
        "annotations": {REFERENCE_NAME: "quay.io/me/app:1"},
    }
    blobs = {f"blobs/{digest_of(raw).replace(':', '/')}": raw for raw in (config, manifest, index)}
    archive = an_archive(tmp_path / "a", {**blobs, "index.json": {"manifests": [entry]}})
    assert read_archive(archive)[0].architectures == {"amd64"}


@pytest.mark.parametrize(
    ("members", "complaint"),
    [
        ({"readme": b"hello"}, "neither index.json nor manifest.json"),
        ({"index.json": {"manifests": []}}, "no image with a name"),
        ({"manifest.json": [{"Config": "gone", "RepoTags": ["a:1"]}]}, "broken"),
        ({"index.json": {}}, "broken"),
    ],
)
def test_what_is_no_image_is_named(tmp_path: Path, members: dict[str, Any], complaint: str) -> None:
    with pytest.raises(InvalidImage, match=complaint):
        read_archive(an_archive(tmp_path / "a", members))


def test_an_image_with_a_bare_tag_has_no_name(tmp_path: Path) -> None:
    entry = {"digest": "sha256:1", "annotations": {REFERENCE_NAME: "latest"}}
    archive = an_archive(tmp_path / "a", {"index.json": {"manifests": [entry]}})
    with pytest.raises(InvalidImage, match="docker save"):
        read_archive(archive)


def test_any_other_file_is_no_archive(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("text")
    with pytest.raises(InvalidImage, match="not an image archive"):
        read_archive(tmp_path / "a")
