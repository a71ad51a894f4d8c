"""Whole images between a layout, an archive, a registry and a directory."""

import asyncio
import tempfile
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path, PurePosixPath

from hypershift.oci.errors import InvalidImage
from hypershift.oci.extract import WHITEOUT, extract_layer
from hypershift.oci.layer import Tree, file, write_layer
from hypershift.oci.layout import Layout
from hypershift.oci.limits import DOCUMENT_BYTES, IMAGE, RELEASE, Budget
from hypershift.oci.members import Allowance, Members
from hypershift.oci.reference import Reference
from hypershift.oci.registry import Registry
from hypershift.oci.spec import Descriptor, Manifest

PARALLEL = 4


async def push_image(
    registry: Registry, layout: Layout, image: Descriptor, reference: Reference
) -> None:
    """Push an image of a layout; what the registry has already is not sent again."""
    if await registry.has_manifest(reference, image.digest):
        return
    manifest = layout.manifest(image.digest)
    for content in (*manifest.layers, manifest.config):
        await registry.push_blob(reference, content.digest, layout.blob(content.digest))
    await registry.push_manifest(reference, image.media_type, layout.read(image.digest))


async def push_images(
    registry: Registry, layout: Layout, images: Mapping[Reference, Descriptor]
) -> None:
    """Push several images, some at a time."""
    slots = asyncio.Semaphore(PARALLEL)

    async def push(reference: Reference, image: Descriptor) -> None:
        async with slots:
            await push_image(registry, layout, image, reference)

    async with asyncio.TaskGroup() as tasks:
        for reference, image in images.items():
            tasks.create_task(push(reference, image))


async def pull_image(
    registry: Registry, reference: Reference, layout: Layout, architecture: str = "amd64"
) -> Descriptor:
    """Pull an image into a layout; content that is there already is not fetched again."""
    image = await registry.locate(reference, architecture)
    layout.prepare()
    for content in (image.manifest.config, *image.manifest.layers):
        if not layout.has(content.digest, content.size):
            await registry.save(reference, content, layout.blob(content.digest))
    pulled = await registry.pull(reference.pinned(image.descriptor.digest))
    layout.put(pulled.content)
    return image.descriptor


def extract_image(layout: Layout, manifest: Manifest, root: Path, budget: Budget = IMAGE) -> None:
    """Unpack an image of a layout into a directory."""
    allowance = Allowance(budget)
    for layer in manifest.layers:
        with layout.blob(layer.digest).open("rb") as stream:
            extract_layer(stream, root, allowance)


def write_archive(layout: Layout, names: Iterable[str], target: Path) -> None:
    """Write images of a layout as one OCI archive, the file that other tools import."""
    chosen = {name: layout.find(name) for name in names}
    with tempfile.TemporaryDirectory(dir=target.parent) as scratch:
        outline = Layout(Path(scratch))
        outline.name(chosen)
        files = Tree()
        for name in ("index.json", "oci-layout"):
            files.add(name, file(outline.root / name))
        for image in chosen.values():
            for digest in layout.digests(image):
                files.add(f"blobs/{digest.replace(':', '/')}", file(layout.blob(digest)))
        with target.open("wb") as out:
            write_layer(files, out)


async def read_files(
    registry: Registry,
    reference: Reference,
    wanted: Callable[[str], bool],
    architecture: str = "amd64",
) -> dict[str, bytes]:
    """The files of an image whose paths are wanted, as its topmost layer has them."""
    image = await registry.locate(reference, architecture)
    found: dict[str, bytes] = {}
    allowance = Allowance(RELEASE)
    with tempfile.TemporaryDirectory() as scratch:
        for layer in image.manifest.layers:
            place = Path(scratch) / "layer"
            await registry.save(reference, layer, place)
            await asyncio.to_thread(_collect, place, wanted, found, allowance)
    return found


def _collect(
    layer: Path, wanted: Callable[[str], bool], found: dict[str, bytes], allowance: Allowance
) -> None:
    """Lay a layer's files over those of the layers below it."""
    with layer.open("rb") as raw:
        members = Members(raw, allowance)
        for member in members:
            path = PurePosixPath(member.name.removeprefix("./"))
            if path.name.startswith(WHITEOUT):
                _hide(path, found)
            elif member.isfile() and wanted(str(path)):
                found[str(path)] = members.document(member)
                if sum(map(len, found.values())) > 2 * DOCUMENT_BYTES:
                    raise InvalidImage(f"the files of an image exceed {2 * DOCUMENT_BYTES} bytes")


def _hide(whiteout: PurePosixPath, found: dict[str, bytes]) -> None:
    hidden = whiteout.parent
    if not whiteout.name.startswith(WHITEOUT * 2):
        hidden /= whiteout.name.removeprefix(WHITEOUT)
    for path in [path for path in found if PurePosixPath(path).is_relative_to(hidden)]:
        del found[path]
