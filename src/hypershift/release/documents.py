"""The documents inside a release image, and the release that they describe."""

from collections.abc import Iterable, Mapping
from typing import Annotated, TypeVar

import msgspec

from hypershift.kit import TerminalError
from hypershift.kit.budget import BadDocument
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

#: Images of a payload, and versions that may be upgraded to it; real ones have some hundreds.
MOST_IMAGES, MOST_VERSIONS = 5000, 10_000
#: Real boot images take a hundredth of this.
BOOT_IMAGES_BYTES = 4 << 20
LONGEST_NAME = 40
Document = TypeVar("Document")


class InvalidRelease(TerminalError):
    """An image that is no release."""


class _Source(msgspec.Struct, frozen=True):
    """Where an image of the payload is."""

    name: str


class _Tag(msgspec.Struct, frozen=True):
    """One image of the payload."""

    name: str
    source: _Source = msgspec.field(name="from")
    annotations: dict[str, str] | None = None


class _Tags(msgspec.Struct, frozen=True):
    """The images of the payload."""

    tags: Annotated[list[_Tag], msgspec.Meta(max_length=MOST_IMAGES)] | None = None


class _Name(msgspec.Struct, frozen=True):
    """The name of the payload, which is its version."""

    name: str = ""


class _References(msgspec.Struct, frozen=True):
    """What we read of `image-references`; everything else in it is skipped."""

    metadata: _Name | None = None
    spec: _Tags | None = None


class _Details(msgspec.Struct, frozen=True):
    """The product, as the metadata names it."""

    product: str | None = None


class _Metadata(msgspec.Struct, frozen=True):
    """What we read of `release-metadata`; everything else in it is skipped."""

    version: str | None = None
    previous: Annotated[list[str], msgspec.Meta(max_length=MOST_VERSIONS)] | None = None
    metadata: _Details | None = None


class _Configuration(msgspec.Struct, frozen=True):
    """What we read of the image's configuration."""

    architecture: str | None = None


def read_release(image: str, documents: Mapping[str, bytes]) -> Release:
    """Read a release out of its documents; `image` is the reference that users gave."""
    if missing := sorted(DOCUMENTS - documents.keys()):
        raise InvalidRelease(f"{image} is no release image: it has no {', '.join(missing)}")
    references = _document(image, IMAGE_REFERENCES, documents, _References)
    metadata = _document(image, METADATA, documents, _Metadata)
    tags = (references.spec and references.spec.tags) or []
    product = (metadata.metadata and metadata.metadata.product) or Product.OPENSHIFT
    return Release(
        version=metadata.version or (references.metadata or _Name()).name,
        product=_product(image, product),
        images={tag.name: tag.source.name for tag in tags},
        image=image,
        previous=tuple(metadata.previous or ()),
        components=_components(tags),
        architecture=_architecture(image, documents),
        boot_images=_boot_images(image, documents),
    )


def _architecture(image: str, documents: Mapping[str, bytes]) -> str:
    if CONFIGURATION not in documents:
        return ""
    return _document(image, CONFIGURATION, documents, _Configuration).architecture or ""


def _boot_images(image: str, documents: Mapping[str, bytes]) -> BootImages:
    content = documents.get(BOOT_IMAGES)
    if content is None:
        return BootImages()
    if len(content) > BOOT_IMAGES_BYTES:
        raise InvalidRelease(f"{image} has boot images of over {BOOT_IMAGES_BYTES} bytes")
    try:
        return read_boot_images(content)
    except (BadDocument, AttributeError, TypeError, ValueError, RecursionError) as error:
        raise InvalidRelease(f"{image} has boot images that cannot be read") from error


def _document(
    image: str, name: str, documents: Mapping[str, bytes], kind: type[Document]
) -> Document:
    """A document in the shape that we read; the error shows nothing of its content."""
    try:
        return msgspec.json.decode(documents[name], type=kind)
    except msgspec.ValidationError as error:
        raise InvalidRelease(f"{image} is no release image: {name} has another shape") from error
    except (msgspec.DecodeError, RecursionError, UnicodeError) as error:
        raise InvalidRelease(f"{image} is no release image: {name} is not JSON") from error


def _product(image: str, name: str) -> Product:
    try:
        return Product(name)
    except ValueError as error:
        shown = name[:LONGEST_NAME]
        raise InvalidRelease(f"{image} is a release of {shown!r}, which we do not host") from error


def _components(tags: Iterable[_Tag]) -> dict[str, str]:
    """The versions of the programs inside, from the images' annotations: `kubernetes=1.30.1`."""
    found: dict[str, str] = {}
    for tag in tags:
        text = (tag.annotations or {}).get(VERSIONS_ANNOTATION, "")
        for pair in text.split(","):
            name, equals, version = pair.partition("=")
            if equals:
                found.setdefault(name.strip(), version.strip())
    return found
