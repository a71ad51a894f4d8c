"""`create cluster azure`: virtual machines of Azure, in networks and with identities that exist."""

from hypershift.cli.cluster.azure.checks import NAT_SUBNET, check
from hypershift.cli.cluster.azure.infrastructure import complete
from hypershift.cli.cluster.azure.objects import extras, pools, specialize
from hypershift.cli.cluster.azure.options import AzureOptions
from hypershift.cli.cluster.platform import ClusterPlatform
from hypershift.cli.flags import BOOL, STRING_MAP, STRINGS, Flag
from hypershift.cli.nodepool import azure

_CREDENTIALS = Flag("azure-creds", "File with the credentials of Azure")

PLATFORM = ClusterPlatform(
    name="azure",
    type="Azure",
    upgrade_type="Replace",
    options=AzureOptions,
    flags=(
        *azure.FLAGS,
        Flag("availability-zones", "Zones of the nodes, one pool each: 1,2,3", STRINGS),
        Flag("dns-zone-rg-name", "Resource group of the DNS zone"),
        Flag("encryption-key-id", "Key that encrypts etcd, its URL in a key vault"),
        Flag("endpoint-access", "Public, PublicAndPrivate or Private", default="Public"),
        Flag(
            "endpoint-access-private-additional-allowed-subscriptions",
            "Further subscriptions that may reach a private cluster",
            STRINGS,
        ),
        Flag(NAT_SUBNET, "Subnet of the private link's addresses"),
        Flag("location", "Location of the cluster", default="eastus"),
        Flag("network-security-group-id", "Security group of the nodes"),
        Flag("oauth-publishing-strategy", "Route or LoadBalancer", default="Route"),
        Flag("oidc-issuer-url", "URL of the OIDC issuer"),
        Flag("resource-group-name", "Resource group of the cluster"),
        Flag("resource-group-tags", "Tags of the resource group", STRING_MAP, short="t"),
        Flag("sa-token-issuer-private-key-path", "File with the key that signs account tokens"),
        Flag("subnet-id", "Subnet of the nodes"),
        Flag("vnet-id", "Network of the nodes"),
        Flag("workload-identities-file", "File with the workload identities"),
    ),
    developer_flags=(
        Flag("assign-custom-hcp-roles", "Assign roles made for hosted control planes", BOOL),
        Flag("assign-service-principal-roles", "Assign roles to the identities", BOOL),
        _CREDENTIALS,
        Flag("data-plane-identities-file", "File with the nodes' managed identities"),
        Flag("kms-credentials-secret-name", "Secret with the credentials of the key"),
        Flag("managed-identities-file", "File with the control plane's managed identities"),
    ),
    product_flags=(
        Flag("auto-assign-roles", "Assign roles to the identities", BOOL),
        Flag("azure-creds", "File with the credentials of Azure", required=True),
        Flag("infra-json", "File with infrastructure that exists already"),
    ),
    check=check,
    complete=complete,
    specialize=specialize,
    pools=pools,
    extras=extras,
)
