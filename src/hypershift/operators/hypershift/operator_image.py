"""Which image a cluster's own operators run, and what that image can do."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

from hypershift.api import annotations
from hypershift.api.well_known import SHARED_MANAGER, WATCH_FILTER
from hypershift.kit import Manifest, Secret, TerminalError, annotations_of
from hypershift.operators.hypershift.settings import Mode, Settings
from hypershift.release import (
    CONTRACT,
    FIRST_CONTRACT,
    OURS,
    Capability,
    Release,
    capabilities_of,
    read_labels,
)

MODE = annotations.MODE
IMAGE = annotations.CONTROL_PLANE_OPERATOR_IMAGE
LABELS = annotations.CONTROL_PLANE_OPERATOR_IMAGE_LABELS
COMPONENT = "hypershift"  # what a release calls the image


class Images(Protocol):
    """Where images are looked at."""

    async def labels(self, image: str, pull_secret: Secret[bytes]) -> Mapping[str, str]:
        """The labels of an image."""
        ...


@dataclass(frozen=True, slots=True)
class OperatorImage:
    """The image of a cluster's own operators."""

    reference: str = ""
    capabilities: frozenset[Capability] = OURS
    contract: str = FIRST_CONTRACT

    def can(self, capability: Capability) -> bool:
        """Whether it has a capability."""
        return capability in self.capabilities


@dataclass(frozen=True, slots=True)
class OperatorImages:
    """Finds the images of clusters' operators; without `images` all are as able as we are."""

    settings: Settings = field(default_factory=Settings)
    images: Images | None = None

    async def find(
        self, cluster: Manifest, release: Release | None, pull_secret: Secret[bytes]
    ) -> OperatorImage:
        """The image of one cluster; in Shared mode this process is its operator."""
        if mode_of(cluster, self.settings) is Mode.SHARED:
            return OperatorImage(self.settings.image)
        chosen = image_of(cluster, release, self.settings)
        said = annotations_of(cluster).get(LABELS, "")
        if said:
            return _labelled(chosen, read_labels(said))
        if self.images is None:
            return OperatorImage(chosen)
        return _labelled(chosen, await self.images.labels(chosen, pull_secret))


def mode_of(cluster: Manifest, settings: Settings) -> Mode:
    """Where a cluster's own roles run: as it says, else as the operator is set."""
    said = annotations_of(cluster).get(MODE, "").capitalize()
    return Mode(said) if said in set(Mode) else settings.mode


def watch_labels(cluster: Manifest, settings: Settings) -> dict[str, str]:
    """Labels of a cluster's Cluster API objects: the manager of Shared clusters needs its own."""
    shared = mode_of(cluster, settings) is Mode.SHARED
    return {WATCH_FILTER: SHARED_MANAGER} if shared else {}


def image_of(cluster: Manifest, release: Release | None, settings: Settings) -> str:
    """The image of a cluster's own operators: as annotated, else the release's, else ours."""
    chosen = (
        annotations_of(cluster).get(IMAGE)
        or (release.find(COMPONENT) if release else "")
        or settings.image
    )
    if not chosen:
        raise TerminalError("no image for the control plane operator: none is in the release")
    return chosen


def _labelled(reference: str, labels: Mapping[str, str]) -> OperatorImage:
    contract = labels.get(CONTRACT) or FIRST_CONTRACT
    return OperatorImage(reference, capabilities_of(labels), contract)
