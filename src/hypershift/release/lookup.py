"""Finding releases: ask the registry once, remember by digest on disk, answer from memory."""

import asyncio
import json
import tarfile
import tempfile
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TypeVar
from weakref import WeakValueDictionary

from hypershift.kit import Clock, SystemClock
from hypershift.oci import (
    Credential,
    InvalidImage,
    Manifest,
    PullSecret,
    Reference,
    Registry,
    RegistryUnavailable,
    parse,
)
from hypershift.release.documents import CONFIGURATION, DOCUMENTS, OPTIONAL_DOCUMENTS, read_release
from hypershift.release.release import Release, override

#: How long a tag is believed to mean what it meant; digests mean the same for ever.
TAG_LIFETIME = 300.0
#: Answers that are kept in memory, the ones asked for last.
MOST_KNOWN = 500
#: The architectures of machines; a list of images for several of them serves them all.
ARCHITECTURES = frozenset({"amd64", "arm64", "ppc64le", "s390x"})
MULTI = "multi"

#: An image and who asks for it: what one tenant may read, another may not.
Question = tuple[str, Credential | None]
Answer = TypeVar("Answer")


@dataclass(slots=True)
class Releases:
    """Looks up releases for a process.

    `mirrors` maps a registry to the address that serves it, `overrides` the start of a reference to
    the start that replaces it before it is asked for.
    """

    cache: Path
    mirrors: Mapping[str, str] = field(default_factory=dict)
    overrides: Mapping[str, str] = field(default_factory=dict)
    architecture: str = "amd64"
    clock: Clock = field(default_factory=SystemClock)
    _known: dict[Question, tuple[float, Release]] = field(default_factory=dict)
    _labels: dict[Question, tuple[float, dict[str, str]]] = field(default_factory=dict)
    _locks: WeakValueDictionary[Question, asyncio.Lock] = field(default_factory=WeakValueDictionary)

    async def find(self, image: str, secret: PullSecret | None = None) -> Release:
        """The release that an image reference names, as far as the pull secret may see it."""
        return await self._answer(self._known, self._ask, image, secret)

    async def labels(self, image: str, secret: PullSecret | None = None) -> dict[str, str]:
        """The labels of any image, as its configuration has them."""
        return await self._answer(self._labels, self._ask_labels, image, secret)

    async def _answer(
        self,
        known: dict[Question, tuple[float, Answer]],
        ask: Callable[[str, Reference, PullSecret | None], Awaitable[Answer]],
        image: str,
        secret: PullSecret | None,
    ) -> Answer:
        """What is known and still true, else what the registry says; asked once at a time.

        A registry that is away does not take back what it said: clusters run on.
        """
        reference = parse(override(image, self.overrides))
        credential = secret.find(reference.host, reference.repository) if secret else None
        question = (image, credential)
        async with self._locks.setdefault(question, asyncio.Lock()):
            found = known.pop(question, None)
            if found is None or not self._fresh(image, found[0]):
                try:
                    answer = await ask(image, reference, secret)
                except RegistryUnavailable:
                    if found is None:
                        raise
                    answer = found[1]
                found = self.clock.monotonic(), answer
            known[question] = found
        if len(known) > MOST_KNOWN:
            known.pop(next(iter(known)))
        return found[1]

    def _fresh(self, image: str, since: float) -> bool:
        return "@" in image or self.clock.monotonic() - since < TAG_LIFETIME

    async def _ask(self, image: str, reference: Reference, secret: PullSecret | None) -> Release:
        async with Registry(self.mirrors, secret) as registry:
            located = await registry.locate(reference, self.architecture)
            place = self.cache / f"{located.descriptor.digest.replace(':', '-')}.json"
            documents = await asyncio.to_thread(_remembered, place)
            if documents is None:
                documents = await _documents(registry, reference, located.manifest)
                await asyncio.to_thread(_remember, place, documents)
        release = read_release(image, documents)
        many = len(located.architectures & ARCHITECTURES) > 1
        return replace(
            release,
            resolved=str(reference.pinned(located.digest)),
            architecture=MULTI if many else release.architecture,
        )

    async def _ask_labels(
        self, _image: str, reference: Reference, secret: PullSecret | None
    ) -> dict[str, str]:
        async with Registry(self.mirrors, secret) as registry:
            located = await registry.locate(reference, self.architecture)
            config = await registry.config(reference, located.manifest)
        return dict((config.get("config") or {}).get("Labels") or {})


async def _documents(
    registry: Registry, reference: Reference, manifest: Manifest
) -> dict[str, bytes]:
    """The release's documents; they lie in the upper layers, so the large base is not fetched."""
    found = {CONFIGURATION: await registry.blob(reference, manifest.config)}
    with tempfile.TemporaryDirectory() as scratch:
        place = Path(scratch) / "layer"
        for layer in reversed(manifest.layers):
            await registry.save(reference, layer, place)
            for name, content in (await asyncio.to_thread(_collect, place)).items():
                found.setdefault(name, content)
            if found.keys() >= DOCUMENTS:
                break
    return found


def _collect(layer: Path) -> dict[str, bytes]:
    try:
        with tarfile.open(layer, "r:*") as archive:
            members = ((member.name.removeprefix("./").lstrip("/"), member) for member in archive)
            return {
                name: content.read()
                for name, member in members
                if name in DOCUMENTS | OPTIONAL_DOCUMENTS
                and (content := archive.extractfile(member))
            }
    except tarfile.TarError as error:
        raise InvalidImage(f"a layer is no tar archive: {error}") from error


def _remembered(place: Path) -> dict[str, bytes] | None:
    try:
        found: dict[str, str] = json.loads(place.read_text())
    except (OSError, ValueError):
        return None
    return {name: text.encode() for name, text in found.items()}


def _remember(place: Path, documents: Mapping[str, bytes]) -> None:
    """Write the whole file or nothing: other processes read it."""
    place.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile("w", dir=place.parent, delete=False) as out:
        json.dump({name: content.decode() for name, content in documents.items()}, out)
    Path(out.name).replace(place)
