"""The documents inside a release image, and the release that they describe."""

import json
from collections.abc import Mapping
from typing import Any

import yaml

from hypershift.kit import TerminalError
from hypershift.release.boot_images import BootImages, read_boot_images
from hypershift.release.product import Product
from hypershift.release.release import Release

IMAGE_REFERENCES = "release-manifests/image-references"
METADATA = "release-manifests/release-metadata"
DOCUMENTS = frozenset({IMAGE_REFERENCES, METADATA})
BOOT_IMAGES = "release-manifests/0000_50_installer_coreos-bootimages.yaml"
#: The image's own configuration, kept beside the documents inside.
CONFIGURATION = "configuration"
#: What only some products have; it lies in the layer of the others.
OPTIONAL_DOCUMENTS = frozenset({BOOT_IMAGES})

VERSIONS_ANNOTATION = "io.openshift.build.versions"


class InvalidRelease(TerminalError):
    """An image that is no release."""


def read_release(image: str, documents: Mapping[str, bytes]) -> Release:
    """Read a release out of its documents; `image` is the reference that users gave."""
    if missing := sorted(DOCUMENTS - documents.keys()):
        raise InvalidRelease(f"{image} is no release image: it has no {', '.join(missing)}")
    references, metadata = (
        _document(image, name, documents) for name in (IMAGE_REFERENCES, METADATA)
    )
    details = metadata.get("metadata") or {}
    tags = (references.get("spec") or {}).get("tags") or []
    return Release(
        version=str(metadata.get("version") or references.get("metadata", {}).get("name", "")),
        product=_product(image, str(details.get("product") or Product.OPENSHIFT)),
        images={tag["name"]: tag["from"]["name"] for tag in tags},
        image=image,
        previous=tuple(metadata.get("previous") or ()),
        components=_components(tags),
        architecture=_architecture(image, documents),
        boot_images=_boot_images(image, documents),
    )


def _architecture(image: str, documents: Mapping[str, bytes]) -> str:
    if CONFIGURATION not in documents:
        return ""
    return str(_document(image, CONFIGURATION, documents).get("architecture") or "")


def _boot_images(image: str, documents: Mapping[str, bytes]) -> BootImages:
    if BOOT_IMAGES not in documents:
        return BootImages()
    try:
        return read_boot_images(documents[BOOT_IMAGES])
    except (yaml.YAMLError, AttributeError) as error:
        raise InvalidRelease(f"{image} has boot images that cannot be read: {error}") from error


def _document(image: str, name: str, documents: Mapping[str, bytes]) -> dict[str, Any]:
    try:
        document = json.loads(documents[name])
    except ValueError as error:
        raise InvalidRelease(f"{image} is no release image: {name} is not JSON") from error
    if not isinstance(document, dict):
        raise InvalidRelease(f"{image} is no release image: {name} is not an object")
    return document


def _product(image: str, name: str) -> Product:
    try:
        return Product(name)
    except ValueError as error:
        raise InvalidRelease(f"{image} is a release of {name!r}, which we do not host") from error


def _components(tags: list[dict[str, Any]]) -> dict[str, str]:
    """The versions of what is inside, as the images' annotations tell: `kubernetes=1.30.1`."""
    found: dict[str, str] = {}
    for tag in tags:
        text = (tag.get("annotations") or {}).get(VERSIONS_ANNOTATION, "")
        for pair in text.split(","):
            name, equals, version = pair.partition("=")
            if equals:
                found.setdefault(name.strip(), version.strip())
    return found
