"""Platform `IBMCloud`: Cluster API makes no machines there."""

from hypershift.api.node_pool import NodePoolPlatform
from hypershift.api.values import PlatformType
from hypershift.platforms.ibmcloud.guest import GUEST
from hypershift.platforms.platform import Platform
from hypershift.platforms.pools import Pools
from hypershift.platforms.rules import ClusterRules

#: IBM's managed service supports releases for longer.
_OLDEST_OPENSHIFT = "4.14"


def _made_by_user(section: NodePoolPlatform) -> bool:
    """Whether the user provides the machines."""
    return section.ibmcloud is not None and section.ibmcloud.provider_type == "UPI"


PLATFORM = Platform(
    type=PlatformType.IBMCLOUD,
    guest=GUEST,
    rules=ClusterRules(validates_networks=False),
    pools=Pools(
        made_elsewhere=_made_by_user,
        health_path="/livez?exclude=etcd&exclude=log",
        oldest_openshift=_OLDEST_OPENSHIFT,
    ),
)

__all__ = ["PLATFORM"]
