"""An OCI layout on disk: content by digest, and an index of the images that have names.

<root>/oci-layout
<root>/index.json
<root>/blobs/sha256/<hex>
"""

import contextlib
import os
import re
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

import msgspec

from hypershift.kit import replace_file
from hypershift.oci.errors import ImageNotFound, InvalidImage
from hypershift.oci.image import Image
from hypershift.oci.layer import Tree, Written, write_layer
from hypershift.oci.limits import CONFIG_BYTES
from hypershift.oci.spec import (
    CONTAINERD_NAME,
    INDEX,
    REFERENCE_NAME,
    Descriptor,
    Index,
    Manifest,
    decode,
    digest_of,
    encode,
)

_HEX = re.compile(r"[0-9a-f]{64}")
VERSION_FILE = b'{"imageLayoutVersion":"1.0.0"}'


@dataclass(frozen=True, slots=True)
class Layout:
    """A directory of images; only one process at a time may change its index."""

    root: Path

    def blob(self, digest: str) -> Path:
        """Where content of a digest lies, whether it is there or not."""
        algorithm, _, value = digest.partition(":")
        if algorithm != "sha256" or not _HEX.fullmatch(value):
            raise InvalidImage(f'"{digest}" is not a sha256 digest')
        return self.root / "blobs" / algorithm / value

    def prepare(self) -> None:
        """Make the place for content."""
        (self.root / "blobs" / "sha256").mkdir(parents=True, exist_ok=True)

    def has(self, digest: str, size: int) -> bool:
        """Whether content is there in full length."""
        try:
            return self.blob(digest).stat().st_size == size
        except FileNotFoundError:
            return False

    def put(self, content: bytes) -> str:
        """Store small content, and give its digest."""
        digest = digest_of(content)
        if not self.has(digest, len(content)):
            self._store(lambda out: Written(digest, out.write(content)))
        return digest

    def put_layer(self, tree: Tree) -> Written:
        """Store a tree as a layer, unless the same files were stored before."""
        key = tree.fingerprint()
        known = self.recall(key)
        if known and self.has(known.digest, known.size):
            return known
        written = self._store(lambda out: write_layer(tree, out))
        self.remember(key, written)
        return written

    def recall(self, key: str) -> Written | None:
        """What was made from inputs of that key; it may have been removed since."""
        return _read_memo(self.root / "made" / key)

    def remember(self, key: str, made: Written) -> None:
        """Note what inputs of that key were made into."""
        memo = self.root / "made" / key
        memo.parent.mkdir(parents=True, exist_ok=True)
        _replace(memo, msgspec.json.encode(made))

    def put_image(self, image: Image) -> None:
        """Store the two documents of an image whose layers are stored."""
        self.put(image.config)
        self.put(image.manifest)

    def index(self) -> dict[str, Descriptor]:
        """The images of the layout by their names."""
        try:
            raw = (self.root / "index.json").read_bytes()
        except FileNotFoundError:
            return {}
        found = decode(raw, Index, f"the index of {self.root}").manifests
        return {each.annotations.get(REFERENCE_NAME, each.digest): each for each in found}

    def name(self, images: Mapping[str, Descriptor]) -> None:
        """Give images names; a name that is taken moves to the new image."""
        named = {**self.index(), **images}
        manifests = tuple(
            msgspec.structs.replace(each, annotations={REFERENCE_NAME: name, CONTAINERD_NAME: name})
            for name, each in sorted(named.items())
        )
        document = Index(schema_version=2, media_type=INDEX, manifests=manifests)
        self.root.mkdir(parents=True, exist_ok=True)
        _replace(self.root / "oci-layout", VERSION_FILE)
        _replace(self.root / "index.json", encode(document))

    def find(self, name: str) -> Descriptor:
        """The image of a name."""
        if found := self.index().get(name):
            return found
        raise ImageNotFound(f"{self.root} has no image {name}")

    def manifest(self, digest: str) -> Manifest:
        """The manifest of a digest."""
        return decode(self.read(digest), Manifest, f"the manifest {digest}")

    def read(self, digest: str) -> bytes:
        """A document, checked."""
        try:
            if self.blob(digest).stat().st_size > CONFIG_BYTES:
                raise InvalidImage(f"{digest} is larger than {CONFIG_BYTES} bytes")
            content = self.blob(digest).read_bytes()
        except FileNotFoundError:
            raise ImageNotFound(f"{self.root} has no content {digest}") from None
        if digest_of(content) != digest:
            raise InvalidImage(f"{self.blob(digest)} is corrupt: its digest is another one")
        return content

    def prune(self, before: float) -> None:
        """Remove content that no named image needs and that is older than a moment (Unix time).

        Younger content may belong to an image that another process is making or pushing.
        """
        needed = {digest for image in self.index().values() for digest in self.digests(image)}
        for blob in (self.root / "blobs" / "sha256").glob("*"):
            with contextlib.suppress(FileNotFoundError):
                if f"sha256:{blob.name}" not in needed and blob.stat().st_mtime < before:
                    blob.unlink()
        for memo in (self.root / "made").glob("*"):
            known = _read_memo(memo)
            if known is None or not self.has(known.digest, known.size):
                memo.unlink(missing_ok=True)

    def digests(self, image: Descriptor) -> tuple[str, ...]:
        """Everything that an image consists of, itself first."""
        manifest = self.manifest(image.digest)
        layers = (layer.digest for layer in manifest.layers)
        return (image.digest, manifest.config.digest, *layers)

    def _store(self, write: Callable[[BinaryIO], Written]) -> Written:
        """Write content beside its place and move it there when it is whole."""
        self.prepare()
        handle, name = tempfile.mkstemp(dir=self.root / "blobs" / "sha256", prefix=".")
        temporary = Path(name)
        try:
            with os.fdopen(handle, "wb") as out:
                written = write(out)
            temporary.chmod(0o644)
            temporary.replace(self.blob(written.digest))
        finally:
            temporary.unlink(missing_ok=True)
        return written


def _read_memo(memo: Path) -> Written | None:
    try:
        return msgspec.json.decode(memo.read_bytes(), type=Written)
    except (OSError, msgspec.DecodeError):
        return None


def _replace(file: Path, content: bytes) -> None:
    replace_file(file, content, mode=0o644)
