"""A client for registries: pull and push manifests and content, through mirrors if configured."""

import asyncio
import hashlib
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urljoin

from hypershift.kit import temporary_name
from hypershift.oci.errors import ImageNotFound, InvalidImage
from hypershift.oci.limits import CONFIG_BYTES, MANIFEST_BYTES
from hypershift.oci.reference import Reference
from hypershift.oci.spec import (
    INDEXES,
    MANIFESTS,
    Configuration,
    Descriptor,
    Index,
    Manifest,
    decode,
    digest_of,
)
from hypershift.oci.transport import CHUNK, Order, Transport, read_bounded, seconds_for

_ACCEPT = ", ".join((*MANIFESTS, *INDEXES))


@dataclass(frozen=True, slots=True)
class Pulled:
    """A document as a registry gave it, checked against its digest."""

    descriptor: Descriptor
    content: bytes


@dataclass(frozen=True, slots=True)
class Located:
    """The image that a reference means on one architecture."""

    descriptor: Descriptor
    manifest: Manifest
    #: The digest that the reference itself stands for: the image's, or the one of its index.
    digest: str
    #: What that index has images for, as far as it says so.
    architectures: frozenset[str] = frozenset()


class Registry(Transport):
    """Pull and push over a transport; enter it before use."""

    async def pull(self, reference: Reference) -> Pulled:
        """The manifest or index that a reference names."""
        path = f"manifests/{reference.selector}"
        async with self.request("GET", reference, path, headers={"Accept": _ACCEPT}) as response:
            content = await read_bounded(response, MANIFEST_BYTES, f"the manifest of {reference}")
            media_type = response.content_type
        digest = digest_of(content)
        if reference.digest and digest != reference.digest:
            raise InvalidImage(f"{reference} was answered with content of digest {digest}")
        return Pulled(Descriptor(media_type=media_type, digest=digest, size=len(content)), content)

    async def architectures(self, reference: Reference) -> frozenset[str]:
        """What the index of a reference has images for; empty for a single image."""
        pulled = await self.pull(reference)
        if pulled.descriptor.media_type not in INDEXES:
            return frozenset()
        return _architectures(_listed(pulled.content, reference))

    async def locate(self, reference: Reference, architecture: str = "amd64") -> Located:
        """The image that a reference means on an architecture, looked up in its index if any."""
        pulled = await self.pull(reference)
        digest, architectures = pulled.descriptor.digest, frozenset[str]()
        if pulled.descriptor.media_type in INDEXES:
            listed = _listed(pulled.content, reference)
            architectures = _architectures(listed)
            chosen = _choose(listed, architecture, reference)
            pulled = await self.pull(reference.pinned(chosen.digest))
        manifest = decode(pulled.content, Manifest, f"the manifest of {reference}")
        return Located(pulled.descriptor, manifest, digest, architectures)

    async def config(self, reference: Reference, manifest: Manifest) -> Configuration:
        """The configuration of an image."""
        content = await self.blob(reference, manifest.config)
        return decode(content, Configuration, f"the configuration of {reference}")

    async def blob(self, reference: Reference, descriptor: Descriptor) -> bytes:
        """Content that fits in memory, checked."""
        if descriptor.size > CONFIG_BYTES:
            raise InvalidImage(f"a document of {reference} is larger than {CONFIG_BYTES} bytes")
        parts = [chunk async for chunk in self.stream(reference, descriptor)]
        return b"".join(parts)

    async def save(self, reference: Reference, descriptor: Descriptor, target: Path) -> None:
        """Content into a file, checked; the file is there only when it is whole."""
        temporary = target.with_name(temporary_name(target.name))
        try:
            with temporary.open("wb") as out:
                async for chunk in self.stream(reference, descriptor):
                    await asyncio.to_thread(out.write, chunk)
            temporary.replace(target)
        finally:
            temporary.unlink(missing_ok=True)

    async def stream(self, reference: Reference, descriptor: Descriptor) -> AsyncIterator[bytes]:
        """Content piece by piece; the last step raises when the whole was not what it should be."""
        digest, left = hashlib.sha256(), descriptor.size
        path = f"blobs/{descriptor.digest}"
        seconds = seconds_for(descriptor.size)
        async with self.request("GET", reference, path, seconds=seconds) as response:
            async for chunk in response.content.iter_chunked(CHUNK):
                left -= len(chunk)
                if left < 0:
                    raise InvalidImage(
                        f"{reference.name} gave wrong content for {descriptor.digest}: "
                        f"it is longer than {descriptor.size} bytes"
                    )
                digest.update(chunk)
                yield chunk
        if f"sha256:{digest.hexdigest()}" != descriptor.digest:
            raise InvalidImage(f"{reference.name} gave wrong content for {descriptor.digest}")

    async def has_blob(self, reference: Reference, digest: str) -> bool:
        """Whether a repository has content."""
        return await self._exists(reference, f"blobs/{digest}")

    async def has_manifest(self, reference: Reference, digest: str) -> bool:
        """Whether the reference names exactly this manifest already."""
        path = f"manifests/{reference.selector}"
        try:
            async with self.request(
                "HEAD", reference, path, headers={"Accept": _ACCEPT}
            ) as response:
                return response.headers.get("Docker-Content-Digest") == digest
        except ImageNotFound:
            return False

    async def _exists(self, reference: Reference, path: str) -> bool:
        try:
            async with self.request("HEAD", reference, path):
                return True
        except ImageNotFound:
            return False

    async def push_blob(self, reference: Reference, digest: str, source: Path | bytes) -> None:
        """Upload content in one go, unless the repository has it."""
        if await self.has_blob(reference, digest):
            return
        async with self.request("POST", reference, "blobs/uploads/") as response:
            location = urljoin(str(response.url), response.headers.get("Location", ""))
        joined = f"{location}{'&' if '?' in location else '?'}digest={digest}"
        size = _size(source)
        headers = {"Content-Type": "application/octet-stream", "Content-Length": str(size)}
        upload = Order("PUT", joined, reference, headers, lambda: _body(source), seconds_for(size))
        async with self.send(upload):
            pass

    async def push_manifest(self, reference: Reference, media_type: str, content: bytes) -> None:
        """Store a manifest or index under the reference; what it names must be there."""
        async with self.request(
            "PUT",
            reference,
            f"manifests/{reference.selector}",
            headers={"Content-Type": media_type},
            body=lambda: content,
        ):
            pass


def _listed(content: bytes, reference: Reference) -> Sequence[Descriptor]:
    return decode(content, Index, f"the index of {reference}").manifests


def _architectures(listed: Sequence[Descriptor]) -> frozenset[str]:
    return frozenset(each.platform.architecture for each in listed if each.platform)


def _choose(listed: Sequence[Descriptor], architecture: str, reference: Reference) -> Descriptor:
    """The image of an architecture in an index."""
    for each in listed:
        if each.platform and (each.platform.os, each.platform.architecture) == (
            "linux",
            architecture,
        ):
            return each
    raise ImageNotFound(f"{reference} has no image for linux/{architecture}")


def _size(source: Path | bytes) -> int:
    return len(source) if isinstance(source, bytes) else source.stat().st_size


def _body(source: Path | bytes) -> bytes | AsyncIterator[bytes]:
    return source if isinstance(source, bytes) else _chunks(source)


async def _chunks(source: Path) -> AsyncIterator[bytes]:
    with await asyncio.to_thread(source.open, "rb") as stream:
        while chunk := await asyncio.to_thread(stream.read, CHUNK):
            yield chunk
