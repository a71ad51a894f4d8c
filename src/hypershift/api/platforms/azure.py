"""Clusters on Microsoft Azure."""

from __future__ import annotations

from typing import Annotated

from hypershift.api.platforms.azure_identity import AzureAuthentication
from hypershift.api.platforms.azure_private import AzurePrivate
from hypershift.api.rules import (
    AZURE_SUBNET_FORMAT,
    AZURE_SUBNET_NAME,
    AZURE_SUBNET_NAME_END,
    AZURE_VNET_NAME_END,
)
from hypershift.api.shape import Field, Rule, Shape, constrained, immutable


@constrained(
    Rule(
        "has(self.private) == has(oldSelf.private)",
        "private cannot be added or removed after cluster creation",
    ),
    Rule("!has(oldSelf.topology) || has(self.topology)", "topology cannot be removed once set"),
    Rule(
        (
            "!has(self.topology) || !has(oldSelf.topology) || (self.topology =="
            " 'Public') == (oldSelf.topology == 'Public')"
        ),
        "transitions between Public and non-Public topology are not supported",
    ),
    Rule(
        (
            "has(self.topology) && (self.topology == 'Private' || self.topology =="
            " 'PublicAndPrivate') ? has(self.private) : !has(self.private)"
        ),
        (
            "private is required when topology is Private or PublicAndPrivate, and"
            " forbidden otherwise"
        ),
    ),
    Rule(
        (
            "!has(self.private) || self.private.type != 'PrivateLink' || self."
            "azureAuthenticationConfig.azureAuthenticationConfigType !="
            " 'WorkloadIdentities' || has(self.azureAuthenticationConfig."
            "workloadIdentities.controlPlaneOperator)"
        ),
        (
            "workloadIdentities.controlPlaneOperator is required when Private Link"
            " is configured with WorkloadIdentities authentication"
        ),
    ),
)
class AzurePlatform(Shape):
    """A cluster on Azure."""

    azure_authentication_config: Annotated[
        AzureAuthentication, Field("How components identify themselves to Azure.")
    ]
    location: Annotated[
        str,
        Field(
            "Azure region of the nodes. Immutable.",
            max_length=255,
            rules=(immutable("Location is immutable"),),
        ),
    ]
    security_group_id: Annotated[
        str,
        Field(
            "Resource id of the network security group of the nodes. Immutable.",
            max_length=255,
            rules=(immutable("SecurityGroupID is immutable"),),
        ),
    ]
    subnet_id: Annotated[
        str,
        Field(
            (
                "Resource id of the subnet of the nodes, `/subscriptions/.../subnets/<name>`."
                " Immutable."
            ),
            min_length=1,
            max_length=355,
            rules=(
                AZURE_SUBNET_FORMAT,
                Rule(
                    r"self.split('/')[4].matches('[a-zA-Z0-9-_\\(\\)\\.]{1,90}')",
                    (
                        "The resourceGroupName should be between 1 and 90 characters,"
                        " consisting only of alphanumeric characters, hyphens, underscores,"
                        " periods and parenthesis"
                    ),
                ),
                Rule(
                    "!self.split('/')[4].endsWith('.')",
                    (
                        "the resourceGroupName in the subnetID must not end with a period (.)"
                        " character"
                    ),
                ),
                Rule(
                    r"self.split('/')[8].matches('[a-zA-Z0-9-_\\.]{2,64}')",
                    (
                        "The vnetName should be between 2 and 64 characters, consisting only of"
                        " alphanumeric characters, hyphens, underscores and periods"
                    ),
                ),
                AZURE_VNET_NAME_END,
                AZURE_SUBNET_NAME,
                AZURE_SUBNET_NAME_END,
                immutable("SubnetID is immutable"),
            ),
        ),
    ]
    subscription_id: Annotated[
        str,
        Field(
            "Subscription of the cluster's resources, a UUID. Immutable.",
            max_length=255,
            rules=(immutable("SubscriptionID is immutable"),),
        ),
    ]
    tenant_id: Annotated[str, Field("Tenant of the subscription, a UUID.", max_length=255)]
    vnet_id: Annotated[
        str,
        Field(
            "Resource id of the virtual network of the nodes. Immutable.",
            max_length=255,
            rules=(immutable("VnetID is immutable"),),
        ),
    ]
    cloud: Annotated[
        str,
        Field(
            "Azure cloud environment. Default AzurePublicCloud.",
            enum=(
                "AzurePublicCloud",
                "AzureUSGovernmentCloud",
                "AzureChinaCloud",
                "AzureGermanCloud",
                "AzureBleuCloud",
                "AzureStackCloud",
            ),
        ),
    ] = "AzurePublicCloud"
    container_registry: Annotated[
        AzureContainerRegistry | None, Field("How nodes authenticate to Azure Container Registry.")
    ] = None
    private: Annotated[
        AzurePrivate | None,
        Field(
            "How the API is reached from inside the virtual network; required with the"
            " topologies Private and PublicAndPrivate, forbidden with Public. Not to be added"
            " or removed later."
        ),
    ] = None
    resource_group: Annotated[
        str,
        Field(
            (
                "Resource group, made beforehand, that gets the cluster's resources. Default"
                " `default`; immutable."
            ),
            pattern=r"^[a-zA-Z0-9_()\-\.]{1,89}[a-zA-Z0-9_()\-]$",
            max_length=90,
            rules=(immutable("ResourceGroupName is immutable"),),
            required=True,
        ),
    ] = "default"
    topology: Annotated[
        str | None,
        Field(
            (
                "How the API can be reached: `Public`, `PublicAndPrivate` or `Private`. Default"
                " Public. Cannot be removed, nor change between Public and the others."
            ),
            enum=("Public", "PublicAndPrivate", "Private"),
        ),
    ] = None


class AzureContainerRegistry(Shape):
    """Access to Azure Container Registry."""

    credentials: Annotated[AzureRegistryCredentials, Field("How nodes authenticate.")]


@constrained(
    Rule(
        "self.type == 'ManagedIdentity' ? has(self.managedIdentity) : !has(self.managedIdentity)",
        "managedIdentity is required when type is ManagedIdentity, and forbidden otherwise",
    ),
)
class AzureRegistryCredentials(Shape):
    """How nodes authenticate to Azure Container Registry."""

    type: Annotated[str, Field("Method. Only ManagedIdentity.", enum=("ManagedIdentity",))]
    managed_identity: Annotated[
        AzureRegistryIdentity | None,
        Field("Identity to use; required with `type: ManagedIdentity`."),
    ] = None


class AzureRegistryIdentity(Shape):
    """A managed identity that may pull images."""

    resource_id: Annotated[
        str,
        Field(
            (
                "Resource id of a user-assigned identity,"
                " `/subscriptions/.../userAssignedIdentities/<name>`."
            ),
            min_length=131,
            max_length=345,
            rules=(
                Rule(
                    (
                        "self.lowerAscii().matches('^/subscriptions/[^/]+/resourcegroups/[^/]+/"
                        r"providers/microsoft\\.managedidentity/userassignedidentities/[^/]+$')"
                    ),
                    (
                        "must be a user-assigned managed identity ARM resource ID in the format"
                        " /subscriptions/{subscriptionID}/resourceGroups/{resourceGroupName}/"
                        "providers/Microsoft.ManagedIdentity/userAssignedIdentities/"
                        "{identityName}"
                    ),
                ),
            ),
        ),
    ]
