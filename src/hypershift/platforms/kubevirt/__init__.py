"""Platform `KubeVirt`."""

from hypershift.api.values import PlatformType
from hypershift.platforms.kubevirt.pools import POOLS
from hypershift.platforms.kubevirt.rules import RULES
from hypershift.platforms.platform import Platform

PLATFORM = Platform(type=PlatformType.KUBEVIRT, rules=RULES, pools=POOLS)

__all__ = ["PLATFORM"]
