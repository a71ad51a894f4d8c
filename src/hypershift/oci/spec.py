"""The documents of the OCI image specification, and Docker's older names for the same things."""

import hashlib
from typing import Annotated, Any, TypeVar

import msgspec

from hypershift.oci.errors import InvalidImage
from hypershift.oci.limits import LAYER_BYTES, MOST_IMAGES, MOST_LAYERS

INDEX = "application/vnd.oci.image.index.v1+json"
MANIFEST = "application/vnd.oci.image.manifest.v1+json"
CONFIG = "application/vnd.oci.image.config.v1+json"
LAYER = "application/vnd.oci.image.layer.v1.tar"
DOCKER_LIST = "application/vnd.docker.distribution.manifest.list.v2+json"
DOCKER_MANIFEST = "application/vnd.docker.distribution.manifest.v2+json"

INDEXES = (INDEX, DOCKER_LIST)
MANIFESTS = (MANIFEST, DOCKER_MANIFEST)

#: The annotation that names an image inside a layout.
REFERENCE_NAME = "org.opencontainers.image.ref.name"
#: The same, under the name that containerd's import reads in full.
CONTAINERD_NAME = "io.containerd.image.name"


Document = TypeVar("Document")
#: A digest becomes part of addresses and of paths, so that it is checked where it is read.
Digest = Annotated[str, msgspec.Meta(pattern=r"^sha256:[0-9a-f]{64}\Z")]
Size = Annotated[int, msgspec.Meta(ge=0, le=LAYER_BYTES)]


class Platform(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, rename="camel"):
    """What an image runs on."""

    architecture: str
    os: str = "linux"
    variant: str = ""


class Descriptor(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, rename="camel"):
    """A reference to content by its digest."""

    media_type: str
    digest: Digest
    size: Size
    platform: Platform | None = None
    annotations: dict[str, str] = {}


class Manifest(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, rename="camel"):
    """One image: a configuration and the layers under it."""

    schema_version: int
    media_type: str = ""
    config: Descriptor
    layers: Annotated[tuple[Descriptor, ...], msgspec.Meta(max_length=MOST_LAYERS)]
    annotations: dict[str, str] = {}


class Index(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, rename="camel"):
    """Several images under one name, one for each platform; or the images of a layout."""

    schema_version: int
    media_type: str = ""
    manifests: Annotated[tuple[Descriptor, ...], msgspec.Meta(max_length=MOST_IMAGES)]
    annotations: dict[str, str] = {}


class Configuration(msgspec.Struct, frozen=True, kw_only=True):
    """What we read of an image's configuration; everything else in it is skipped."""

    architecture: str = ""
    config: "ContainerConfiguration | None" = None

    @property
    def labels(self) -> dict[str, str]:
        """The labels of the image."""
        return dict(self.config.labels or {}) if self.config else {}


class ContainerConfiguration(msgspec.Struct, frozen=True, kw_only=True):
    """How a container of the image starts, as far as we read it."""

    labels: dict[str, str] | None = msgspec.field(name="Labels", default=None)


def decode(content: bytes, kind: type[Document], what: str) -> Document:
    """Read a document of another party; the error shows nothing of its content."""
    try:
        return msgspec.json.decode(content, type=kind)
    except (msgspec.DecodeError, RecursionError, UnicodeError) as error:
        raise InvalidImage(f"{what} does not have the shape that OCI defines") from error


def encode(document: Any) -> bytes:
    """A document as bytes that depend on nothing but its content."""
    return msgspec.json.encode(document, order="deterministic")


def digest_of(content: bytes) -> str:
    """The digest of content that is in memory."""
    return f"sha256:{hashlib.sha256(content).hexdigest()}"


def describe(media_type: str, content: bytes, platform: Platform | None = None) -> Descriptor:
    """The descriptor of content that is in memory."""
    return Descriptor(
        media_type=media_type, digest=digest_of(content), size=len(content), platform=platform
    )


def image_index(manifests: tuple[Descriptor, ...]) -> Index:
    """One name for the images of several platforms."""
    ordered = sorted(manifests, key=lambda each: (str(each.platform), each.digest))
    return Index(schema_version=2, media_type=INDEX, manifests=tuple(ordered))
