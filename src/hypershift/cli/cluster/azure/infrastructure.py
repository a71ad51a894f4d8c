"""What a cluster on Azure stands on, read from files and flags."""

import re
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from hypershift.cli.cluster.azure.options import AzureOptions
from hypershift.cli.cluster.infra import from_yaml, unbuilt
from hypershift.cli.decoding import Struct
from hypershift.kit import Manifest, UsageError

CLOUDS = ("azure.net", "usgovcloudapi.net", "azure.cn", "microsoftazure.de", "sovcloud-api.fr")
VAULTS = {
    **{f"vault.{cloud}": "KeyVault" for cloud in CLOUDS},
    **{f"managedhsm.{cloud}": "ManagedHSM" for cloud in CLOUDS},
}
_TEXTS = (
    "baseDomain",
    "publicZoneID",
    "privateZoneID",
    "region",
    "resourceGroupName",
    "vnetID",
    "subnetID",
    "bootImageID",
    "infraID",
    "securityGroupID",
    "kmsClientID",
)
INFRA = Struct(
    "azure.CreateInfraOutput",
    {
        **dict.fromkeys(_TEXTS, str),
        "controlPlaneMIs": Struct("v1beta1.AzureResourceManagedIdentities"),
        "dataPlaneIdentities": Struct("v1beta1.DataPlaneManagedIdentities"),
        "workloadIdentities": Struct("v1beta1.AzureWorkloadIdentities"),
    },
)
CREDENTIALS = Struct("util.AzureCreds", {"subscriptionId": str, "tenantId": str})


@dataclass(frozen=True, slots=True)
class Infrastructure:
    """The infrastructure that a cluster stands on, whose it is, and the key of etcd."""

    infra: dict[str, Any]
    credentials: dict[str, Any]
    key: Manifest


def complete(options: AzureOptions) -> Infrastructure:
    """Read the descriptions of infrastructure, credentials and key."""
    if not options.infra_json:
        raise unbuilt("Azure", "--infra-json")
    infra = from_yaml(
        options.infra_json,
        "failed to read infra json file",
        "failed to deserialize infra json file",
        INFRA,
    )
    key = _encryption_key(options.encryption_key_id) if options.encryption_key_id else {}
    path = options.azure_creds
    credentials = from_yaml(
        path,
        f"failed to read --azure-creds file {path}",
        "failed to unmarshal --azure-creds file",
        CREDENTIALS,
    )
    return Infrastructure(infra, credentials, key)


def _encryption_key(identifier: str) -> Manifest:
    """Read `https://VAULT.vault.azure.net/keys/NAME/VERSION`."""
    failing = f'failed to get encryption key info: invalid encryption key identifier "{identifier}"'
    parsed = urlsplit(identifier)
    host = (parsed.hostname or "").lower()
    if not host:
        raise UsageError(f"{failing}: missing host")
    if not parsed.path.startswith("/keys/"):
        raise UsageError(f"{failing}: expected path to start with /keys/")
    match = re.fullmatch(r"/keys/([^/]+)/([^/]+)", parsed.path)
    if match is None:
        raise UsageError(f"{failing}: expected /keys/<keyName>/<keyVersion>")
    vault, dot, suffix = host.partition(".")
    if not dot or not vault:
        raise UsageError(
            f'{failing}: could not derive vault name and service suffix from host "{host}"'
        )
    if suffix not in VAULTS:
        raise UsageError(f'{failing}: unsupported Azure Key Vault host "{host}"')
    key = {"keyVaultName": vault, "keyName": match[1], "keyVersion": match[2]}
    return {"activeKey": key, "keyVaultType": VAULTS[suffix]}
