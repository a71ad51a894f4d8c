"""How components identify themselves to Azure."""

from __future__ import annotations

from typing import Annotated

from hypershift.api.rules import AZURE_CLIENT_ID
from hypershift.api.shape import Field, Rule, Shape, constrained, members
from hypershift.api.values import AzureAuthenticationType


@constrained(
    Rule(
        (
            "self.azureAuthenticationConfigType == 'ManagedIdentities' ?"
            " has(self.managedIdentities) : !has(self.managedIdentities)"
        ),
        (
            "managedIdentities is required when azureAuthenticationConfigType is"
            " ManagedIdentities, and forbidden otherwise"
        ),
    ),
    Rule(
        (
            "self.azureAuthenticationConfigType == 'WorkloadIdentities' ?"
            " has(self.workloadIdentities) : !has(self.workloadIdentities)"
        ),
        (
            "workloadIdentities is required when azureAuthenticationConfigType is"
            " WorkloadIdentities, and forbidden otherwise"
        ),
    ),
)
class AzureAuthentication(Shape):
    """How components identify themselves to Azure."""

    azure_authentication_config_type: Annotated[
        str,
        Field(
            (
                "`ManagedIdentities` for the managed service, `WorkloadIdentities` for clusters"
                " you run yourself."
            ),
            enum=members(AzureAuthenticationType),
        ),
    ]
    managed_identities: Annotated[
        AzureManagedIdentities | None,
        Field("Identities of components; only with ManagedIdentities."),
    ] = None
    workload_identities: Annotated[
        AzureWorkloadIdentities | None,
        Field("Identities of components; only with WorkloadIdentities."),
    ] = None


class AzureManagedIdentities(Shape):
    """Managed identities of components."""

    control_plane: Annotated[
        AzureControlPlaneIdentities, Field("Identities of what runs on the management cluster.")
    ]
    data_plane: Annotated[
        AzureDataPlaneIdentities, Field("Identities of what runs on the cluster's own nodes.")
    ]


class AzureControlPlaneIdentities(Shape):
    """Managed identities of components on the management cluster."""

    cloud_provider: Annotated[
        AzureManagedIdentity,
        Field("Identity of the cloud controller: instances, load balancers, routes."),
    ]
    control_plane_operator: Annotated[
        AzureManagedIdentity,
        Field("Identity of the control plane operator: security groups and private endpoints."),
    ]
    disk: Annotated[AzureManagedIdentity, Field("Identity of the disk driver's controller.")]
    file: Annotated[AzureManagedIdentity, Field("Identity of the file share driver's controller.")]
    ingress: Annotated[
        AzureManagedIdentity, Field("Identity of the ingress operator: DNS records.")
    ]
    managed_identities_key_vault: Annotated[
        AzureKeyVault, Field("Key vault that holds the credentials of all these identities.")
    ]
    network: Annotated[
        AzureManagedIdentity, Field("Identity of the network operator: addresses of machines.")
    ]
    node_pool_management: Annotated[
        AzureManagedIdentity, Field("Identity of the Cluster API provider: machines of NodePools.")
    ]
    image_registry: Annotated[
        AzureManagedIdentity | None,
        Field("Identity of the image registry operator. Unset when the registry is disabled."),
    ] = None


class AzureManagedIdentity(Shape):
    """A managed identity and where its credentials are."""

    credentials_secret_name: Annotated[
        str,
        Field(
            "Name of the secret in the key vault that holds the credentials.",
            pattern="^[a-zA-Z0-9-]+$",
            min_length=1,
            max_length=127,
        ),
    ]
    object_encoding: Annotated[
        str,
        Field(
            "Encoding of that secret: `utf-8`, `hex` or `base64`.", enum=("utf-8", "hex", "base64")
        ),
    ]
    client_id: Annotated[
        str | None,
        Field(
            "Client id of the identity, a UUID.",
            pattern="^[0-9a-fA-F]{8}-([0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}$",
            min_length=36,
            max_length=36,
            rules=(AZURE_CLIENT_ID,),
        ),
    ] = None


class AzureKeyVault(Shape):
    """A key vault with credentials."""

    name: Annotated[str, Field("Name of the vault.", max_length=255)]
    tenant_id: Annotated[str, Field("Tenant of the vault, a UUID.", max_length=255)]


class AzureDataPlaneIdentities(Shape):
    """Managed identities of components on the cluster's own nodes."""

    disk_msi_client_id: Annotated[
        str, Field("Client id of the disk driver's identity.", max_length=255)
    ]
    file_msi_client_id: Annotated[
        str, Field("Client id of the file share driver's identity.", max_length=255)
    ]
    image_registry_msi_client_id: Annotated[
        str, Field("Client id of the image registry's identity.", max_length=255)
    ]


class AzureWorkloadIdentities(Shape):
    """Workload identities of components, federated with the cluster's token issuer."""

    cloud_provider: Annotated[AzureWorkloadIdentity, Field("Identity of the cloud controller.")]
    disk: Annotated[AzureWorkloadIdentity, Field("Identity of the disk driver.")]
    file: Annotated[AzureWorkloadIdentity, Field("Identity of the file share driver.")]
    image_registry: Annotated[
        AzureWorkloadIdentity, Field("Identity of the image registry operator.")
    ]
    ingress: Annotated[AzureWorkloadIdentity, Field("Identity of the ingress operator.")]
    network: Annotated[AzureWorkloadIdentity, Field("Identity of the network operator.")]
    node_pool_management: Annotated[
        AzureWorkloadIdentity, Field("Identity of the Cluster API provider.")
    ]
    control_plane_operator: Annotated[
        AzureWorkloadIdentity | None,
        Field("Identity of the control plane operator; for private topologies."),
    ] = None


class AzureWorkloadIdentity(Shape):
    """A workload identity."""

    client_id: Annotated[
        str,
        Field(
            "Client id of the identity, a UUID.",
            pattern="^[0-9a-fA-F]{8}-([0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}$",
            min_length=36,
            max_length=36,
            rules=(AZURE_CLIENT_ID,),
        ),
    ]
