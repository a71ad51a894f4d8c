"""Platform `Agent`."""

from hypershift.api.values import PlatformType
from hypershift.platforms.agent.machine_template import MACHINES
from hypershift.platforms.platform import Platform
from hypershift.platforms.pools import Pools

PLATFORM = Platform(
    type=PlatformType.AGENT,
    pools=Pools(
        machines=MACHINES,
        architectures=("amd64", "ppc64le", "arm64"),
        slow_to_return=True,
    ),
)

__all__ = ["PLATFORM"]
