"""Budgets for content of registries and archives, which is data of another party."""

from dataclasses import dataclass

MIB, GIB = 1 << 20, 1 << 30

#: A manifest or an index, as a registry serves it; registries refuse larger ones too.
MANIFEST_BYTES = 4 * MIB
#: The configuration of an image.
CONFIG_BYTES = 8 * MIB
#: One document that is read out of an image or an archive.
DOCUMENT_BYTES = 16 * MIB
#: The answer of a token service.
TOKEN_BYTES = 64 << 10
#: One layer as a registry keeps it.
LAYER_BYTES = 16 * GIB
#: Layers of one image, and images of one index.
MOST_LAYERS = 512
MOST_IMAGES = 1024
#: Everything that describes one name of an archive: header, long names, extended attributes.
HEADER_BYTES = 1 * MIB


@dataclass(frozen=True, slots=True)
class Budget:
    """How much the layers of one image may unpack to."""

    #: Bytes of all layers as archives, after decompression.
    unpacked: int
    #: Names in all layers together.
    entries: int


#: A machine's operating system.
IMAGE = Budget(64 * GIB, 2_000_000)
#: A release image: a base image, and documents above it.
RELEASE = Budget(2 * GIB, 200_000)
