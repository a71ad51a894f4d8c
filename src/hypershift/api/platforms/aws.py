"""Clusters on Amazon Web Services."""

from __future__ import annotations

from typing import Annotated

from hypershift.api.shape import Field, Rule, Shape, Value, members
from hypershift.api.values import EndpointAccess


class AWSPlatform(Shape):
    """A cluster on AWS."""

    region: Annotated[str, Field("AWS region of the cluster's nodes.", max_length=255)]
    roles_ref: Annotated[
        AWSRoles, Field("IAM roles that components assume by their service account tokens.")
    ]
    additional_allowed_principals: Annotated[
        tuple[str, ...],
        Field(
            (
                "ARNs of principals that may connect to the private endpoint service besides the"
                " cluster's own account, at most 25."
            ),
            items=Value(max_length=255),
            max_items=25,
        ),
    ] = ()
    cloud_provider_config: Annotated[
        AWSCloudProviderConfig | None, Field("Where the cloud controller works.")
    ] = None
    endpoint_access: Annotated[
        str,
        Field(
            (
                "How the API can be reached: `Public` from the Internet, `Private` from the VPC"
                " by PrivateLink, `PublicAndPrivate` both. Default Public. A switch between the"
                " last two is possible later."
            ),
            enum=members(EndpointAccess),
        ),
    ] = "Public"
    multi_arch: Annotated[
        bool,
        Field(
            "Whether NodePools of different architectures are wanted; the release image must"
            " then be for all. Default false."
        ),
    ] = False
    resource_tags: Annotated[
        tuple[AWSClusterTag, ...],
        Field(
            (
                "Tags on everything that is made on AWS for the cluster, at most 25; NodePools"
                " add their own. Changes reach new resources only."
            ),
            max_items=25,
        ),
    ] = ()
    service_endpoints: Annotated[
        tuple[AWSServiceEndpoint, ...],
        Field("Addresses of AWS services in place of the public ones, at most 50.", max_items=50),
    ] = ()
    shared_vpc: Annotated[
        AWSSharedVPC | None, Field("Settings for a VPC that another account owns.")
    ] = None
    termination_handler_queue_url: Annotated[
        str | None,
        Field(
            (
                "Address of the SQS queue with interruption notices for spot instances; its"
                " events drain nodes before they are taken away."
            ),
            pattern=(
                r"^https://sqs\.[a-z0-9-]+\.amazonaws\.com/[0-9]{12}/[a-zA-Z0-9_-]+(\."
                "fifo)?$"
            ),
            max_length=512,
        ),
    ] = None


class AWSCloudProviderConfig(Shape):
    """Where the cloud controller works."""

    vpc: Annotated[str, Field("Id of the VPC that nodes are in.", max_length=255)]
    subnet: Annotated[
        AWSResourceReference | None, Field("Subnet in which load balancers are made by default.")
    ] = None
    zone: Annotated[str | None, Field("Availability zone of the subnet.", max_length=255)] = None


class AWSResourceReference(Shape):
    """A resource on AWS, by id or by filters."""

    filters: Annotated[
        tuple[AWSFilter, ...],
        Field("Filters that find it, all of which must match; at most 50.", max_items=50),
    ] = ()
    id: Annotated[str | None, Field("Its id.", max_length=255)] = None


class AWSFilter(Shape):
    """One filter for resources on AWS."""

    name: Annotated[
        str,
        Field("Name of the filter, as the EC2 API has it, for example `tag:Name`.", max_length=255),
    ]
    values: Annotated[
        tuple[str, ...],
        Field(
            "Values of which one must match, at most 50.", items=Value(max_length=255), max_items=50
        ),
    ]


class AWSClusterTag(Shape):
    """A tag on a cluster's resources."""

    key: Annotated[
        str,
        Field(
            "Key of the tag, up to 128 characters.",
            min_length=1,
            max_length=128,
            rules=(
                Rule(
                    "self.matches('^[0-9A-Za-z_.:/=+@-]+$')",
                    "key must only contain letters, digits, and the characters _ . : / = + - @",
                ),
            ),
        ),
    ]
    value: Annotated[
        str,
        Field(
            "Value of the tag, up to 256 characters.",
            min_length=1,
            max_length=256,
            rules=(
                Rule(
                    "self.matches('^[0-9A-Za-z_.:/=+@-]+$')",
                    "value must only contain letters, digits, and the characters _ . : / = + - @",
                ),
            ),
        ),
    ]
    override_policy: Annotated[
        str | None,
        Field(
            (
                "Whether NodePools may set another value for this key: `Allow` or `Deny`. Default"
                " Allow."
            ),
            enum=("Allow", "Deny"),
        ),
    ] = None


class AWSRoles(Shape):
    """IAM roles by the component that assumes them."""

    control_plane_operator_arn: Annotated[
        str,
        Field(
            (
                "Role of the control plane operator: security groups, private endpoints, their"
                " DNS records."
            ),
            max_length=2048,
        ),
    ]
    image_registry_arn: Annotated[
        str, Field("Role of the image registry: its S3 bucket.", max_length=2048)
    ]
    ingress_arn: Annotated[
        str, Field("Role of the ingress operator: DNS records and load balancers.", max_length=2048)
    ]
    kube_cloud_controller_arn: Annotated[
        str,
        Field("Role of the cloud controller: instances, load balancers, routes.", max_length=2048),
    ]
    network_arn: Annotated[
        str, Field("Role of the network operator: addresses of instances.", max_length=2048)
    ]
    node_pool_management_arn: Annotated[
        str, Field("Role of the Cluster API provider: instances of NodePools.", max_length=2048)
    ]
    storage_arn: Annotated[
        str, Field("Role of the EBS driver: volumes and snapshots.", max_length=2048)
    ]


class AWSServiceEndpoint(Shape):
    """An address in place of an AWS service's public one."""

    name: Annotated[str, Field("Name of the service, for example `ec2`.", max_length=255)]
    url: Annotated[str, Field("Address, https.", pattern="^https://", max_length=2048)]


class AWSSharedVPC(Shape):
    """A VPC that another account owns."""

    local_zone_id: Annotated[
        str,
        Field(
            (
                "Id of the hosted zone for `hypershift.local`, made in the owner's account and"
                " shared with this one."
            ),
            max_length=32,
        ),
    ]
    roles_ref: Annotated[AWSSharedVPCRoles, Field("Roles in the owner's account.")]


class AWSSharedVPCRoles(Shape):
    """Roles in the account that owns a shared VPC."""

    control_plane_arn: Annotated[
        str,
        Field(
            "Role for private endpoints and their DNS records.",
            pattern=r"^arn:(aws|aws-cn|aws-us-gov):iam::[0-9]{12}:role\/.*$",
            max_length=2048,
        ),
    ]
    ingress_arn: Annotated[
        str,
        Field(
            "Role for DNS records of the ingress.",
            pattern=r"^arn:(aws|aws-cn|aws-us-gov):iam::[0-9]{12}:role\/.*$",
            max_length=2048,
        ),
    ]


class AWSResourceTag(Shape):
    """A tag on a resource."""

    key: Annotated[
        str,
        Field(
            "Key of the tag, up to 128 characters.",
            min_length=1,
            max_length=128,
            rules=(
                Rule(
                    "self.matches('^[0-9A-Za-z_.:/=+@-]+$')",
                    "key must only contain letters, digits, and the characters _ . : / = + - @",
                ),
            ),
        ),
    ]
    value: Annotated[
        str,
        Field(
            "Value of the tag, up to 256 characters.",
            min_length=1,
            max_length=256,
            rules=(
                Rule(
                    "self.matches('^[0-9A-Za-z_.:/=+@-]+$')",
                    "value must only contain letters, digits, and the characters _ . : / = + - @",
                ),
            ),
        ),
    ]
