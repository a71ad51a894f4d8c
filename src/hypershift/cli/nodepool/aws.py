"""NodePools on AWS: instances, their root volume, subnet and profile."""

from dataclasses import dataclass
from typing import Any

from hypershift.cli.flags import INT, Flag
from hypershift.cli.nodepool.platform import PoolOptions, PoolPlatform, present
from hypershift.kit import Manifest, UsageError

INSTANCE_TYPES = {"amd64": "m5.large", "arm64": "m6g.large"}
SMALLEST_VOLUME = 8

VOLUME_FLAGS = (
    Flag("root-volume-iops", "Operations per second of the root volume (type io1, io2)", INT),
    Flag("root-volume-kms-key", "Key that encrypts the root volume"),
    Flag("root-volume-size", "Size of the root volume in GiB, at least 8", INT, 120),
    Flag("root-volume-type", "Type of the root volume, for example gp3 or io2", default="gp3"),
)
INSTANCE_TYPE = Flag("instance-type", "Instance type of the nodes")


@dataclass(frozen=True, slots=True, kw_only=True)
class AwsMachine:
    """Type and root volume of each instance."""

    instance_type: str
    root_volume_iops: int
    root_volume_kms_key: str
    root_volume_size: int
    root_volume_type: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AwsPool(PoolOptions):
    """What `create nodepool aws` is given."""

    machine: AwsMachine
    instance_profile: str
    securitygroup_id: str
    subnet_id: str


def check(options: AwsPool) -> None:
    size = options.machine.root_volume_size
    if size < SMALLEST_VOLUME:
        raise UsageError(f"root volume size must be at least 8 GB, got {size}")


def instance(machine: AwsMachine, arch: str, profile: str, subnet: str) -> Manifest:
    """The section of a pool whose instances have this profile and are in this subnet."""
    default = INSTANCE_TYPES.get(arch, "")
    volume = {
        "type": machine.root_volume_type,
        "iops": machine.root_volume_iops,
        "encryptionKey": machine.root_volume_kms_key,
    }
    return {
        "instanceType": machine.instance_type or default,
        "instanceProfile": profile,
        "subnet": {"id": subnet},
        "rootVolume": present(volume) | {"size": machine.root_volume_size},
    }


def section(options: AwsPool, _completed: Any, cluster: Manifest) -> Manifest:
    profile = options.instance_profile or f"{cluster['spec'].get('infraID', '')}-worker"
    subnet = options.subnet_id or _subnet_of(cluster)
    found = instance(options.machine, options.arch, profile, subnet)
    if options.securitygroup_id:
        found["securityGroups"] = [{"id": options.securitygroup_id}]
    return found


def _subnet_of(cluster: Manifest) -> str:
    config = cluster["spec"]["platform"].get("aws", {}).get("cloudProviderConfig") or {}
    subnet = (config.get("subnet") or {}).get("id")
    if subnet is None:
        raise UsageError("subnet ID was not specified and cannot be determined from HostedCluster")
    return str(subnet)


PLATFORM = PoolPlatform(
    name="aws",
    type="AWS",
    key="aws",
    upgrade_type="Replace",
    flags=(
        Flag("instance-profile", "Instance profile (INFRA-ID-worker when not given)"),
        INSTANCE_TYPE,
        *VOLUME_FLAGS,
        Flag("securitygroup-id", "Security group of the nodes"),
        Flag("subnet-id", "Subnet of the nodes (the cluster's when not given)"),
    ),
    options=AwsPool,
    check=check,
    section=section,
)
