"""Our definitions against those of the original, key by key."""

from pathlib import Path
from typing import Any

import pytest
import yaml

from hypershift.api.schema import files

pytestmark = pytest.mark.reference


def plain(value: Any) -> Any:
    """A manifest without words for people and without the mark of the original's generator."""
    if isinstance(value, list):
        return [plain(each) for each in value]
    if not isinstance(value, dict):
        return value
    return {
        key: plain(below)
        for key, below in value.items()
        if key != "controller-gen.kubebuilder.io/version"
        and not (key == "description" and isinstance(below, str))
        and not (key == "annotations" and below.keys() == {"controller-gen.kubebuilder.io/version"})
    }


def test_every_definition_equals_the_originals_in_the_three_feature_sets(reference: Path) -> None:
    root = reference / "api" / "crds"
    theirs = {
        path.relative_to(root).as_posix(): plain(yaml.load(path.read_bytes(), yaml.CSafeLoader))
        for path in root.rglob("*.yaml")
    }
    ours = {path.as_posix(): plain(manifest) for path, manifest in files().items()}
    assert ours.keys() == theirs.keys()
    for name, manifest in theirs.items():
        assert ours[name] == manifest, name
