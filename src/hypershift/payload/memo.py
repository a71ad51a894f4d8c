"""Images that need not be made again, known by the stamps of everything they are made from."""

import hashlib
import os
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from hypershift import oci, parts
from hypershift.payload.images import Recipe

#: The code that decides the content of images; a change of it rebuilds all of them.
_RECIPES = (Path(__file__).parent, Path(oci.__file__).parent)


def stamp(text: str, sources: Iterable[Path]) -> str:
    """A key that changes when any of the files, or files of the directories, changes."""
    digest = hashlib.sha256(text.encode())
    for source in (*_RECIPES, *sources):
        for path in _files(source):
            try:
                status = os.stat(path)  # noqa: PTH116 - thousands of them
            except FileNotFoundError:
                continue  # a work tree in motion
            digest.update(f"{path}\0{status.st_size}\0{status.st_mtime_ns}\0".encode())
    return digest.hexdigest()


def _files(source: Path) -> Iterator[str]:
    if not source.is_dir():
        yield str(source)
        return
    for where, directories, files in os.walk(source):
        directories[:] = sorted(each for each in directories if each != "__pycache__")
        yield from (f"{where}/{name}" for name in sorted(files))


def image_once(layout: oci.Layout, key: str, make: Callable[[], Recipe]) -> oci.Descriptor:
    """The image of a key, made only when the layout lacks it or a part of it."""
    known = layout.recall(f"image-{key}")
    if known and _whole(layout, known):
        return oci.Descriptor(media_type=oci.MANIFEST, digest=known.digest, size=known.size)
    image = write_image(layout, make())
    layout.remember(f"image-{key}", oci.Written(image.digest, image.size))
    return image


def _whole(layout: oci.Layout, image: oci.Written) -> bool:
    if not layout.has(image.digest, image.size):
        return False
    manifest = layout.manifest(image.digest)
    contents = (manifest.config, *manifest.layers)
    return all(layout.has(content.digest, content.size) for content in contents)


def write_image(layout: oci.Layout, recipe: Recipe) -> oci.Descriptor:
    """Write an image into a layout, and give the descriptor of its manifest."""
    layers = [layout.put_layer(tree) for tree in recipe.layers]
    image = oci.assemble(layers, recipe.settings, parts.architecture())
    layout.put_image(image)
    return image.descriptor
