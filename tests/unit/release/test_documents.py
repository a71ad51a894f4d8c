"""Release images tell what they are by two documents."""

import json

import pytest

from hypershift.release import InvalidRelease, Product, read_release

REFERENCES = {
    "kind": "ImageStream",
    "metadata": {"name": "1.35.8"},
    "spec": {
        "tags": [
            {
                "name": "etcd",
                "annotations": {"io.openshift.build.versions": "kubernetes=1.35.8,etcd=3.6.16"},
                "from": {"kind": "DockerImage", "name": "r.io/k/etcd@sha256:1"},
            }
        ]
    },
}
METADATA = {
    "kind": "cincinnati-metadata-v0",
    "version": "1.35.8",
    "previous": ["1.34.4"],
    "metadata": {"product": "kubernetes", "architecture": "amd64"},
}


def documents(references: object = REFERENCES, metadata: object = METADATA) -> dict[str, bytes]:
    return {
        "release-manifests/image-references": json.dumps(references).encode(),
        "release-manifests/release-metadata": json.dumps(metadata).encode(),
    }


def test_a_payload_says_version_product_and_images() -> None:
    release = read_release("r.io/release:1.35.8", documents())
    assert (release.version, release.product) == ("1.35.8", Product.KUBERNETES)
    assert release.images == {"etcd": "r.io/k/etcd@sha256:1"}
    assert release.components == {"kubernetes": "1.35.8", "etcd": "3.6.16"}
    assert release.previous == ("1.34.4",)
    assert release.architecture == ""


def test_the_image_says_what_it_was_built_for() -> None:
    found = documents() | {"configuration": b'{"architecture": "arm64"}'}
    assert read_release("r.io/release:1.35.8", found).architecture == "arm64"


def test_a_payload_that_names_no_product_is_openshift() -> None:
    metadata = {"kind": "cincinnati-metadata-v0", "version": "4.18.0"}
    assert read_release("x", documents(metadata=metadata)).product is Product.OPENSHIFT


@pytest.mark.parametrize(
    "broken",
    [
        {},
        {"release-manifests/image-references": b"{}"},
        documents(metadata=[1]),
        documents() | {"release-manifests/release-metadata": b"no"},
        documents(metadata={"version": "1", "metadata": {"product": "plan9"}}),
    ],
)
def test_what_is_no_release_is_refused_by_name(broken: dict[str, bytes]) -> None:
    with pytest.raises(InvalidRelease, match=r"r\.io/thing"):
        read_release("r.io/thing", broken)
