"""Assembling the test payload: every image that can be made, and the release image."""

import asyncio
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from hypershift import oci, parts
from hypershift.oci import Entry, Tree
from hypershift.payload.assembly import KEPT, Payload, layout_of
from hypershift.payload.base import base_tree
from hypershift.payload.images import Recipe
from hypershift.payload.memo import image_once, stamp, write_image
from hypershift.payload.openshift import images, release
from hypershift.payload.openshift.archive import members
from hypershift.payload.release import image_reference
from hypershift.payload.sysroot import Sysroot

_COMMON = ("busybox", release.OPERATOR, *release.ARCHIVES)


@dataclass(frozen=True, slots=True)
class Inputs:
    """What the payload is made from."""

    chosen: tuple[images.Image, ...]
    parts: Mapping[str, Path]
    tools: Path | None
    shell: Path | None
    repository: str


async def build(
    cache_dir: Path | None = None,
    *,
    repository: str = release.REPOSITORY,
    cached: bool = False,
    report: parts.Report = parts.to_stderr,
) -> Payload:
    """Make the payload; with `cached`, only of the programs that were built already."""
    chosen = images.IMAGES
    if cached:
        chosen = tuple(one for one in chosen if not parts.missing(one.parts))
    wanted = dict.fromkeys((*_COMMON, *(part for one in chosen for part in one.parts)))
    found = await parts.ensure(wanted, report=report)
    tools, shell = (
        await parts.tools_tree(report=report),
        await parts.packages_tree(images.SHELL, report=report),
    )
    layout = layout_of(cache_dir)
    inputs = Inputs(chosen, found, tools, shell, repository)
    async with parts.locked(layout.root / ".lock", "images", report):
        return await asyncio.to_thread(_assemble, layout, inputs)


def _assemble(layout: oci.Layout, inputs: Inputs) -> Payload:
    base = base_tree(inputs.parts["busybox"], inputs.tools)
    shell = shell_entries(inputs.shell)
    made = {one.name: _image(layout, inputs, one, base, shell) for one in inputs.chosen}
    pinned = {
        name: str(image_reference(name, release.VERSION, inputs.repository).pinned(each.digest))
        for name, each in made.items()
    }
    recipe = release.release_image(base, shell, inputs.parts, pinned)
    found = write_image(layout, recipe)
    payload = Payload(release.VERSION, layout, made, found, inputs.repository)
    layout.name({str(reference): each for reference, each in payload.tagged.items()})
    layout.prune(time.time() - KEPT)
    return payload


def _image(
    layout: oci.Layout, inputs: Inputs, one: images.Image, base: Tree, shell: Mapping[str, Entry]
) -> oci.Descriptor:
    sources = [inputs.parts[part] for part in (*one.parts, "busybox")]
    sources += [tree / "tree.json" for tree in (inputs.tools, inputs.shell) if tree]

    def recipe() -> Recipe:
        return images.image(one, inputs.parts, base, shell, _files(inputs.parts, one))

    return image_once(layout, stamp(f"openshift {one!r}", sources), recipe)


def _files(found: Mapping[str, Path], one: images.Image) -> dict[str, bytes]:
    return {
        f"{target}/{name}": content
        for archive, folder, target in one.files
        for name, content in members(found[archive], folder)
    }


def shell_entries(tree: Path | None) -> dict[str, Entry]:
    """A shell and a client of HTTP, with the libraries under both."""
    roots = (tree, Path("/")) if tree else (Path("/"),)
    root = Sysroot(roots)
    for name in (*images.SHELL, images.LOOKUP):
        places = (each / folder / name for each in roots for folder in ("bin", "usr/bin"))
        root.add(next(place for place in places if place.exists()), f"usr/bin/{name}")
    return root.entries
