"""Platform `None`: control planes whose workers somebody else makes and joins."""

from hypershift.api.values import PlatformType
from hypershift.platforms.cluster import SimpleCluster
from hypershift.platforms.platform import Platform
from hypershift.platforms.pools import Pools, always

PLATFORM = Platform(
    type=PlatformType.NONE,
    cluster=SimpleCluster(),
    pools=Pools(made_elsewhere=always),
)

__all__ = ["PLATFORM"]
