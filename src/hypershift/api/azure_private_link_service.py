"""AzurePrivateLinkService: a private way to the API server on Azure."""

from __future__ import annotations

from typing import Annotated

from hypershift.api.azure_private_link_status import AzurePrivateLinkServiceStatus
from hypershift.api.kind import AGE, Column, Kind, Profile, Resource, condition_column, served
from hypershift.api.rules import AZURE_SUBNET_ID, UUID
from hypershift.api.shape import Field, Rule, Shape, Value, immutable


class AzurePrivateLinkServiceSpec(Shape):
    """What to connect by Private Link."""

    guest_subnet_id: Annotated[
        str,
        Field(
            (
                "Resource id of the subnet in which the private endpoint gets its address."
                " Immutable."
            ),
            min_length=1,
            max_length=355,
            rules=(
                immutable("guestSubnetID is immutable once set"),
                AZURE_SUBNET_ID,
            ),
        ),
    ]
    guest_vnet_id: Annotated[
        str,
        Field(
            "Resource id of the cluster's virtual network. Immutable.",
            min_length=1,
            max_length=355,
            rules=(
                immutable("guestVNetID is immutable once set"),
                Rule(
                    (
                        "self.matches('^/subscriptions/[^/]+/resourceGroups/[^/]+/providers/"
                        r"Microsoft\\.Network/virtualNetworks/[^/]+$')"
                    ),
                    (
                        "must be a valid Azure VNet resource ID (e.g., /subscriptions/{sub}/"
                        "resourceGroups/{rg}/providers/Microsoft.Network/virtualNetworks/"
                        "{vnet})"
                    ),
                ),
            ),
        ),
    ]
    location: Annotated[
        str,
        Field(
            "Azure region. Immutable.",
            min_length=1,
            max_length=50,
            rules=(
                immutable("location is immutable once set"),
                Rule(
                    "self.matches('^[a-z0-9]+$')",
                    (
                        "location must contain only lowercase alphanumeric characters (e.g.,"
                        " eastus, westeurope, centralus)"
                    ),
                ),
            ),
        ),
    ]
    resource_group_name: Annotated[
        str,
        Field(
            "Resource group that gets what is made. Immutable.",
            min_length=1,
            max_length=90,
            rules=(
                immutable("resourceGroupName is immutable once set"),
                Rule(
                    "self.matches(r'^[-a-zA-Z0-9_.()]+$') && !self.endsWith('.')",
                    (
                        "resourceGroupName must contain only alphanumerics, underscores,"
                        " hyphens, periods, and parentheses, and cannot end with a period"
                    ),
                ),
            ),
        ),
    ]
    subscription_id: Annotated[
        str,
        Field(
            "Subscription of the cluster, a UUID. Immutable.",
            min_length=36,
            max_length=36,
            rules=(
                immutable("subscriptionID is immutable once set"),
                UUID,
            ),
        ),
    ]
    additional_allowed_subscriptions: Annotated[
        tuple[str, ...],
        Field(
            (
                "Subscriptions, besides the cluster's own, that may make private endpoints; at"
                " most 50."
            ),
            items=Value(
                min_length=36,
                max_length=36,
                rules=(UUID,),
            ),
            min_items=1,
            max_items=50,
            list_type="set",
        ),
    ] = ()
    base_domain: Annotated[
        str | None,
        Field(
            "Domain of the cluster, for DNS records in its virtual network. Immutable.",
            min_length=1,
            max_length=253,
            rules=(
                immutable("baseDomain is immutable once set"),
                Rule(
                    (
                        r"self.matches('^[a-zA-Z0-9]([a-zA-Z0-9-]*[a-zA-Z0-9])?(\\.[a-zA-Z0-9]("
                        "[a-zA-Z0-9-]*[a-zA-Z0-9])?)*$')"
                    ),
                    (
                        "baseDomain must be a valid DNS domain name consisting of alphanumeric"
                        " characters, hyphens, and periods, where each segment starts and ends"
                        " with an alphanumeric character"
                    ),
                ),
            ),
        ),
    ] = None
    load_balancer_ip: Annotated[
        str | None,
        Field(
            "Address of the internal load balancer in front of the API server.",
            min_length=1,
            max_length=39,
            rules=(Rule("isIP(self)", "loadBalancerIP must be a valid IPv4 or IPv6 address"),),
        ),
    ] = None
    nat_subnet_id: Annotated[
        str | None,
        Field(
            (
                "Resource id of the subnet that addresses are translated into. Default: one is"
                " made. Immutable."
            ),
            min_length=1,
            max_length=355,
            rules=(
                immutable("natSubnetID is immutable once set"),
                AZURE_SUBNET_ID,
            ),
        ),
    ] = None


@served(
    Kind(
        group="hypershift.openshift.io",
        version="v1beta1",
        plural="azureprivatelinkservices",
        short_names=("azpls",),
        columns=(
            Column("PLS Alias", ".status.privateLinkServiceAlias", "PLS Alias"),
            Column("Endpoint IP", ".status.privateEndpointIP", "Endpoint IP"),
            condition_column("Available", "AzurePrivateLinkServiceAvailable", "Available"),
            AGE,
        ),
        profiles=(Profile.HYPERSHIFT, Profile.SELF_MANAGED),
    )
)
class AzurePrivateLinkService(Resource):
    """A private way from a hosted cluster's virtual network to its API server.

    Made by the operators.
    """

    spec: Annotated[AzurePrivateLinkServiceSpec, Field("What to connect.")]
    status: Annotated[AzurePrivateLinkServiceStatus, Field("What was made on Azure.")] = (
        AzurePrivateLinkServiceStatus()
    )
