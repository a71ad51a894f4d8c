"""Pools of virtual machines on Microsoft Azure."""

from __future__ import annotations

from typing import Annotated

from hypershift.api.node_pool.azure_image import AzureImage, AzureOSDisk
from hypershift.api.rules import (
    AZURE_SUBNET_FORMAT,
    AZURE_SUBNET_NAME,
    AZURE_SUBNET_NAME_END,
    AZURE_SUBSCRIPTION_ID,
    AZURE_VNET_NAME_END,
)
from hypershift.api.shape import Field, Rule, Shape, constrained, immutable


class AzureNodePool(Shape):
    """Virtual machines on Azure. A change rolls the nodes."""

    image: Annotated[AzureImage, Field("Image to boot.")]
    os_disk: Annotated[AzureOSDisk, Field("Operating system disk.")]
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
                AZURE_SUBSCRIPTION_ID,
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
    vm_size: Annotated[
        str,
        Field(
            "Size of the machines, for example Standard_D4s_v5.",
            pattern=(
                "^(Standard_|Basic_)?[A-Z]+[0-9]+(-[0-9]+)?[abdilmptsCNP]*("
                "_[A-Z]*[0-9]+[A-Z]*)?(_v[0-9]+)?$"
            ),
            max_length=255,
        ),
    ]
    availability_zone: Annotated[
        str | None,
        Field(
            "Zone of the nodes, where the region has zones. Unset leaves it to Azure.",
            max_length=255,
            rules=(Rule("self in ['1', '2', '3']"),),
        ),
    ] = None
    diagnostics: Annotated[AzureDiagnostics | None, Field("Where boot diagnostics are kept.")] = (
        None
    )
    encryption_at_host: Annotated[
        str,
        Field(
            "Whether disks are encrypted on the host. Default Enabled.",
            enum=("Enabled", "Disabled"),
        ),
    ] = "Enabled"


@constrained(
    Rule(
        (
            "self.storageAccountType == 'UserManaged' ? has(self.userManaged) :"
            " !has(self.userManaged)"
        ),
        "userManaged is required when storageAccountType is UserManaged, and forbidden otherwise",
    ),
)
class AzureDiagnostics(Shape):
    """Where boot diagnostics are kept."""

    storage_account_type: Annotated[
        str,
        Field(
            (
                "`Managed` lets Azure keep them, `UserManaged` an account of yours, `Disabled`"
                " keeps none. Default Disabled."
            ),
            enum=("Managed", "UserManaged", "Disabled"),
        ),
    ] = "Disabled"
    user_managed: Annotated[
        AzureUserManagedDiagnostics | None,
        Field("Your account; only with `storageAccountType: UserManaged`."),
    ] = None


class AzureUserManagedDiagnostics(Shape):
    """A storage account of yours for boot diagnostics."""

    storage_account_uri: Annotated[
        str,
        Field(
            "Blob address of the account, https.",
            max_length=1024,
            rules=(
                Rule(
                    "isURL(self) && url(self).getScheme() == 'https'",
                    "storageAccountURI must be a valid HTTPS URL",
                ),
            ),
        ),
    ]
