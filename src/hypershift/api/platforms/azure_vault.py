"""The host name of the vault that keeps a cluster's encryption keys."""

from hypershift.api.encryption import AzureKMS
from hypershift.api.values import KeyVaultType

DEFAULT_CLOUD = "AzurePublicCloud"
#: Domains of vaults and of managed HSMs, by cloud.
VAULT_DOMAINS = {
    DEFAULT_CLOUD: ("vault.azure.net", "managedhsm.azure.net"),
    "AzureUSGovernmentCloud": ("vault.usgovcloudapi.net", "managedhsm.usgovcloudapi.net"),
    "AzureChinaCloud": ("vault.azure.cn", "managedhsm.azure.cn"),
    "AzureGermanCloud": ("vault.microsoftazure.de", "managedhsm.microsoftazure.de"),
    "AzureBleuCloud": ("vault.sovcloud-api.fr", "managedhsm.sovcloud-api.fr"),
}


def vault_host(keys: AzureKMS, cloud: str) -> str:
    """The vault's name in the DNS; empty in a cloud that has no vaults."""
    plain, hsm = VAULT_DOMAINS.get(cloud or DEFAULT_CLOUD, ("", ""))
    domain = hsm if keys.key_vault_type == KeyVaultType.MANAGED_HSM else plain
    return f"{keys.active_key.key_vault_name}.{domain}" if domain else ""
