"""machine-os images on disk: each extracted once, by digest, and shared by all its machines."""

import asyncio
import fcntl
import os
import re
import shutil
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from hypershift.kit import InvalidSpec
from hypershift.oci import (
    Layout,
    Manifest,
    Registry,
    extract_image,
    parse,
    pull_image,
)
from hypershift.parts import architecture

_DIGEST: Final = re.compile(r"[a-z0-9]+:[0-9a-f]{32,128}")


async def tree_from_registry(reference: str, base: Path, mirrors: Mapping[str, str]) -> Path:
    """The tree of an image in a registry; one that was extracted before costs one request."""
    wanted = parse(reference)
    if wanted.digest and (known := place_of(base, wanted.digest)).is_dir():
        return known
    async with Registry(mirrors) as registry:
        image = await registry.locate(wanted, architecture())
        target = place_of(base, image.descriptor.digest)
        if target.is_dir():
            return target
        await asyncio.to_thread(base.mkdir, parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=base, prefix=".pull-") as scratch:
            layout = Layout(Path(scratch))
            await pull_image(registry, wanted, layout, architecture())
            await asyncio.to_thread(_extract, layout, image.manifest, target)
    return target


def tree_from_layout(layout: Layout, digest: str, base: Path) -> Path:
    """The tree of an image in a layout."""
    target = place_of(base, digest)
    if not target.is_dir():
        base.mkdir(parents=True, exist_ok=True)
        _extract(layout, layout.manifest(digest), target)
    return target


def place_of(base: Path, digest: str) -> Path:
    """Where the tree of a digest lies; overlayfs would split a path at a colon."""
    if not _DIGEST.fullmatch(digest):
        raise InvalidSpec(f"{digest[:80]!r} is not the digest of an image")
    return base / digest.replace(":", "-")


def prune(base: Path, in_use: Iterable[Path]) -> tuple[Path, ...]:
    """Remove the trees that no machine boots from, and what interrupted extractions left."""
    kept = set(in_use)
    gone = tuple(path for path in _directories(base) if path not in kept)
    for path in gone:
        shutil.rmtree(path, ignore_errors=True)
    return gone


def _directories(base: Path) -> Iterator[Path]:
    if base.is_dir():
        # A link leads to a tree that another part of the program manages.
        yield from (
            path for path in sorted(base.iterdir()) if path.is_dir() and not path.is_symlink()
        )


def _extract(layout: Layout, manifest: Manifest, target: Path) -> None:
    """Extract beside the target and move it there whole; who comes second waits and takes it."""
    with _alone(target.with_name(f".{target.name}.lock")):
        if target.is_dir():
            return
        scratch = Path(tempfile.mkdtemp(dir=target.parent, prefix=".extract-"))
        try:
            extract_image(layout, manifest, scratch)
            scratch.chmod(0o755)
            scratch.rename(target)
        except BaseException:
            shutil.rmtree(scratch, ignore_errors=True)
            raise


@contextmanager
def _alone(lock: Path) -> Iterator[None]:
    descriptor = os.open(lock, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)
