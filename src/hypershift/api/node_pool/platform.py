"""A pool's machines: one stanza per platform."""

from __future__ import annotations

from typing import Annotated

from hypershift.api.node_pool.agent import AgentNodePool
from hypershift.api.node_pool.aws import AWSNodePool
from hypershift.api.node_pool.azure import AzureNodePool
from hypershift.api.node_pool.gcp import GCPNodePool
from hypershift.api.node_pool.kubevirt import KubevirtNodePool
from hypershift.api.node_pool.local import LocalNodePool
from hypershift.api.node_pool.openstack import OpenStackNodePool
from hypershift.api.node_pool.powervs import PowerVSNodePool
from hypershift.api.platforms.ibmcloud import IBMCloudPlatform
from hypershift.api.platforms.kubevirt import KubevirtCredentials
from hypershift.api.shape import Field, Shape, immutable, members
from hypershift.api.values import PlatformType


class NodePoolPlatform(Shape):
    """The machines of a pool. Only the stanza of its type may be set."""

    type: Annotated[
        str,
        Field(
            "Kind of infrastructure; the cluster's own. Immutable.",
            enum=members(
                PlatformType, OpenStack="OpenStack", GCP="GCPPlatform", Local="LocalPlatform"
            ),
            max_length=100,
            rules=(immutable("Type is immutable"),),
        ),
    ]
    agent: Annotated[AgentNodePool | None, Field("Which discovered machines to take.")] = None
    aws: Annotated[AWSNodePool | None, Field("Instances on AWS.")] = None
    azure: Annotated[AzureNodePool | None, Field("Virtual machines on Azure.")] = None
    gcp: Annotated[GCPNodePool | None, Field("Instances on Google Cloud.", gate="GCPPlatform")] = (
        None
    )
    ibmcloud: Annotated[IBMCloudPlatform | None, Field("Machines on IBM Cloud.")] = None
    kubevirt: Annotated[
        KubevirtNodePool | None, Field("Virtual machines in a Kubernetes cluster.")
    ] = None
    openstack: Annotated[
        OpenStackNodePool | None, Field("Instances on OpenStack.", gate="OpenStack")
    ] = None
    powervs: Annotated[PowerVSNodePool | None, Field("Virtual servers on IBM Power.")] = None
    local: Annotated[
        LocalNodePool | None,
        Field("Machines on the host of the management cluster.", gate="LocalPlatform"),
    ] = None


class NodePoolPlatformStatus(Shape):
    """What was made on the platform for a pool."""

    kube_virt: Annotated[
        KubevirtNodePoolStatus | None,
        Field("What was made in the cluster that hosts the machines."),
    ] = None


class KubevirtNodePoolStatus(Shape):
    """What was made for a pool in the cluster that hosts its machines."""

    cache_name: Annotated[
        str | None,
        Field("Volume that holds the operating system image for all machines.", max_length=255),
    ] = None
    credentials: Annotated[
        KubevirtCredentials | None,
        Field("Cluster that hosts the machines, when it is not the management cluster."),
    ] = None
