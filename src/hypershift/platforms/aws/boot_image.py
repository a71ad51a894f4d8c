"""The AMI that an EC2 instance boots: the pool's own, else the release's for its region."""

from contextlib import suppress

from hypershift.kit import InvalidSpec
from hypershift.platforms.machines import PoolFacts, stream_images
from hypershift.release import STREAM_ARCHITECTURES

#: The processors of machines that Karpenter makes.
ARCHITECTURES = ("amd64", "arm64")


def is_windows(facts: PoolFacts) -> bool:
    """Whether the pool's machines run Windows."""
    section = facts.wanted.spec.platform.aws
    return section is not None and section.image_type == "Windows"


def image(facts: PoolFacts) -> str:
    """The AMI of the template."""
    section = facts.wanted.spec.platform.aws
    if section and section.ami:
        return section.ami
    kind = "a Windows AMI" if is_windows(facts) else "an AMI"
    try:
        return default_image(facts)
    except InvalidSpec as error:
        raise InvalidSpec(f"couldn't discover {kind} for release image: {error}") from error


def default_image(facts: PoolFacts) -> str:
    """The AMI that the release names for the cluster's region."""
    section = facts.cluster.spec.platform.aws
    region = section.region if section else ""
    return _windows(facts, region) if is_windows(facts) else _linux(facts, region)


def of_architectures(facts: PoolFacts) -> dict[str, str]:
    """The AMIs that the release names for the cluster's region, by processor."""
    section = facts.cluster.spec.platform.aws
    region = section.region if section else ""
    found: dict[str, str] = {}
    for architecture in ARCHITECTURES:
        with suppress(InvalidSpec):  # a release may be for one processor alone
            found[architecture] = _linux(facts, region, architecture)
    if not found:
        why = f"release image {facts.image} names no AMI for region {region!r}"
        raise InvalidSpec(f"no supported architectures found: {why}")
    return found


def _linux(facts: PoolFacts, region: str, architecture: str | None = None) -> str:
    try:
        facts.release.boot_images.named(facts.stream)
    except InvalidSpec as error:
        raise InvalidSpec(f"couldn't resolve stream metadata: {error}") from error
    images = (stream_images(facts, architecture).get("images") or {}).get("aws")
    if images is None:
        raise InvalidSpec("release image metadata has no AWS images")
    found = (images.get("regions") or {}).get(region)
    if found is None:
        raise InvalidSpec(f'couldn\'t find AWS image for region "{region}"')
    if not found.get("image"):
        raise InvalidSpec(f'release image metadata has no image for region "{region}"')
    return str(found["image"])


def _windows(facts: PoolFacts, region: str) -> str:
    stream = facts.release.boot_images.default
    if stream is None:
        raise InvalidSpec("release image stream metadata is nil")
    name = STREAM_ARCHITECTURES.get(facts.architecture, "")
    images = (stream.get("architectures") or {}).get(name)
    if images is None:
        raise InvalidSpec(f'couldn\'t find OS metadata for architecture "{facts.architecture}"')
    extensions = images.get("rhel-coreos-extensions")
    if extensions is None:
        raise InvalidSpec("no rhel-coreos-extensions data found in release image metadata")
    regions = (extensions.get("aws-winli") or {}).get("regions")
    if regions is None:
        raise InvalidSpec("no aws-winli regions data found in release image metadata")
    if region not in regions:
        raise InvalidSpec(f"no Windows AMI found for region {region} in release image metadata")
    if not regions[region].get("image"):
        raise InvalidSpec(
            f"windows AMI image is empty for region {region} in release image metadata"
        )
    return str(regions[region]["image"])
