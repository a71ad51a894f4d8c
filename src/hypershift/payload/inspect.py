"""Reads a release image: its version, its product and the images that it lists."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import msgspec

from hypershift import oci
from hypershift.payload.release import METADATA_FILE, REFERENCES_FILE


@dataclass(frozen=True, slots=True)
class Inspection:
    """A release image, read."""

    digest: str
    metadata: Mapping[str, Any]
    images: Mapping[str, str]

    def as_json(self) -> dict[str, Any]:
        return {"digest": self.digest, "metadata": self.metadata, "images": self.images}


async def inspect(
    reference: oci.Reference,
    mirrors: Mapping[str, str] | None = None,
    secret: oci.PullSecret | None = None,
) -> Inspection:
    """Read a release image out of its registry; OpenShift's can be read as well as ours."""
    wanted = {REFERENCES_FILE, METADATA_FILE}
    async with oci.Registry(mirrors, secret, oci.Trust(loopback=True)) as registry:
        image = await registry.locate(reference)
        files = await oci.read_files(registry, reference, wanted.__contains__)
    return read(image.descriptor.digest, files)


def read(digest: str, files: Mapping[str, bytes]) -> Inspection:
    """Understand the documents of a release image."""
    try:
        stream = msgspec.json.decode(files[REFERENCES_FILE])
        metadata = msgspec.json.decode(files[METADATA_FILE])
        images = {tag["name"]: tag["from"]["name"] for tag in stream["spec"]["tags"]}
    except (KeyError, TypeError, RecursionError, msgspec.DecodeError) as error:
        raise oci.InvalidImage(f"{digest} is not a release image") from error
    return Inspection(digest, metadata, images)
