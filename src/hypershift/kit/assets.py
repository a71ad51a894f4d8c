"""Manifests that lie beside the code: read once, and given out as copies that may be changed."""

from functools import cache
from importlib.resources import files

import msgspec

from hypershift.kit import documents
from hypershift.kit.manifest import Manifest


def asset(package: str, name: str) -> list[Manifest]:
    """The objects in one asset file of a package."""
    return msgspec.json.decode(_encoded(package, name), type=list[Manifest])


@cache
def _encoded(package: str, name: str) -> bytes:
    """As JSON, since that is copied a hundred times faster than YAML is read."""
    text = (files(package) / "assets" / f"{name}.yaml").read_text()
    return msgspec.json.encode(documents.each(text))
