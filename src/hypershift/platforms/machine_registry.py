"""Which clouds this build can make machines on, by the name that users write."""

from collections.abc import Mapping

from hypershift.kit import Manifest
from hypershift.platforms.agent import machine_template as agent
from hypershift.platforms.aws import machine_template as aws
from hypershift.platforms.azure import machine_template as azure
from hypershift.platforms.gcp import machine_template as gcp
from hypershift.platforms.kubevirt import machine_template as kubevirt
from hypershift.platforms.local import machine_template as local
from hypershift.platforms.machines import Machines
from hypershift.platforms.openstack import machine_template as openstack
from hypershift.platforms.powervs import machine_template as powervs

MACHINES: Mapping[str, Machines] = {
    "AWS": aws.MACHINES,
    "Agent": agent.MACHINES,
    "Azure": azure.MACHINES,
    "GCP": gcp.MACHINES,
    "KubeVirt": kubevirt.MACHINES,
    "Local": local.MACHINES,
    "OpenStack": openstack.MACHINES,
    "PowerVS": powervs.MACHINES,
}


def machines_of(pool: Manifest) -> Machines | None:
    """The machines of a pool's cloud; None where Cluster API makes none."""
    return MACHINES.get(pool["spec"]["platform"]["type"])


def made_elsewhere(pool: Manifest) -> bool:
    """Whether somebody else makes and joins the machines of a pool."""
    platform = pool["spec"]["platform"]
    provider = (platform.get("ibmcloud") or {}).get("providerType")
    return platform["type"] == "None" or provider == "UPI"
