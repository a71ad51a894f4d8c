"""Which platforms this build has, by the name that users write."""

from collections.abc import Mapping

from hypershift.kit import InvalidSpec
from hypershift.platforms import local, none
from hypershift.platforms.platform import Platform

PLATFORMS: Mapping[str, Platform] = {
    platform.type: platform for platform in (none.PLATFORM, local.PLATFORM)
}


def platform_of(name: str) -> Platform:
    """The platform called `name`; one that we do not have is the user's to change."""
    if platform := PLATFORMS.get(name):
        return platform
    known = ", ".join(sorted(PLATFORMS))
    raise InvalidSpec(
        f"platform {name!r} is not supported by this operator (it has {known})",
        field="spec.platform.type",
        reason="UnsupportedPlatform",
    )
