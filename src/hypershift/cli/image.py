"""`hypershift image`: our own image, made of the running environment."""

import json
import sys
from dataclasses import dataclass
from pathlib import Path

from hypershift import oci, payload
from hypershift.cli.command import Command
from hypershift.cli.flags import STRING_MAP, Flag
from hypershift.cli.payload import PULL_SECRET, destination, pull_secret
from hypershift.cli.typed import Typed
from hypershift.payload.sbom import bill_of_materials

TAG = Flag("tag", "The tag of the image (default: this program's version)")
LABEL = Flag("label", "Label of the image: name=value; without a value it has none", STRING_MAP)
ARCHIVE = Flag("archive", "Also write the image as an OCI archive to this file", short="f")


@dataclass(frozen=True, slots=True)
class Image:
    """What is given for every image of this program."""

    label: dict[str, str]
    tag: str


@dataclass(frozen=True, slots=True)
class Archive(Image):
    """What `image build` is given."""

    archive: str


@dataclass(frozen=True, slots=True)
class Push(Image):
    """What `image push` is given."""

    pull_secret: str
    words: tuple[str, ...]


async def build(options: Archive) -> None:
    reference, image, layout = await payload.build_own(tag=options.tag, labels=options.label)
    if options.archive:
        oci.write_archive(layout, [str(reference)], Path(options.archive))
    sys.stdout.write(f"{reference}@{image.digest}\n")


async def push(options: Push) -> None:
    repository, url = destination(options.words)
    reference, image, layout = await payload.build_own(
        repository, tag=options.tag, labels=options.label
    )
    mirrors = {reference.host: url}
    secret = pull_secret(options.pull_secret)
    async with oci.Registry(mirrors, secret, oci.Trust(loopback=True)) as registry:
        await oci.push_image(registry, layout, image, reference)
    sys.stdout.write(f"{reference}@{image.digest}\n")


async def sbom(options: Image) -> None:
    reference, image, layout = await payload.build_own(tag=options.tag, labels=options.label)
    document = bill_of_materials(reference, image, layout)
    sys.stdout.write(json.dumps(document, indent=2) + "\n")


COMMAND = Command(
    "image",
    "This program as a container image",
    description="The image holds the interpreter, the packages and the libraries that run now.",
    commands=(
        Command(
            "sbom",
            "Print the image's bill of materials: CycloneDX in JSON",
            run=Typed(Image, sbom),
            flags=(TAG, LABEL),
        ),
        Command(
            "build",
            "Make the image in the cache",
            run=Typed(Archive, build),
            flags=(ARCHIVE, TAG, LABEL),
        ),
        Command(
            "push",
            "Make the image and push it to a registry",
            arguments="REGISTRY",
            run=Typed(Push, push),
            flags=(PULL_SECRET, TAG, LABEL),
        ),
    ),
)
