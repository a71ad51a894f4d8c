"""Platform `KubeVirt`."""

from hypershift.api.values import PlatformType
from hypershift.platforms.kubevirt.machine_template import MACHINES
from hypershift.platforms.platform import Platform
from hypershift.platforms.pools import Pools

PLATFORM = Platform(type=PlatformType.KUBEVIRT, pools=Pools(machines=MACHINES))

__all__ = ["PLATFORM"]
