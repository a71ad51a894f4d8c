"""The release image of the test payload: its images, manifests and metadata."""

import json
from collections.abc import Container, Iterator, Mapping
from pathlib import Path

from hypershift.oci import Entry, Settings, Tree, file
from hypershift.payload.base import NONROOT
from hypershift.payload.images import ENVIRONMENT, Recipe
from hypershift.payload.openshift.archive import members
from hypershift.payload.openshift.images import IMAGES, Image, older, with_shell
from hypershift.payload.release import (
    METADATA_FILE,
    REFERENCES_FILE,
    REGISTRY,
    VERSIONS_ANNOTATION,
)

REPOSITORY = f"{REGISTRY}/openshift"
#: The line of most of its programs; the rest of the version marks it as no real release.
VERSION = "4.22.0-src"
OPERATOR = "cluster-version-operator"
#: Flags of our manifests that the newest version operator of the registries does not know yet.
NEWER_FLAGS = ("--tls-min-version", "--tls-cipher-suites")
#: The commit or version that an image's programs were built from.
SOURCE_ANNOTATION = "io.hypershift.payload.sources"
#: What an image is in place of the release's own.
INSTEAD_ANNOTATION = "io.hypershift.payload.instead"
#: Images of a release that no registry of modules has, and what goes without them.
MISSING: Mapping[str, str] = {
    "oauth-server": "login by OpenShift's own OAuth server: tokens by hand, or external OIDC",
    "cluster-storage-operator": "volume drivers of clouds",
    "cluster-csi-snapshot-controller-operator": "volume snapshots",
    "cluster-image-registry-operator": "image registry",
    "cluster-network-operator": "OVN-Kubernetes: use networkType Other",
    "coredns": "DNS of pods",
    "cluster-ingress-operator": "ingress",
    "cluster-node-tuning-operator": "node tuning",
    "operator-lifecycle-manager": "operators from catalogs",
    "machine-config-operator": "nodes of CoreOS",
    "cluster-machine-approver": "certificates of nodes",
    "haproxy-router": "router and ignition proxy",
}

_API, _OPERATOR_FILES = "openshift-api-manifests.tar", f"{OPERATOR}-manifests.tar"
_CONSTRAINTS, _DNS = "openshift-constraints.tar", "dns-operator-manifests.tar"
#: Where the release's manifests come from.
ARCHIVES = (_API, _OPERATOR_FILES, _CONSTRAINTS, _DNS)
_DEFINITIONS = "config/v1/zz_generated.crd-manifests"
#: Kinds of operators that the payload lacks: what is inside a cluster is written in them.
_OPERATORS = (
    "operator/v1/zz_generated.crd-manifests",
    "imageregistry/v1/zz_generated.crd-manifests",
)
#: Archives and their folders, and the image that would bring each.
_FOLDERS = (
    (_API, "payload-manifests/crds", "cluster-config-api"),
    (_API, "payload-manifests/featuregates", "cluster-config-api"),
    (_API, "payload-command/empty-resources", "cluster-config-api"),
    *((_API, folder, "cluster-config-api") for folder in _OPERATORS),
    (_CONSTRAINTS, "bindata/bootkube/scc-manifests", "cluster-kube-apiserver-operator"),
    (_DNS, "manifests", "cluster-dns-operator"),
)
#: What the API of monitoring would take: its operator is not in the payload.
_MONITORING = b"monitoring.coreos.com/v1"
#: What a feature gate brings: the newest version operator of the registries knows sets alone.
_GATED = b"release.openshift.io/feature-gate:"
_LEFT_OUT = (_MONITORING, _GATED)
#: The operator's own resources, which its image brings.
_OWN = "0000_00_cluster-version-operator_"


def release_image(
    base: Tree, shell: Mapping[str, Entry], parts: Mapping[str, Path], images: Mapping[str, str]
) -> Recipe:
    """The release image; the version operator is in it, as in OpenShift's."""
    tree = Tree().add_all(older(OPERATOR, parts[OPERATOR], NEWER_FLAGS))
    found = manifests(parts, images)
    tree.add_all({path: file(content) for path, content in found.items()})
    documents = {REFERENCES_FILE: references(images), METADATA_FILE: metadata()}
    for path, document in documents.items():
        tree.add(path, file(json.dumps(document, indent=2) + "\n"))
    labels = {"io.openshift.release": VERSION}
    settings = Settings((f"/usr/bin/{OPERATOR}",), (), ENVIRONMENT, NONROOT, labels=labels)
    return Recipe((with_shell(base, shell), tree), settings)


def manifests(parts: Mapping[str, Path], images: Container[str]) -> dict[str, bytes]:
    """What the version operator applies: its own manifests, and those of every image.

    An operator whose program was not built brings nothing: it would be waited for.
    """
    return dict(_manifests(parts, images))


def _manifests(parts: Mapping[str, Path], images: Container[str]) -> Iterator[tuple[str, bytes]]:
    known = {one.name for one in IMAGES}
    for name, content in members(parts[_OPERATOR_FILES], "install"):
        yield f"manifests/{name}", content
    for name, content in members(parts[_API], _DEFINITIONS):
        if name.startswith(_OWN):
            yield f"manifests/{name}", content
    for archive, folder, image in _FOLDERS:
        if image in known and image not in images:
            continue
        for name, content in members(parts[archive], folder):
            if name.endswith(".yaml") and not any(each in content for each in _LEFT_OUT):
                yield f"release-manifests/{_ordered(name, image)}", content


def _ordered(name: str, image: str) -> str:
    """A name with its place in the order; a file without one comes in the middle."""
    return name if name[:4].isdigit() else f"0000_50_{image}_{name}"


def references(images: Mapping[str, str]) -> dict[str, object]:
    """The list of images, each with what it was made of."""
    known = {one.name: one for one in IMAGES}
    tags = [
        {
            "name": name,
            "annotations": _annotations(known.get(name)),
            "from": {"kind": "DockerImage", "name": reference},
        }
        for name, reference in sorted(images.items())
    ]
    return {
        "kind": "ImageStream",
        "apiVersion": "image.openshift.io/v1",
        "metadata": {"name": VERSION},
        "spec": {"lookupPolicy": {"local": False}, "tags": tags},
    }


def _annotations(image: Image | None) -> dict[str, str]:
    if image is None:
        return {}
    sources = ",".join(f"{part}={version}" for part, version in sorted(image.sources.items()))
    versions = ",".join(f"{name}={version}" for name, version in image.versions.items())
    found = {
        SOURCE_ANNOTATION: sources,
        VERSIONS_ANNOTATION: versions,
        INSTEAD_ANNOTATION: image.instead,
    }
    return {name: text for name, text in found.items() if text}


def metadata() -> dict[str, object]:
    """The metadata of the release: nothing may be upgraded to it."""
    notice = "a payload for tests, of programs of different releases: no release of OpenShift"
    return {
        "kind": "cincinnati-metadata-v0",
        "version": VERSION,
        "previous": [],
        "metadata": {"description": notice},
    }
