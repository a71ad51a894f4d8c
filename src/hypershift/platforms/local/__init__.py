"""Platform `Local`: machines that are namespaces of one host, driven by Cluster API."""

from hypershift.api.values import PlatformType
from hypershift.platforms.guest import WITHOUT_CLOUD
from hypershift.platforms.local.cluster import LocalCluster
from hypershift.platforms.local.cpus import cpus
from hypershift.platforms.local.machine_template import MACHINES
from hypershift.platforms.platform import Platform
from hypershift.platforms.pools import Pools

PLATFORM = Platform(
    type=PlatformType.LOCAL,
    guest=WITHOUT_CLOUD,
    cluster=LocalCluster(),
    pools=Pools(
        machines=MACHINES,
        architectures=("amd64", "arm64"),
        scales_from_zero=True,
        describes_absent_machines=True,
        cpus=cpus,
    ),
)

__all__ = ["PLATFORM"]
