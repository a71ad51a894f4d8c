"""Platform `OpenStack`."""

from hypershift.api.conditions import NodePoolReason
from hypershift.api.values import PlatformType
from hypershift.platforms.openstack.guest import GUEST
from hypershift.platforms.openstack.machine_template import CLUSTER, MACHINES
from hypershift.platforms.platform import Platform
from hypershift.platforms.pools import Pools

PLATFORM = Platform(
    type=PlatformType.OPENSTACK,
    guest=GUEST,
    pools=Pools(
        machines=MACHINES,
        architectures=("amd64",),
        invalid_template=NodePoolReason.INVALID_OPENSTACK_TEMPLATE,
        infra_cluster=CLUSTER,
        cloud_config="openstack-cloud-config",
    ),
)

__all__ = ["PLATFORM"]
