"""Platform `Azure`."""

from hypershift.api.values import PlatformType
from hypershift.platforms.azure.pools import POOLS
from hypershift.platforms.platform import Platform

PLATFORM = Platform(type=PlatformType.AZURE, pools=POOLS)

__all__ = ["PLATFORM"]
