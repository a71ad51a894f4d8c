"""Platform `None`: control planes whose workers somebody else makes and joins."""

from hypershift.platforms.platform import SimplePlatform


class NonePlatform(SimplePlatform):
    """Knows no machines, so that there is nothing to make and nothing to clean up."""

    type = "None"


PLATFORM = NonePlatform()

__all__ = ["PLATFORM", "NonePlatform"]
