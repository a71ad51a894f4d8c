"""Platform `None`: control planes whose workers the user makes and joins."""

from hypershift.api.values import PlatformType
from hypershift.platforms.cluster import SimpleCluster
from hypershift.platforms.guest import WITHOUT_CLOUD
from hypershift.platforms.platform import Platform
from hypershift.platforms.pools import Pools, always
from hypershift.platforms.rules import ClusterRules

PLATFORM = Platform(
    type=PlatformType.NONE,
    guest=WITHOUT_CLOUD,
    cluster=SimpleCluster(),
    rules=ClusterRules(uses_cloud_resources=False),
    pools=Pools(
        made_elsewhere=always,
        architectures=("amd64", "arm64"),
        slow_to_return=True,
    ),
)

__all__ = ["PLATFORM"]
