"""Platform `AWS`."""

from hypershift.api.values import PlatformType
from hypershift.platforms.aws.pools import POOLS
from hypershift.platforms.platform import Platform

PLATFORM = Platform(type=PlatformType.AWS, pools=POOLS)

__all__ = ["PLATFORM"]
