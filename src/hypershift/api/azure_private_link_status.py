"""What was made on Azure for a private link."""

from __future__ import annotations

from typing import Annotated

from hypershift.api.meta import Condition
from hypershift.api.shape import Field, Rule, Shape, constrained


@constrained(
    min_properties=1,
)
class AzurePrivateLinkServiceStatus(Shape):
    """What was made for Private Link."""

    base_domain_dns_zone_id: Annotated[
        str | None,
        Field(
            "Resource id of the private DNS zone of the cluster's domain.",
            min_length=1,
            max_length=265,
            rules=(
                Rule(
                    (
                        "self.matches('^/subscriptions/[^/]+/resourceGroups/[^/]+/providers/"
                        r"Microsoft\\.Network/privateDnsZones/[^/]+$')"
                    ),
                    (
                        "baseDomainDNSZoneID must be an Azure Private DNS Zone resource ID"
                        " (e.g., /subscriptions/{sub}/resourceGroups/{rg}/providers/Microsoft."
                        "Network/privateDnsZones/{zoneName})"
                    ),
                ),
            ),
        ),
    ] = None
    conditions: Annotated[
        tuple[Condition, ...],
        Field(
            "Whether each part works, one entry per type.",
            min_items=1,
            max_items=10,
            list_type="map",
            list_keys=("type",),
        ),
    ] = ()
    dns_zone_name: Annotated[
        str | None,
        Field(
            "Name of the private DNS zone.",
            min_length=1,
            max_length=253,
            rules=(
                Rule(
                    (
                        r"self.matches('^[a-zA-Z0-9]([a-zA-Z0-9-]*[a-zA-Z0-9])?(\\.[a-zA-Z0-9]("
                        "[a-zA-Z0-9-]*[a-zA-Z0-9])?)*$')"
                    ),
                    (
                        "dnsZoneName must be a valid DNS domain name consisting of alphanumeric"
                        " characters, hyphens, and periods, where each segment starts and ends"
                        " with an alphanumeric character"
                    ),
                ),
            ),
        ),
    ] = None
    internal_load_balancer_id: Annotated[
        str | None,
        Field(
            "Resource id of the internal load balancer.",
            min_length=1,
            max_length=284,
            rules=(
                Rule(
                    (
                        "self.matches('^/subscriptions/[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F"
                        "]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}/resourceGroups/[^/]+/providers/"
                        r"Microsoft\\.Network/loadBalancers/[^/]+$')"
                    ),
                    (
                        "internalLoadBalancerID must be an Azure load balancer resource ID in"
                        " the format /subscriptions/{subscriptionID}/resourceGroups/"
                        "{resourceGroup}/providers/Microsoft.Network/loadBalancers/"
                        "{loadBalancerName}"
                    ),
                ),
            ),
        ),
    ] = None
    private_dns_zone_id: Annotated[
        str | None,
        Field(
            "Resource id of the private DNS zone.",
            min_length=1,
            max_length=265,
            rules=(
                Rule(
                    (
                        "self.matches('^/subscriptions/[^/]+/resourceGroups/[^/]+/providers/"
                        r"Microsoft\\.Network/privateDnsZones/[^/]+$')"
                    ),
                    (
                        "privateDNSZoneID must be an Azure Private DNS Zone resource ID (e.g.,"
                        " /subscriptions/{sub}/resourceGroups/{rg}/providers/Microsoft.Network/"
                        "privateDnsZones/{zoneName})"
                    ),
                ),
            ),
        ),
    ] = None
    private_endpoint_id: Annotated[
        str | None,
        Field(
            "Resource id of the private endpoint.",
            min_length=1,
            max_length=267,
            rules=(
                Rule(
                    (
                        "self.matches('^/subscriptions/[^/]+/resourceGroups/[^/]+/providers/"
                        r"Microsoft\\.Network/privateEndpoints/[^/]+$')"
                    ),
                    (
                        "privateEndpointID must be an Azure Private Endpoint resource ID (e.g.,"
                        " /subscriptions/{sub}/resourceGroups/{rg}/providers/Microsoft.Network/"
                        "privateEndpoints/{endpointName})"
                    ),
                ),
            ),
        ),
    ] = None
    private_endpoint_ip: Annotated[
        str | None,
        Field(
            "Address of the private endpoint.",
            min_length=1,
            max_length=39,
            rules=(Rule("isIP(self)", "privateEndpointIP must be a valid IPv4 or IPv6 address"),),
        ),
    ] = None
    private_link_service_alias: Annotated[
        str | None,
        Field(
            "Name by which endpoints in other subscriptions can connect.",
            min_length=1,
            max_length=170,
            rules=(
                Rule(
                    (
                        r"self.matches('^[^.]+\\.[0-9a-fA-F-]+\\.[a-z0-9]+\\.azure\\."
                        "privatelinkservice$')"
                    ),
                    (
                        "privateLinkServiceAlias must match the Azure PLS alias format"
                        " {plsName}.{guid}.{region}.azure.privatelinkservice"
                    ),
                ),
            ),
        ),
    ] = None
    private_link_service_id: Annotated[
        str | None,
        Field(
            "Resource id of the private link service.",
            min_length=1,
            max_length=270,
            rules=(
                Rule(
                    (
                        "self.matches('^/subscriptions/[^/]+/resourceGroups/[^/]+/providers/"
                        r"Microsoft\\.Network/privateLinkServices/[^/]+$')"
                    ),
                    (
                        "privateLinkServiceID must be an Azure Private Link Service resource ID"
                        " (e.g., /subscriptions/{sub}/resourceGroups/{rg}/providers/Microsoft."
                        "Network/privateLinkServices/{plsName})"
                    ),
                ),
            ),
        ),
    ] = None
