"""Platform `GCP`."""

from hypershift.api.values import PlatformType
from hypershift.platforms.gcp.machine_template import MACHINES
from hypershift.platforms.platform import Platform
from hypershift.platforms.pools import Pools

PLATFORM = Platform(
    type=PlatformType.GCP, pools=Pools(machines=MACHINES, architectures=("amd64", "arm64"))
)

__all__ = ["PLATFORM"]
