"""The pool side of platform Azure."""

from hypershift.api.platforms.platform import Platform
from hypershift.api.values import EndpointAccess
from hypershift.platforms.azure.machine_template import MACHINES
from hypershift.platforms.machines import METADATA_SERVICE
from hypershift.platforms.pools import Pools


def _direct_hosts(section: Platform) -> frozenset[str]:
    del section
    return frozenset({METADATA_SERVICE})


def _leaves_network(section: Platform) -> bool:
    return section.azure is None or section.azure.topology in (None, "", EndpointAccess.PUBLIC)


POOLS = Pools(
    machines=MACHINES,
    architectures=("amd64", "arm64"),
    scales_from_zero=True,
    takes_global_pull_secret=True,
    cloud_config="azure-cloud-config",
    waits_for_dns=True,
    direct_hosts=_direct_hosts,
    leaves_network=_leaves_network,
)
