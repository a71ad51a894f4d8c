"""Platform `PowerVS`."""

from hypershift.api.conditions import NodePoolConditionType
from hypershift.api.values import PlatformType
from hypershift.platforms.platform import Platform
from hypershift.platforms.pools import Pools
from hypershift.platforms.powervs.guest import GUEST
from hypershift.platforms.powervs.machine_template import MACHINES

PLATFORM = Platform(
    type=PlatformType.POWERVS,
    guest=GUEST,
    pools=Pools(
        machines=MACHINES,
        architectures=("ppc64le",),
        keeps_openshift_sdn=True,
        expected=(NodePoolConditionType.VALID_PLATFORM_IMAGE,),
    ),
)

__all__ = ["PLATFORM"]
