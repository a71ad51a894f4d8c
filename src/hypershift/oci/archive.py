"""What an image archive holds, be it OCI's kind or that of `docker save`: names and platforms."""

import contextlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hypershift.oci.errors import InvalidImage
from hypershift.oci.limits import IMAGE, MANIFEST_BYTES
from hypershift.oci.members import Allowance, Members
from hypershift.oci.reference import parse
from hypershift.oci.spec import CONTAINERD_NAME, INDEXES, REFERENCE_NAME

OCI_INDEX = "index.json"
DOCKER_INDEX = "manifest.json"
#: Documents are small; anything larger is no document, and more of them no archive.
LIMIT = MANIFEST_BYTES
MOST_DOCUMENTS = 32 << 20


@dataclass(frozen=True, slots=True)
class Archived:
    """An image in an archive: its full name, and the architectures that it is there for."""

    name: str
    architectures: frozenset[str]


def read_archive(archive: Path) -> tuple[Archived, ...]:
    """The images of an archive, or an error that says why there are none to use."""
    try:
        with archive.open("rb") as raw:
            found = tuple(_images(_documents(Members(raw, Allowance(IMAGE)))))
    except OSError as error:
        raise InvalidImage(f"{archive} is not an image archive: {error.strerror}") from error
    except InvalidImage as error:
        raise InvalidImage(f"{archive} is not an image archive: {error}") from error
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise InvalidImage(f"{archive} is a broken image archive: {error}") from error
    if not found:
        raise InvalidImage(
            f"{archive} has no image with a name; `docker save NAME:TAG` writes one that has"
        )
    return found


def _documents(content: Members) -> dict[str, Any]:
    """Every small member that is JSON: manifests stand in no certain order."""
    found, left = {}, MOST_DOCUMENTS
    for member in content:
        if member.isfile() and member.size <= LIMIT:
            raw = content.document(member)
            if raw.lstrip()[:1] in (b"{", b"["):
                left -= len(raw)
                if left < 0:
                    raise InvalidImage(f"its documents are larger than {MOST_DOCUMENTS} bytes")
                with contextlib.suppress(ValueError):  # a small layer can begin like this too
                    found[member.name.removeprefix("./")] = json.loads(raw)
    return found


def _images(documents: Mapping[str, Any]) -> Iterator[Archived]:
    if OCI_INDEX not in documents and DOCKER_INDEX not in documents:
        raise ValueError(f"neither {OCI_INDEX} nor {DOCKER_INDEX} is in it")
    if OCI_INDEX in documents:
        found = list(_of_oci(documents))
        if found or DOCKER_INDEX not in documents:
            yield from found
            return
    yield from _of_docker(documents)


def _of_oci(documents: Mapping[str, Any]) -> Iterator[Archived]:
    for entry in documents[OCI_INDEX]["manifests"]:
        notes = entry.get("annotations") or {}
        name = notes.get(CONTAINERD_NAME) or notes.get(REFERENCE_NAME, "")
        # Some tools write the tag alone, which names nothing.
        if "/" in name or ":" in name:
            yield Archived(str(parse(name)), frozenset(_platforms(entry, documents, set())))


def _platforms(
    entry: Mapping[str, Any], documents: Mapping[str, Any], seen: set[str]
) -> Iterator[str]:
    """Architectures below an entry; each document is visited once, however often it is named."""
    if entry["digest"] in seen:
        return
    seen.add(entry["digest"])
    document = documents[_blob(entry["digest"])]
    if entry.get("mediaType") in INDEXES or "manifests" in document:
        present = (each for each in document["manifests"] if _blob(each["digest"]) in documents)
        for each in present:
            yield from _platforms(each, documents, seen)
    else:
        yield documents[_blob(document["config"]["digest"])].get("architecture", "")


def _blob(digest: str) -> str:
    return f"blobs/{digest.replace(':', '/')}"


def _of_docker(documents: Mapping[str, Any]) -> Iterator[Archived]:
    for entry in documents[DOCKER_INDEX]:
        architecture = documents[entry["Config"]].get("architecture", "")
        for name in entry.get("RepoTags") or ():
            yield Archived(str(parse(name)), frozenset({architecture}))
