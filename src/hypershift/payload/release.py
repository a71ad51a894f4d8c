"""The release image: the list of a payload's images by digest, and its metadata."""

import json
from collections.abc import Mapping

from hypershift.oci import Reference, Settings, Tree, file
from hypershift.payload.images import Recipe
from hypershift.release import STREAM_ARCHITECTURES

REGISTRY = "registry.hypershift.local"
NAMESPACE = "kubernetes"
REPOSITORY = f"{REGISTRY}/{NAMESPACE}"
RELEASE = "release"
PRODUCT = "kubernetes"
VERSIONS_ANNOTATION = "io.openshift.build.versions"
#: Where a release image keeps its documents, as OpenShift's do.
REFERENCES_FILE = "release-manifests/image-references"
METADATA_FILE = "release-manifests/release-metadata"
BOOT_IMAGES_FILE = "release-manifests/0000_50_installer_coreos-bootimages.yaml"


def image_reference(name: str, version: str, repository: str = REPOSITORY) -> Reference:
    """The reference of a payload's image by its tag."""
    host, _, path = repository.partition("/")
    return Reference(host, f"{path}/{name}" if path else name, version)


def release_reference(version: str, repository: str = REPOSITORY) -> str:
    """The reference of a release image, as `spec.release.image` names it."""
    return str(image_reference(RELEASE, version, repository))


def release_image(
    version: str,
    previous: tuple[str, ...],
    architecture: str,
    images: Mapping[str, str],
    boot_images: Mapping[str, str] | None = None,
) -> Recipe:
    """The release image of a version; `images` are references by digest."""
    documents = {
        REFERENCES_FILE: _references(version, images),
        METADATA_FILE: _metadata(version, previous, architecture),
    }
    if boot_images:
        documents[BOOT_IMAGES_FILE] = _boot_images(architecture, boot_images)
    tree = Tree()
    for path, document in documents.items():
        tree.add(path, file(json.dumps(document, indent=2) + "\n"))
    labels = {"io.openshift.release": version, "io.hypershift.release.product": PRODUCT}
    return Recipe((tree,), Settings(labels=labels))


def _references(version: str, images: Mapping[str, str]) -> dict[str, object]:
    tags = [
        {
            "name": name,
            "annotations": {VERSIONS_ANNOTATION: f"kubernetes={version}"},
            "from": {"kind": "DockerImage", "name": reference},
        }
        for name, reference in sorted(images.items())
    ]
    return {
        "kind": "ImageStream",
        "apiVersion": "image.openshift.io/v1",
        "metadata": {"name": version},
        "spec": {"lookupPolicy": {"local": False}, "tags": tags},
    }


def _boot_images(architecture: str, images: Mapping[str, str]) -> dict[str, object]:
    """What machines boot in clouds, in the form of a CoreOS stream: AMIs by region."""
    regions = {region: {"image": image} for region, image in sorted(images.items())}
    name = STREAM_ARCHITECTURES.get(architecture, architecture)
    stream = {"architectures": {name: {"images": {"aws": {"regions": regions}}}}}
    return {
        "kind": "ConfigMap",
        "apiVersion": "v1",
        "metadata": {"name": "coreos-bootimages"},
        "data": {"stream": json.dumps(stream)},
    }


def _metadata(version: str, previous: tuple[str, ...], architecture: str) -> dict[str, object]:
    return {
        "kind": "cincinnati-metadata-v0",
        "version": version,
        "previous": list(previous),
        "metadata": {
            "product": PRODUCT,
            "kubernetes": version,
            "architecture": architecture,
        },
    }
