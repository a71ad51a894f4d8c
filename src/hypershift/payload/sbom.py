"""The bill of materials of our own image, as CycloneDX 1.6 in JSON.

It is read from the image itself: each Python package, the interpreter, and each other file with
its checksum. The document is small and fixed, so that it is written here; a library for it would
bring more packages into the image than the image has now.
"""

import hashlib
import importlib.metadata
import platform
import re
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from hypershift import oci
from hypershift.payload.own import LIBRARY, NAME, PACKAGES, required

SPECIFICATION = "http://cyclonedx.org/schema/bom-1.6.schema.json"
#: A long licence is a text, and its package carries it.
LONGEST_LICENCE = 100

Component = dict[str, Any]


def bill_of_materials(
    reference: oci.Reference, image: oci.Descriptor, layout: oci.Layout
) -> dict[str, Any]:
    """What an image of ours consists of; equal images have equal documents."""
    subject = _subject(reference, image)
    parts = [*_packages(), _interpreter(), *_files(image, layout)]
    return {
        "$schema": SPECIFICATION,
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "serialNumber": f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, image.digest)}",
        "version": 1,
        "metadata": {"component": subject},
        "components": parts,
        "dependencies": [
            {"ref": subject["bom-ref"], "dependsOn": sorted(each["bom-ref"] for each in parts)}
        ],
    }


def _subject(reference: oci.Reference, image: oci.Descriptor) -> Component:
    name = reference.repository.rpartition("/")[2]
    purl = f"pkg:oci/{name}@{image.digest.replace(':', '%3A')}?repository_url={reference.name}"
    return {
        "type": "container",
        "bom-ref": purl,
        "name": reference.name,
        "version": image.digest,
        "purl": purl,
        "hashes": [{"alg": "SHA-256", "content": image.digest.partition(":")[2]}],
    }


def _packages() -> Iterator[Component]:
    """Our own package and those under it, by their names in the Python package index."""
    for found in (importlib.metadata.distribution(NAME), *required(NAME)):
        name = re.sub(r"[-_.]+", "-", found.metadata["Name"]).lower()
        purl = f"pkg:pypi/{name}@{found.version}"
        yield {
            "type": "library",
            "bom-ref": purl,
            "name": name,
            "version": found.version,
            "purl": purl,
            **_licence(found.metadata),
        }


def _licence(metadata: importlib.metadata.PackageMetadata) -> Component:
    said = {key: metadata[key] for key in ("License-Expression", "License") if key in metadata}
    if expression := said.get("License-Expression"):
        return {"licenses": [{"expression": expression}]}
    name = said.get("License", "")
    short = name and len(name) <= LONGEST_LICENCE and "\n" not in name
    return {"licenses": [{"license": {"name": name}}]} if short else {}


def _interpreter() -> Component:
    version = platform.python_version()
    purl = f"pkg:generic/python@{version}"
    return {"type": "platform", "bom-ref": purl, "name": "python", "version": version, "purl": purl}


def _files(image: oci.Descriptor, layout: oci.Layout) -> Iterator[Component]:
    """Files of no Python package and not of the standard library: programs, libraries, data."""
    found: dict[str, str] = {}
    for layer in layout.manifest(image.digest).layers:
        with layout.blob(layer.digest).open("rb") as raw:
            found |= _checksums(raw)
    for path, checksum in sorted(found.items()):
        yield {
            "type": "file",
            "bom-ref": f"file:/{path}",
            "name": f"/{path}",
            "hashes": [{"alg": "SHA-256", "content": checksum}],
        }


def _checksums(raw: Any) -> dict[str, str]:
    members = oci.Members(raw, oci.Allowance(oci.RELEASE))
    found = {}
    for member in members:
        inside = Path(member.name).is_relative_to
        if member.isfile() and not (inside(PACKAGES) or inside(LIBRARY)):
            digest = hashlib.sha256()
            for chunk in members.content(member):
                digest.update(chunk)
            found[member.name] = digest.hexdigest()
    return found
