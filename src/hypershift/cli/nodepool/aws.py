"""NodePools on AWS: instances, their root volume, subnet and profile."""

from typing import Any

from hypershift.cli.flags import INT, Flag, Values
from hypershift.cli.nodepool.platform import PoolPlatform, present
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


def check(values: Values) -> None:
    size = values["root-volume-size"]
    if size < SMALLEST_VOLUME:
        raise UsageError(f"root volume size must be at least 8 GB, got {size}")


def machine(values: Values, profile: str, subnet: str) -> Manifest:
    """The section of a pool whose instances have this profile and are in this subnet."""
    default = INSTANCE_TYPES.get(values["arch"], "")
    volume = {
        "type": values["root-volume-type"],
        "iops": values["root-volume-iops"],
        "encryptionKey": values["root-volume-kms-key"],
    }
    return {
        "instanceType": values["instance-type"] or default,
        "instanceProfile": profile,
        "subnet": {"id": subnet},
        "rootVolume": present(volume) | {"size": values["root-volume-size"]},
    }


def section(values: Values, _completed: Any, cluster: Manifest) -> Manifest:
    profile = values["instance-profile"] or f"{cluster['spec'].get('infraID', '')}-worker"
    found = machine(values, profile, values["subnet-id"] or _subnet_of(cluster))
    if values["securitygroup-id"]:
        found["securityGroups"] = [{"id": values["securitygroup-id"]}]
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
    summary="A pool of AWS instances",
    upgrade_type="Replace",
    flags=(
        Flag("instance-profile", "Instance profile (INFRA-ID-worker when not given)"),
        INSTANCE_TYPE,
        *VOLUME_FLAGS,
        Flag("securitygroup-id", "Security group of the nodes"),
        Flag("subnet-id", "Subnet of the nodes (the cluster's when not given)"),
    ),
    check=check,
    section=section,
)
