"""The OpenStack image of a CoreOS stream, which KubeVirt may boot as well."""

from typing import Any

from hypershift.kit import InvalidSpec
from hypershift.platforms.machines import PoolFacts


def _artifact(facts: PoolFacts) -> dict[str, Any]:
    try:
        stream = facts.release.boot_images.named(facts.stream)
    except InvalidSpec as error:
        raise InvalidSpec(
            f'couldn\'t resolve stream metadata for stream "{facts.stream}": {error}'
        ) from error
    architecture = (stream.get("architectures") or {}).get("x86_64")
    if architecture is None:
        raise InvalidSpec('couldn\'t find OS metadata for architecture "x86_64"')
    found: dict[str, Any] | None = (architecture.get("artifacts") or {}).get("openstack")
    if found is None:
        raise InvalidSpec("couldn't find OS metadata for openstack")
    return found


def release(facts: PoolFacts) -> str:
    """The release of the image, by which it is named."""
    name: str = _artifact(facts).get("release", "")
    return name


def location(facts: PoolFacts) -> tuple[str, str]:
    """Where the image is downloaded from, and its SHA-256."""
    formats = _artifact(facts).get("formats") or {}
    if "qcow2.gz" not in formats:
        raise InvalidSpec("couldn't find OS metadata for openstack qcow2.gz")
    disk = (formats["qcow2.gz"] or {}).get("disk")
    if disk is None:
        raise InvalidSpec("couldn't find OS metadata for the openstack qcow2.gz disk")
    return disk.get("location", ""), disk.get("sha256", "")
