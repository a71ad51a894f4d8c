"""Clusters on Google Cloud."""

from __future__ import annotations

from typing import Annotated

from hypershift.api.platforms.gcp_identity import GCPWorkloadIdentity
from hypershift.api.shape import Field, Rule, Shape, constrained, immutable


@constrained(
    Rule(
        (
            "self.workloadIdentity.serviceAccountsEmails.controlPlane.contains('@')"
            " && self.workloadIdentity.serviceAccountsEmails.controlPlane.endsWith("
            "'@' + self.project + '.iam.gserviceaccount.com')"
        ),
        "controlPlane service account must belong to the same project",
    ),
    Rule(
        (
            "self.workloadIdentity.serviceAccountsEmails.nodePool.contains('@') &&"
            " self.workloadIdentity.serviceAccountsEmails.nodePool.endsWith('@' +"
            " self.project + '.iam.gserviceaccount.com')"
        ),
        "nodePool service account must belong to the same project",
    ),
    Rule(
        (
            "self.workloadIdentity.serviceAccountsEmails.cloudController.contains("
            "'@') && self.workloadIdentity.serviceAccountsEmails.cloudController."
            "endsWith('@' + self.project + '.iam.gserviceaccount.com')"
        ),
        "cloudController service account must belong to the same project",
    ),
    Rule(
        (
            "self.workloadIdentity.serviceAccountsEmails.storage.contains('@') &&"
            " self.workloadIdentity.serviceAccountsEmails.storage.endsWith('@' +"
            " self.project + '.iam.gserviceaccount.com')"
        ),
        "storage service account must belong to the same project",
    ),
    Rule(
        (
            "self.workloadIdentity.serviceAccountsEmails.imageRegistry.contains("
            "'@') && self.workloadIdentity.serviceAccountsEmails.imageRegistry."
            "endsWith('@' + self.project + '.iam.gserviceaccount.com')"
        ),
        "imageRegistry service account must belong to the same project",
    ),
    Rule(
        (
            "self.workloadIdentity.serviceAccountsEmails.network.endsWith('@' +"
            " self.project + '.iam.gserviceaccount.com')"
        ),
        "network service account must belong to the same project",
    ),
)
class GCPPlatform(Shape):
    """A cluster on Google Cloud."""

    network_config: Annotated[GCPNetworkConfig, Field("Network of the cluster.")]
    project: Annotated[
        str,
        Field(
            "Project id of the cluster's resources. Immutable.",
            min_length=6,
            max_length=30,
            rules=(
                Rule(
                    "self.matches('^[a-z][a-z0-9-]{4,28}[a-z0-9]$')",
                    (
                        "project must start with a lowercase letter, contain only lowercase"
                        " letters, digits, or hyphens, and end with a letter or digit"
                    ),
                ),
                immutable("Project is immutable"),
            ),
        ),
    ]
    region: Annotated[
        str,
        Field(
            "Region of the nodes, for example us-central1. Immutable.",
            min_length=1,
            max_length=63,
            rules=(
                Rule(
                    "self.matches('^[a-z]+-[a-z]+[0-9]+$')",
                    "region must be a valid GCP region (e.g., us-central1, europe-west2)",
                ),
                immutable("Region is immutable"),
            ),
        ),
    ]
    workload_identity: Annotated[
        GCPWorkloadIdentity,
        Field(
            "How service account tokens of the cluster are exchanged for Google credentials."
            " Immutable."
        ),
    ]
    endpoint_access: Annotated[
        str,
        Field(
            (
                "How the API can be reached: `Private` from the network by Private Service"
                " Connect, `PublicAndPrivate` from the Internet too. Default Private."
            ),
            enum=("PublicAndPrivate", "Private"),
        ),
    ] = "Private"
    resource_labels: Annotated[
        tuple[GCPResourceLabel, ...],
        Field(
            (
                "Labels on everything that is made for the cluster, at most 60. Changes reach new"
                " resources only."
            ),
            min_items=1,
            max_items=60,
            list_type="map",
            list_keys=("key",),
        ),
    ] = ()


class GCPNetworkConfig(Shape):
    """The network of a cluster on Google Cloud."""

    network: Annotated[GCPNetworkReference, Field("VPC network of the nodes. Immutable.")]
    private_service_connect_subnet: Annotated[
        GCPSubnetReference,
        Field("Subnet in which the private endpoint gets its address. Immutable."),
    ]


@constrained(
    immutable("Network is immutable"),
)
class GCPNetworkReference(Shape):
    """A VPC network."""

    name: Annotated[
        str,
        Field(
            "Name of the network.",
            min_length=1,
            max_length=63,
            rules=(
                Rule(
                    "self.matches('^[a-z]([-a-z0-9]*[a-z0-9])?$')",
                    (
                        "must start with a lowercase letter, contain only lowercase letters,"
                        " digits, or hyphens, and not end with a hyphen"
                    ),
                ),
            ),
        ),
    ]


@constrained(
    immutable("Private Service Connect subnet is immutable"),
)
class GCPSubnetReference(Shape):
    """A subnet."""

    name: Annotated[
        str,
        Field(
            "Name of the subnet.",
            min_length=1,
            max_length=63,
            rules=(
                Rule(
                    "self.matches('^[a-z]([-a-z0-9]*[a-z0-9])?$')",
                    (
                        "must start with a lowercase letter, contain only lowercase letters,"
                        " digits, or hyphens, and not end with a hyphen"
                    ),
                ),
            ),
        ),
    ]


class GCPResourceLabel(Shape):
    """A label on a Google Cloud resource."""

    key: Annotated[
        str,
        Field(
            "Key; begins with a lowercase letter, not with `goog`.",
            min_length=1,
            max_length=63,
            rules=(
                Rule(
                    "self.matches('^[a-z]([_a-z0-9-]{0,61}[a-z0-9])?$')",
                    (
                        "key must start with a lowercase letter, contain only lowercase"
                        " letters, digits, underscores, or hyphens, and end with a letter or"
                        " digit"
                    ),
                ),
                Rule(
                    "!self.startsWith('goog')",
                    "Label keys starting with the reserved 'goog' prefix are not allowed",
                ),
            ),
        ),
    ]
    value: Annotated[
        str,
        Field(
            "Value; may be empty.",
            min_length=0,
            max_length=63,
            rules=(
                Rule(
                    "self.matches('^$|^[a-z]([_a-z0-9-]{0,61}[a-z0-9])?$')",
                    (
                        "value must be empty or start with a lowercase letter, contain only"
                        " lowercase letters, digits, underscores, or hyphens, and end with a"
                        " letter or digit"
                    ),
                ),
            ),
        ),
    ]
