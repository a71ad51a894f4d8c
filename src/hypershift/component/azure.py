"""The settings that Azure's programs read."""

import json
from typing import Any

from hypershift.api.platforms.azure import AzurePlatform
from hypershift.api.platforms.azure_identity import AzureWorkloadIdentities
from hypershift.component import vault
from hypershift.component.view import View
from hypershift.kit import InvalidSpec

TOKEN_FILE = "/var/run/secrets/openshift/serviceaccount/token"  # noqa: S105 - a path
#: The default settings that Azure's programs read.
SETTINGS: dict[str, Any] = {
    "cloud": "",
    "tenantId": "",
    "useManagedIdentityExtension": False,
    "useFederatedWorkloadIdentityExtension": False,
    "subscriptionId": "",
    "aadClientId": "",
    "aadClientSecret": "",
    "aadClientCertPath": "",
    "aadFederatedTokenFile": "",
    "aadMSIDataPlaneIdentityPath": "",
    "resourceGroup": "",
    "location": "",
    "vnetName": "",
    "vnetResourceGroup": "",
    "subnetName": "",
    "securityGroupName": "",
    "securityGroupResourceGroup": "",
    "routeTableName": "",
    "cloudProviderBackoff": False,
    "cloudProviderBackoffDuration": 0,
    "useInstanceMetadata": False,
    "loadBalancerSku": "",
    "disableOutboundSNAT": False,
    "loadBalancerName": "",
    "clusterServiceLoadBalancerHealthProbeMode": "",
}


def platform(view: View) -> AzurePlatform:
    """The cluster's section about Azure."""
    found = view.spec.platform.azure
    if found is None:
        raise InvalidSpec("the cluster says nothing of Azure", field="spec.platform.azure")
    return found


def place(azure: AzurePlatform) -> dict[str, Any]:
    """Subscription, network and location of a cluster, under the names of the settings."""
    group, network = resource(azure.vnet_id, "vnetID")
    return {
        "cloud": azure.cloud or "",
        "tenantId": azure.tenant_id,
        "subscriptionId": azure.subscription_id,
        "resourceGroup": azure.resource_group or "",
        "location": azure.location,
        "vnetName": network,
        "vnetResourceGroup": group,
    }


def workload_identities(view: View) -> AzureWorkloadIdentities:
    """The identities of a cluster that takes them on with its own tokens."""
    own = platform(view).azure_authentication_config.workload_identities
    if own is None:
        raise InvalidSpec(
            "there are no workload identities",
            field="spec.platform.azure.azureAuthenticationConfig.workloadIdentities",
        )
    return own


def federated(client_id: str) -> dict[str, Any]:
    """The settings of a program that takes on an identity with a token of the guest."""
    return {
        "useFederatedWorkloadIdentityExtension": True,
        "aadClientId": client_id,
        "aadFederatedTokenFile": TOKEN_FILE,
    }


def settings(values: dict[str, Any]) -> str:
    """The document with all settings."""
    return json.dumps({**SETTINGS, **values}, indent=2)


def resource(identifier: str, field: str) -> tuple[str, str]:
    """Resource group and last name of `/subscriptions/S/resourceGroups/G/providers/.../name`."""
    parts = identifier.split("/")
    if len(parts) < 9 or parts[3].lower() != "resourcegroups":  # noqa: PLR2004 - as drawn above
        raise InvalidSpec(f"{identifier!r} is no resource id", field=f"spec.platform.azure.{field}")
    return parts[4], parts[-1]


def credentials_name(view: View, chosen: vault.Chosen) -> str:
    """The name under which the vault keeps an identity's credentials."""
    return vault.identity(view, chosen).credentials_secret_name


def credentials_file(view: View, chosen: vault.Chosen) -> str:
    """The file in which a container finds an identity's credentials."""
    return f"{vault.PATH}/{credentials_name(view, chosen)}"
