"""Platform `KubeVirt`."""

from hypershift.api.values import PlatformType
from hypershift.platforms.kubevirt.guest import GUEST
from hypershift.platforms.kubevirt.pools import POOLS
from hypershift.platforms.kubevirt.rules import RULES
from hypershift.platforms.load_balancers import LoadBalancers
from hypershift.platforms.platform import Platform

PLATFORM = Platform(
    type=PlatformType.KUBEVIRT,
    guest=GUEST,
    rules=RULES,
    pools=POOLS,
    load_balancers=LoadBalancers(keeps_inner_service=True),
)

__all__ = ["PLATFORM"]
