"""The pool side of platform AWS."""

from hypershift.api.conditions import NodePoolConditionType, Reason
from hypershift.api.node_pool import NodePoolPlatform
from hypershift.api.platforms.platform import Platform
from hypershift.api.values import EndpointAccess
from hypershift.platforms.aws import boot_image, tags
from hypershift.platforms.aws.cpus import cpus
from hypershift.platforms.aws.instances import find_instances
from hypershift.platforms.aws.machine_template import MACHINE, MACHINES
from hypershift.platforms.machines import METADATA_SERVICE
from hypershift.platforms.pools import Demand, Pools, Retag
from hypershift.release import Version

#: The minors whose control plane does not know reserved capacity; its pre-releases know it.
_RESERVATIONS = Demand(
    unknown_to=frozenset(f"4.{minor}" for minor in range(19)),
    reason=Reason.AWS_ERROR,
    message="capacityReservation is only supported on 4.19+ clusters",
)


def _demand(section: NodePoolPlatform) -> Demand | None:
    placement = section.aws and section.aws.placement
    return _RESERVATIONS if placement and placement.capacity_reservation is not None else None


def _direct_hosts(section: Platform) -> frozenset[str]:
    region = section.aws.region if section.aws else ""
    zone = ".ec2.internal" if region == "us-east-1" else f".{region}.compute.internal"
    return frozenset({METADATA_SERVICE, zone})


def _leaves_network(section: Platform) -> bool:
    return section.aws is not None and section.aws.endpoint_access == EndpointAccess.PUBLIC


POOLS = Pools(
    machines=MACHINES,
    architectures=("amd64", "arm64"),
    scales_from_zero=True,
    demand=_demand,
    retag=Retag(MACHINE, "additionalTags", tags.of_machines),
    takes_global_pull_secret=True,
    expected=(
        NodePoolConditionType.VALID_PLATFORM_IMAGE,
        NodePoolConditionType.AWS_SECURITY_GROUP_AVAILABLE,
    ),
    cpus=cpus,
    keeps_user_data=True,
    # Older control planes still read old user data.
    deletes_user_data_since=Version(4, 16, 0),
    boot_images=boot_image.of_architectures,
    instances=find_instances,
    direct_hosts=_direct_hosts,
    leaves_network=_leaves_network,
)
