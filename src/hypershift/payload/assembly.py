"""Assembling a payload: every image of a release, and the release image that lists them."""

import asyncio
import functools
import importlib.metadata
import time
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from hypershift import oci, parts
from hypershift.kit import UsageError
from hypershift.payload import machine_os, own
from hypershift.payload.base import base_tree
from hypershift.payload.images import (
    PROGRAMS,
    Recipe,
    machine_image,
    names,
    needed_parts,
    pause_image,
    program_image,
)
from hypershift.payload.memo import image_once, stamp, write_image
from hypershift.payload.release import (
    RELEASE,
    REPOSITORY,
    image_reference,
    release_image,
)

#: Tools that come with a tree of their own.
OWN_TREES = tuple(sorted({program.tree for program in PROGRAMS if program.tree}))
#: How long content of images that lost their name is kept, in seconds.
KEPT = 3600.0


@dataclass(frozen=True, slots=True)
class Payload:
    """A release as images in a layout.

    `images` and `release` are found in `layout` by digest, and there also by reference.
    """

    version: str
    layout: oci.Layout
    images: Mapping[str, oci.Descriptor]
    release: oci.Descriptor
    repository: str = REPOSITORY

    def reference(self, name: str) -> oci.Reference:
        """An image of the payload, by digest."""
        tagged = image_reference(name, self.version, self.repository)
        return tagged.pinned(self.images[name].digest)

    @property
    def release_reference(self) -> oci.Reference:
        """The release image, by tag and digest."""
        tagged = image_reference(RELEASE, self.version, self.repository)
        return oci.Reference(tagged.host, tagged.repository, tagged.tag, self.release.digest)

    @property
    def tagged(self) -> dict[oci.Reference, oci.Descriptor]:
        """Every image by its tag, the release last: who finds it finds all of them."""
        images = {
            image_reference(name, self.version, self.repository): image
            for name, image in self.images.items()
        }
        return {**images, image_reference(RELEASE, self.version, self.repository): self.release}


def previous_versions(version: str) -> tuple[str, ...]:
    """The versions that may be upgraded to this one: its own minor's, and the one before it."""
    minor = int(version.split(".")[1])
    return tuple(
        each
        for each in parts.KUBERNETES_VERSIONS
        if each != version and int(each.split(".")[1]) in {minor, minor - 1}
    )


async def build(
    version: str = parts.KUBERNETES,
    cache_dir: Path | None = None,
    *,
    repository: str = REPOSITORY,
    optional: Collection[str] = (),
    boot_images: Mapping[str, str] | None = None,
    report: parts.Report = parts.to_stderr,
) -> Payload:
    """Make the payload of a Kubernetes version; what did not change since is not made again.

    `optional` names images that it has beside the usual ones, `boot_images` the AMI that machines
    boot in each region of AWS.
    """
    if version not in parts.KUBERNETES_VERSIONS:
        known = " and ".join(parts.KUBERNETES_VERSIONS)
        raise UsageError(f"there is no payload of Kubernetes {version}; there are {known}")
    layout = layout_of(cache_dir)
    wanted = names(optional)
    binaries = await parts.ensure(needed_parts(wanted), version, report=report)
    tools = await parts.tools_tree(report=report)
    trees = {name: await parts.tools_tree(name, report=report) for name in OWN_TREES}
    inputs = Inputs(
        version, wanted, binaries, tools, repository, boot_images=boot_images or {}, trees=trees
    )
    async with parts.locked(layout.root / ".lock", "images", report):
        return await asyncio.to_thread(_assemble, layout, inputs)


async def build_own(
    repository: str = REPOSITORY,
    cache_dir: Path | None = None,
    *,
    tag: str = "",
    labels: Mapping[str, str] | None = None,
    report: parts.Report = parts.to_stderr,
) -> tuple[oci.Reference, oci.Descriptor, oci.Layout]:
    """Make our own image alone, under our own version unless another tag is given."""
    layout = layout_of(cache_dir)
    binaries = await parts.ensure(("busybox",), report=report)
    tools = await parts.tools_tree(report=report)
    # A tag of an image has no plus sign, a version between two releases does.
    version = tag or importlib.metadata.version(own.NAME).replace("+", "_")
    reference = image_reference(own.NAME, version, repository)
    inputs = Inputs(parts.KUBERNETES, (own.NAME,), binaries, tools, repository, labels or {})
    async with parts.locked(layout.root / ".lock", "images", report):
        image = (await asyncio.to_thread(_images, layout, inputs))[own.NAME]
        layout.name({str(reference): image})
    return reference, image, layout


def layout_of(cache_dir: Path | None = None) -> oci.Layout:
    """The layout that holds our images, by default in the user's cache."""
    return oci.Layout((cache_dir or parts.Settings.from_environment().cache) / "images")


@dataclass(frozen=True, slots=True)
class Inputs:
    """What a payload is made from."""

    version: str
    wanted: tuple[str, ...]
    binaries: Mapping[str, Path]
    tools: Path | None
    repository: str
    labels: Mapping[str, str] = field(default_factory=dict)  # of our own image, beside the usual
    boot_images: Mapping[str, str] = field(default_factory=dict)  # by region of AWS
    trees: Mapping[str, Path | None] = field(default_factory=dict)  # of tools that have their own


def _assemble(layout: oci.Layout, inputs: Inputs) -> Payload:
    version, repository = inputs.version, inputs.repository
    images = _images(layout, inputs)
    pinned = {
        name: str(image_reference(name, version, repository).pinned(image.digest))
        for name, image in images.items()
    }
    release = write_image(
        layout,
        release_image(
            version,
            previous_versions(version),
            parts.architecture(),
            pinned,
            inputs.boot_images,
        ),
    )
    payload = Payload(version, layout, images, release, repository)
    layout.name({str(reference): image for reference, image in payload.tagged.items()})
    layout.prune(time.time() - KEPT)
    return payload


def _images(layout: oci.Layout, inputs: Inputs) -> dict[str, oci.Descriptor]:
    """Every image, made or found made; what an image is made from decides which."""
    binaries, tools = inputs.binaries, inputs.tools
    base = functools.cache(lambda: base_tree(binaries["busybox"], tools))
    makers: dict[str, Callable[[], Recipe]] = {
        program.name: functools.partial(
            lambda each: program_image(each, binaries, inputs.trees.get(each.tree, tools), base()),
            program,
        )
        for program in PROGRAMS
    }
    makers["pause"] = lambda: pause_image(binaries)
    makers[machine_os.NAME] = lambda: machine_image(binaries, tools, inputs.version)
    makers[own.NAME] = lambda: own.own_image(base(), layout.root / "compiled", inputs.labels)
    return {name: image_once(layout, _key(name, inputs), makers[name]) for name in inputs.wanted}


def _key(name: str, inputs: Inputs) -> str:
    sources = [inputs.binaries[part] for part in needed_parts((name,))]
    if inputs.tools:
        sources.append(inputs.tools / "tree.json")
    if name == own.NAME:
        sources += own.own_sources()
    version = inputs.version if name == machine_os.NAME else ""
    labels = sorted(inputs.labels.items()) if name == own.NAME else []
    return stamp(f"{name} {version} {labels or ''}".rstrip(), sources)
