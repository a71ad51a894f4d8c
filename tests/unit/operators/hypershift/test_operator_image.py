"""Which image a cluster's own operators run, and what it can do."""

from dataclasses import dataclass, field, replace
from typing import Any

import pytest

from hypershift.kit import Manifest, Secret, TerminalError
from hypershift.oci import ImageNotFound
from hypershift.operators.hypershift import Mode, Settings
from hypershift.operators.hypershift.operator_image import IMAGE, LABELS, MODE, OperatorImages
from hypershift.release import CONTRACT, OURS, Capability, Product, Release

SETTINGS = Settings(mode=Mode.DEDICATED, image="registry.example/ours")
RELEASE = Release("1.35.8", Product.KUBERNETES, {"hypershift": "registry.example/released"})
NOBODY = Secret(b"")


@dataclass
class Registry:
    """Images and their labels; what was asked for is noted."""

    images: dict[str, dict[str, str]] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)

    async def labels(self, image: str, pull_secret: Secret[bytes]) -> dict[str, str]:
        del pull_secret
        self.asked.append(image)
        if image not in self.images:
            raise ImageNotFound(f"{image} is not there")
        return self.images[image]


def a_cluster(**annotations: str) -> Manifest:
    return {"metadata": {"name": "demo", "annotations": annotations}}


@pytest.mark.parametrize(
    ("annotations", "release", "image"),
    [
        ({IMAGE: "registry.example/mine"}, RELEASE, "registry.example/mine"),
        ({}, RELEASE, "registry.example/released"),
        ({}, replace(RELEASE, images={}), "registry.example/ours"),
        ({}, None, "registry.example/ours"),
    ],
    ids=["annotation", "release", "operator", "no release"],
)
async def test_the_image_is_the_annotations_then_the_releases_then_ours(
    annotations: dict[str, str], release: Release | None, image: str
) -> None:
    registry = Registry({image: {Capability.RESTRICTED: "true", CONTRACT: "7"}})
    found = await OperatorImages(SETTINGS, registry).find(a_cluster(**annotations), release, NOBODY)
    assert found.reference == image
    assert found.capabilities == {Capability.RESTRICTED}
    assert found.contract == "7"


async def test_labels_of_an_annotation_are_believed_without_asking() -> None:
    registry = Registry()
    cluster = a_cluster(**{LABELS: f"{Capability.SKIPS_HAPROXY}=true"})
    found = await OperatorImages(SETTINGS, registry).find(cluster, RELEASE, NOBODY)
    assert found.can(Capability.SKIPS_HAPROXY)
    assert not found.can(Capability.RESTRICTED)
    assert registry.asked == []


async def test_in_shared_mode_this_process_is_the_operator() -> None:
    registry = Registry()
    cluster = a_cluster(**{MODE: "Shared", IMAGE: "registry.example/mine"})
    found = await OperatorImages(SETTINGS, registry).find(cluster, RELEASE, NOBODY)
    assert (found.reference, found.capabilities) == ("registry.example/ours", OURS)
    assert registry.asked == []


async def test_an_image_that_cannot_be_looked_at_promises_neither_all_nor_nothing() -> None:
    with pytest.raises(ImageNotFound):
        await OperatorImages(SETTINGS, Registry()).find(a_cluster(), RELEASE, NOBODY)


async def test_without_any_image_nothing_can_be_deployed() -> None:
    nothing: Any = replace(SETTINGS, image="")
    with pytest.raises(TerminalError, match="no image for the control plane operator"):
        await OperatorImages(nothing, Registry()).find(a_cluster(), None, NOBODY)
