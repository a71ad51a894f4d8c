"""A cluster's infrastructure: one stanza per platform."""

from __future__ import annotations

from typing import Annotated

from hypershift.api.platforms.agent import AgentPlatform
from hypershift.api.platforms.aws import AWSPlatform
from hypershift.api.platforms.azure import AzurePlatform
from hypershift.api.platforms.gcp import GCPPlatform
from hypershift.api.platforms.ibmcloud import IBMCloudPlatform
from hypershift.api.platforms.kubevirt import KubevirtPlatform
from hypershift.api.platforms.local import LocalPlatform
from hypershift.api.platforms.openstack import OpenStackPlatform
from hypershift.api.platforms.powervs import PowerVSPlatform
from hypershift.api.shape import Field, Shape, immutable, members
from hypershift.api.values import PlatformType


class Platform(Shape):
    """The infrastructure of a cluster. Only the stanza of its type may be set."""

    type: Annotated[
        str,
        Field(
            "Kind of infrastructure; `None` leaves the nodes to you. Immutable.",
            enum=members(
                PlatformType, OpenStack="OpenStack", GCP="GCPPlatform", Local="LocalPlatform"
            ),
            max_length=100,
            rules=(immutable("Type is immutable"),),
        ),
    ]
    agent: Annotated[
        AgentPlatform | None, Field("Machines that the assisted installer discovered.")
    ] = None
    aws: Annotated[AWSPlatform | None, Field("Amazon Web Services.")] = None
    azure: Annotated[AzurePlatform | None, Field("Microsoft Azure.")] = None
    gcp: Annotated[GCPPlatform | None, Field("Google Cloud.", gate="GCPPlatform")] = None
    ibmcloud: Annotated[IBMCloudPlatform | None, Field("IBM Cloud.")] = None
    kubevirt: Annotated[
        KubevirtPlatform | None, Field("Virtual machines in a Kubernetes cluster.")
    ] = None
    openstack: Annotated[OpenStackPlatform | None, Field("OpenStack.", gate="OpenStack")] = None
    powervs: Annotated[PowerVSPlatform | None, Field("IBM Power Virtual Server.")] = None
    local: Annotated[
        LocalPlatform | None,
        Field("Machines on the host of the management cluster.", gate="LocalPlatform"),
    ] = None


class PlatformStatus(Shape):
    """What platform integrations made for a cluster."""

    aws: Annotated[AWSPlatformStatus | None, Field("What was made on AWS.")] = None


class AWSPlatformStatus(Shape):
    """What was made for a cluster on AWS."""

    default_worker_security_group_id: Annotated[
        str | None, Field("Security group that nodes get by default.", max_length=255)
    ] = None
