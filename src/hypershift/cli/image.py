"""`hypershift image`: our own image, made of the running environment."""

import json
import sys
from pathlib import Path

from hypershift import oci, payload
from hypershift.cli.command import Command
from hypershift.cli.flags import STRING_MAP, Flag, Values
from hypershift.cli.payload import PULL_SECRET, destination, pull_secret
from hypershift.payload.sbom import bill_of_materials

TAG = Flag("tag", "The tag of the image (default: this program's version)")
LABEL = Flag("label", "Label of the image: name=value; without a value it has none", STRING_MAP)
ARCHIVE = Flag("archive", "Also write the image as an OCI archive to this file", short="f")


async def build(values: Values) -> None:
    reference, image, layout = await payload.build_own(tag=values["tag"], labels=values["label"])
    if values["archive"]:
        oci.write_archive(layout, [str(reference)], Path(values["archive"]))
    sys.stdout.write(f"{reference}@{image.digest}\n")


async def push(values: Values) -> None:
    repository, url = destination(values.arguments)
    reference, image, layout = await payload.build_own(
        repository, tag=values["tag"], labels=values["label"]
    )
    mirrors = {reference.host: url}
    secret = pull_secret(values["pull-secret"])
    async with oci.Registry(mirrors, secret, oci.Trust(loopback=True)) as registry:
        await oci.push_image(registry, layout, image, reference)
    sys.stdout.write(f"{reference}@{image.digest}\n")


async def sbom(values: Values) -> None:
    reference, image, layout = await payload.build_own(tag=values["tag"], labels=values["label"])
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
            run=sbom,
            flags=(TAG, LABEL),
        ),
        Command("build", "Make the image in the cache", run=build, flags=(ARCHIVE, TAG, LABEL)),
        Command(
            "push",
            "Make the image and push it to a registry",
            arguments="REGISTRY",
            run=push,
            flags=(PULL_SECRET, TAG, LABEL),
        ),
    ),
)
