import json

import pytest

from hypershift import oci, payload
from hypershift.parts import KUBERNETES_VERSIONS
from hypershift.payload.assembly import previous_versions
from hypershift.payload.inspect import read
from hypershift.payload.release import (
    BOOT_IMAGES_FILE,
    METADATA_FILE,
    REFERENCES_FILE,
    release_image,
)
from hypershift.release.documents import read_release

IMAGES = {"etcd": f"registry.example/etcd@sha256:{'a' * 64}", "pause": "registry.example/pause:1"}


def documents() -> dict[str, bytes]:
    recipe = release_image("1.35.8", ("1.34.10",), "amd64", IMAGES)
    (tree,) = recipe.layers
    return {path: entry.content for path, entry in tree if isinstance(entry.content, bytes)}


def test_the_list_of_images_is_an_image_stream() -> None:
    stream = json.loads(documents()[REFERENCES_FILE])
    assert (stream["kind"], stream["apiVersion"]) == ("ImageStream", "image.openshift.io/v1")
    tags = {tag["name"]: tag["from"] for tag in stream["spec"]["tags"]}
    assert tags["etcd"] == {"kind": "DockerImage", "name": IMAGES["etcd"]}


def test_the_metadata_tells_product_version_and_where_it_comes_from() -> None:
    metadata = json.loads(documents()[METADATA_FILE])
    assert metadata["kind"] == "cincinnati-metadata-v0"
    assert (metadata["version"], metadata["previous"]) == ("1.35.8", ["1.34.10"])
    assert metadata["metadata"]["product"] == "kubernetes"
    assert metadata["metadata"]["architecture"] == "amd64"


def test_what_is_written_is_read_back() -> None:
    found = read("sha256:x", documents())
    assert found.images == IMAGES
    assert found.metadata["version"] == "1.35.8"


def test_a_release_names_what_machines_boot_in_each_region() -> None:
    recipe = release_image("1.35.8", (), "amd64", IMAGES, {"us-east-1": "ami-1"})
    (tree,) = recipe.layers
    files = {path: entry.content for path, entry in tree if isinstance(entry.content, bytes)}
    images = read_release("example/release:1", files).boot_images.named("")
    found = images["architectures"]["x86_64"]["images"]["aws"]["regions"]
    assert found == {"us-east-1": {"image": "ami-1"}}
    assert BOOT_IMAGES_FILE not in documents()


@pytest.mark.parametrize("files", [{}, {REFERENCES_FILE: b"{}", METADATA_FILE: b"{}"}])
def test_an_image_that_is_no_release_is_refused(files: dict[str, bytes]) -> None:
    with pytest.raises(oci.InvalidImage, match="not a release image"):
        read("sha256:x", files)


def test_a_release_has_one_reference() -> None:
    reference = payload.release_reference("1.35.8")
    assert reference == "registry.hypershift.local/kubernetes/release:1.35.8"
    assert payload.release_reference("1.0.0", "quay.io/me") == "quay.io/me/release:1.0.0"


def test_an_upgrade_never_skips_a_minor() -> None:
    for version in KUBERNETES_VERSIONS:
        minor = int(version.split(".")[1])
        sources = {int(each.split(".")[1]) for each in previous_versions(version)}
        assert sources <= {minor, minor - 1}
