"""Finding releases: ask the registry once, remember by digest on disk, answer from memory."""

import asyncio
import json
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TypeVar
from weakref import WeakValueDictionary

from hypershift.kit import Clock, SystemClock
from hypershift.oci import (
    RELEASE,
    Allowance,
    Credential,
    InvalidImage,
    Manifest,
    Members,
    PullSecret,
    Reference,
    Registry,
    RegistryUnavailable,
    Trust,
    hosts_of,
    parse,
)
from hypershift.release.documents import (
    CONFIGURATION,
    DOCUMENTS,
    OPTIONAL_DOCUMENTS,
    InvalidRelease,
    read_release,
)
from hypershift.release.release import Release, override

#: How long a tag is believed to mean what it meant; digests mean the same for ever.
TAG_LIFETIME = 300.0
#: How long one lookup may take in all, even while a registry keeps sending.
LOOKUP_SECONDS = 120.0
#: What the layers of a release may have as they are served, as far as they are read.
MOST_FETCHED = 1 << 30
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
    the start that replaces it before the request. `trust` decides which registries users may name.
    """

    cache: Path
    mirrors: Mapping[str, str] = field(default_factory=dict)
    overrides: Mapping[str, str] = field(default_factory=dict)
    architecture: str = "amd64"
    clock: Clock = field(default_factory=SystemClock)
    trust: Trust = field(default_factory=Trust)
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
        """The cached release while it is valid, else the registry's answer; one request at a time.

        While a registry cannot be reached, the cached answer stays valid: clusters keep running.
        """
        self.trust.check(parse(image))
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
        async with self._registry(image, secret) as registry:
            located = await registry.locate(reference, self.architecture)
            place = self.cache / f"{located.descriptor.digest.replace(':', '-')}.json"
            documents = await asyncio.to_thread(_remembered, place)
            if documents is None:
                documents = await _documents(registry, reference, located.manifest)
                await asyncio.to_thread(_remember, image, place, documents)
        release = await asyncio.to_thread(read_release, image, documents)
        many = len(located.architectures & ARCHITECTURES) > 1
        return replace(
            release,
            resolved=str(reference.pinned(located.digest)),
            architecture=MULTI if many else release.architecture,
        )

    async def _ask_labels(
        self, image: str, reference: Reference, secret: PullSecret | None
    ) -> dict[str, str]:
        async with self._registry(image, secret) as registry:
            located = await registry.locate(reference, self.architecture)
            return (await registry.config(reference, located.manifest)).labels

    @asynccontextmanager
    async def _registry(self, image: str, secret: PullSecret | None) -> AsyncIterator[Registry]:
        """A registry to ask within the time of one lookup."""
        trust = self.trust.unrestricted(hosts_of(self.overrides.values()))
        try:
            async with (
                asyncio.timeout(LOOKUP_SECONDS),
                Registry(self.mirrors, secret, trust) as registry,
            ):
                yield registry
        except TimeoutError as error:
            message = f"{image} could not be read within {LOOKUP_SECONDS:.0f} s"
            raise RegistryUnavailable(message) from error


async def _documents(
    registry: Registry, reference: Reference, manifest: Manifest
) -> dict[str, bytes]:
    """The release's documents; they lie in the upper layers, so the large base is not fetched."""
    found = {CONFIGURATION: await registry.blob(reference, manifest.config)}
    allowance, left = Allowance(RELEASE), MOST_FETCHED
    with tempfile.TemporaryDirectory() as scratch:
        place = Path(scratch) / "layer"
        for layer in reversed(manifest.layers):
            left -= layer.size
            if left < 0:
                raise InvalidImage(
                    f"{reference} is too large for a release: over {MOST_FETCHED} bytes"
                )
            await registry.save(reference, layer, place)
            for name, content in (await asyncio.to_thread(_collect, place, allowance)).items():
                found.setdefault(name, content)
            if found.keys() >= DOCUMENTS:
                break
    return found


def _collect(layer: Path, allowance: Allowance) -> dict[str, bytes]:
    found = {}
    with layer.open("rb") as raw:
        members = Members(raw, allowance)
        for member in members:
            name = member.name.removeprefix("./").lstrip("/")
            if name in DOCUMENTS | OPTIONAL_DOCUMENTS and member.isfile():
                found[name] = members.document(member)
    return found


def _remembered(place: Path) -> dict[str, bytes] | None:
    try:
        found: dict[str, str] = json.loads(place.read_text())
    except (OSError, ValueError):
        return None
    return {name: text.encode() for name, text in found.items()}


def _remember(image: str, place: Path, documents: Mapping[str, bytes]) -> None:
    """Write the whole file or nothing: other processes read it."""
    try:
        texts = {name: content.decode() for name, content in documents.items()}
    except UnicodeDecodeError as error:
        raise InvalidRelease(f"{image} is no release image: its documents are not text") from error
    place.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile("w", dir=place.parent, delete=False) as out:
        json.dump(texts, out)
    Path(out.name).replace(place)
