"""The constant shapes of an installation, moved to the namespace that is asked for."""

from functools import cache
from importlib.resources import files

import yaml

from hypershift.kit import Manifest

WRITTEN_FOR = "hypershift"


@cache
def _text(name: str) -> str:
    return (files(__package__) / "assets" / name).read_text()


def load(name: str, namespace: str) -> list[Manifest]:
    """The objects of one file; fresh ones each time, for the caller to edit."""
    return [_moved(each, namespace) for each in yaml.safe_load_all(_text(name))]


def _moved(manifest: Manifest, namespace: str) -> Manifest:
    metadata = manifest["metadata"]
    if manifest["kind"] == "Namespace" and metadata["name"] == WRITTEN_FOR:
        metadata["name"] = namespace
    if metadata.get("namespace") == WRITTEN_FOR:
        metadata["namespace"] = namespace
    for subject in manifest.get("subjects") or ():
        if subject.get("namespace") == WRITTEN_FOR:
            subject["namespace"] = namespace
    return manifest
