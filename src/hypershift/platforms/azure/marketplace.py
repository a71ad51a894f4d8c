"""The marketplace image that a release names, where a pool names none."""

from typing import Any

from hypershift.api.node_pool import AzureImage, AzureMarketplaceImage
from hypershift.kit import InvalidSpec, Manifest
from hypershift.platforms.machines import PoolFacts
from hypershift.release import STREAM_ARCHITECTURES, Version

FIELDS = ("publisher", "offer", "sku", "version")
#: The first release that names marketplace images.
SINCE = Version(4, 20, 0)


def default_image(facts: PoolFacts) -> Manifest | None:
    """What completes the pool's image; None where it is complete or the release names none."""
    section = facts.given.spec.platform.azure
    image = section.image if section else AzureImage(type="")
    given = image.azure_marketplace or AzureMarketplaceImage()
    if image.image_id is not None or all(getattr(given, name) for name in FIELDS):
        return None
    if facts.release.semantic < SINCE:
        return None
    architecture = STREAM_ARCHITECTURES.get(facts.architecture, facts.architecture)
    try:
        offered = _offered(facts, architecture)
    except InvalidSpec as error:
        raise InvalidSpec(f"failed to get Azure Marketplace metadata: {error}") from error
    if not offered:
        return None
    return _chosen(offered, given.image_generation or "Gen2", architecture)


def _chosen(offered: dict[str, Any], generation: str, architecture: str) -> Manifest:
    keys = {"Gen1": "hyperVGen1", "Gen2": "hyperVGen2"}
    if generation not in keys:
        raise InvalidSpec(f'unsupported image generation "{generation}", must be Gen1 or Gen2')
    if not (found := offered.get(keys[generation])):
        raise InvalidSpec(
            f"no Azure Marketplace image available for {architecture} generation {generation}"
        )
    return {name: found.get(name, "") for name in FIELDS} | {"imageGeneration": generation}


def _offered(facts: PoolFacts, architecture: str) -> dict[str, Any]:
    try:
        stream = facts.release.boot_images.named(facts.stream)
    except InvalidSpec as error:
        raise InvalidSpec(
            f'couldn\'t resolve stream metadata for stream "{facts.stream}": {error}'
        ) from error
    found = (stream.get("architectures") or {}).get(architecture)
    if found is None:
        raise InvalidSpec(f"architecture {architecture} not found in stream metadata")
    market = ((found.get("rhel-coreos-extensions") or {}).get("marketplace") or {}).get("azure")
    offered: dict[str, Any] = (market or {}).get("no-purchase-plan") or {}
    return offered
