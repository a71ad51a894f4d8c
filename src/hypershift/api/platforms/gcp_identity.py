"""How components identify themselves to Google Cloud."""

from __future__ import annotations

from typing import Annotated

from hypershift.api.rules import GCP_SERVICE_ACCOUNT_EMAIL
from hypershift.api.shape import Field, Rule, Shape, constrained, immutable


@constrained(
    immutable("WorkloadIdentity is immutable"),
)
class GCPWorkloadIdentity(Shape):
    """Workload identity federation. Service accounts must belong to the cluster's project."""

    pool_id: Annotated[
        str,
        Field(
            "Id of the workload identity pool. Immutable.",
            min_length=4,
            max_length=32,
            rules=(
                Rule(
                    "self.matches('^[a-z][a-z0-9-]{2,30}[a-z0-9]$')",
                    (
                        "poolID must start with a lowercase letter, contain only lowercase"
                        " letters, digits, or hyphens, and end with a letter or digit"
                    ),
                ),
                Rule(
                    "!self.startsWith('gcp-')", "Pool ID cannot start with reserved prefix 'gcp-'"
                ),
                immutable("Pool ID is immutable"),
            ),
        ),
    ]
    project_number: Annotated[
        str,
        Field(
            "Number of the project that owns the pool. Immutable.",
            min_length=1,
            max_length=25,
            rules=(
                Rule("self.matches('^[0-9]+$')", "projectNumber must contain only digits"),
                immutable("Project number is immutable"),
            ),
        ),
    ]
    provider_id: Annotated[
        str,
        Field(
            "Id of the provider in the pool. Immutable.",
            min_length=4,
            max_length=32,
            rules=(
                Rule(
                    "self.matches('^[a-z][a-z0-9-]{2,30}[a-z0-9]$')",
                    (
                        "providerID must start with a lowercase letter, contain only lowercase"
                        " letters, digits, or hyphens, and end with a letter or digit"
                    ),
                ),
                Rule(
                    "!self.startsWith('gcp-')",
                    "Provider ID cannot start with reserved prefix 'gcp-'",
                ),
                immutable("Provider ID is immutable"),
            ),
        ),
    ]
    service_accounts_emails: Annotated[GCPServiceAccounts, Field("Service accounts by component.")]


class GCPServiceAccounts(Shape):
    """Google service accounts by the component that acts as them."""

    cloud_controller: Annotated[
        str,
        Field(
            "Account of the cloud controller. Immutable.",
            min_length=37,
            max_length=85,
            rules=(
                immutable("CloudController is immutable"),
                GCP_SERVICE_ACCOUNT_EMAIL,
            ),
        ),
    ]
    control_plane: Annotated[
        str,
        Field(
            "Account of the control plane operator. Immutable.",
            min_length=37,
            max_length=85,
            rules=(
                immutable("ControlPlane is immutable"),
                GCP_SERVICE_ACCOUNT_EMAIL,
            ),
        ),
    ]
    image_registry: Annotated[
        str,
        Field(
            "Account of the image registry. Immutable.",
            min_length=37,
            max_length=85,
            rules=(
                immutable("ImageRegistry is immutable"),
                GCP_SERVICE_ACCOUNT_EMAIL,
            ),
        ),
    ]
    network: Annotated[
        str,
        Field(
            "Account of the network operator. Immutable.",
            min_length=37,
            max_length=85,
            rules=(
                immutable("Network is immutable"),
                GCP_SERVICE_ACCOUNT_EMAIL,
            ),
        ),
    ]
    node_pool: Annotated[
        str,
        Field(
            "Account of the Cluster API provider. Immutable.",
            min_length=37,
            max_length=85,
            rules=(
                immutable("NodePool is immutable"),
                GCP_SERVICE_ACCOUNT_EMAIL,
            ),
        ),
    ]
    storage: Annotated[
        str,
        Field(
            "Account of the disk driver. Immutable.",
            min_length=37,
            max_length=85,
            rules=(
                immutable("Storage is immutable"),
                GCP_SERVICE_ACCOUNT_EMAIL,
            ),
        ),
    ]
