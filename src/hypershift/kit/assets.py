"""Manifests that lie beside the code: read once, and given out as copies that may be changed."""

from functools import cache
from importlib.resources import files

import msgspec
import yaml

from hypershift.kit.manifest import Manifest

_Loader: type[yaml.SafeLoader] = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def asset(package: str, name: str) -> list[Manifest]:
    """The objects in one asset file of a package."""
    return msgspec.json.decode(_encoded(package, name), type=list[Manifest])


@cache
def _encoded(package: str, name: str) -> bytes:
    """As JSON, since that is copied a hundred times faster than YAML is read."""
    text = (files(package) / "assets" / f"{name}.yaml").read_text()
    return msgspec.json.encode([each for each in yaml.load_all(text, _Loader) if each])
