"""Clusters on IBM Power Virtual Server."""

from __future__ import annotations

from typing import Annotated

from hypershift.api.meta import LocalObjectReference
from hypershift.api.shape import Field, Shape


class PowerVSPlatform(Shape):
    """A cluster on IBM Power Virtual Server."""

    account_id: Annotated[str, Field("IBM Cloud account.", max_length=255)]
    cis_instance_crn: Annotated[
        str,
        Field(
            "CRN of the Internet Services instance that holds the DNS zone.",
            pattern="^crn:",
            max_length=255,
        ),
    ]
    image_registry_operator_cloud_creds: Annotated[
        LocalObjectReference, Field("Secret with credentials of the image registry operator.")
    ]
    ingress_operator_cloud_creds: Annotated[
        LocalObjectReference, Field("Secret with credentials of the ingress operator.")
    ]
    kube_cloud_controller_creds: Annotated[
        LocalObjectReference, Field("Secret with credentials of the cloud controller.")
    ]
    node_pool_management_creds: Annotated[
        LocalObjectReference, Field("Secret with credentials of the Cluster API provider.")
    ]
    region: Annotated[str, Field("Region of the Power workspace.", max_length=255)]
    resource_group: Annotated[
        str, Field("Resource group of the cluster's resources.", max_length=255)
    ]
    service_instance_id: Annotated[str, Field("Id of the Power workspace, a UUID.", max_length=255)]
    storage_operator_cloud_creds: Annotated[
        LocalObjectReference, Field("Secret with credentials of the storage operator.")
    ]
    subnet: Annotated[PowerVSResource, Field("Subnet of the nodes in the workspace.")]
    vpc: Annotated[PowerVSVPC, Field("VPC that load balancers are made in.")]
    zone: Annotated[str, Field("Zone of the Power workspace.", max_length=255)]


class PowerVSResource(Shape):
    """A resource of a Power workspace, by id or name."""

    id: Annotated[str | None, Field("Its id.", max_length=255)] = None
    name: Annotated[str | None, Field("Its name.", max_length=255)] = None


class PowerVSVPC(Shape):
    """The VPC that load balancers are made in."""

    name: Annotated[str, Field("Name of the VPC.", max_length=255)]
    region: Annotated[str, Field("Region of the VPC.", max_length=255)]
    subnet: Annotated[
        str | None, Field("Subnet in the VPC for load balancers.", max_length=255)
    ] = None
    zone: Annotated[str | None, Field("Zone in the region for load balancers.", max_length=255)] = (
        None
    )
