"""AWSEndpointService: a private way to a control plane on AWS."""

from __future__ import annotations

from typing import Annotated

from hypershift.api.kind import Kind, Profile, Resource, served
from hypershift.api.meta import Condition
from hypershift.api.platforms.aws import AWSResourceTag
from hypershift.api.shape import Field, Shape, Value


class AWSEndpointServiceSpec(Shape):
    """What to connect by PrivateLink."""

    network_load_balancer_name: Annotated[
        str,
        Field(
            "Name of the network load balancer that the endpoint service is put in front of.",
            max_length=255,
        ),
    ]
    resource_tags: Annotated[
        tuple[AWSResourceTag, ...], Field("Tags on what is made, at most 25.", max_items=25)
    ] = ()
    subnet_ids: Annotated[
        tuple[str, ...],
        Field(
            "Subnets in the cluster's VPC that the endpoint gets an address in, at most 10.",
            items=Value(max_length=63),
            max_items=10,
        ),
    ] = ()


class AWSEndpointServiceStatus(Shape):
    """What was made for PrivateLink."""

    conditions: Annotated[
        tuple[Condition, ...],
        Field(
            "Whether each part works, one entry per type.",
            max_items=10,
            list_type="map",
            list_keys=("type",),
        ),
    ] = ()
    dns_names: Annotated[
        tuple[str, ...],
        Field(
            "DNS names that lead to the endpoint, at most 10.",
            items=Value(max_length=253),
            max_items=10,
        ),
    ] = ()
    dns_zone_id: Annotated[str | None, Field("Hosted zone of these names.", max_length=255)] = None
    endpoint_id: Annotated[
        str | None, Field("Id of the endpoint in the cluster's VPC.", max_length=255)
    ] = None
    endpoint_service_name: Annotated[
        str | None, Field("Name of the endpoint service that endpoints connect to.", max_length=255)
    ] = None
    security_group_id: Annotated[
        str | None, Field("Security group of the endpoint.", max_length=255)
    ] = None


@served(
    Kind(
        group="hypershift.openshift.io",
        version="v1beta1",
        plural="awsendpointservices",
        profiles=(Profile.HYPERSHIFT, Profile.SELF_MANAGED),
    )
)
class AWSEndpointService(Resource):
    """A private way from a hosted cluster's VPC to a service of its control plane.

    Made by the operators, one per service.
    """

    spec: Annotated[AWSEndpointServiceSpec, Field("What to connect.", optional=True)]
    status: Annotated[AWSEndpointServiceStatus, Field("What was made on AWS.")] = (
        AWSEndpointServiceStatus()
    )
