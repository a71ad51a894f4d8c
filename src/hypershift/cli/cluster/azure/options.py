"""What `create cluster azure` is given."""

from dataclasses import dataclass

from hypershift.cli.cluster.options import ClusterOptions
from hypershift.cli.nodepool import azure


@dataclass(frozen=True, slots=True, kw_only=True)
class AzureOptions(ClusterOptions):
    """The flags of the platform, beside those of all."""

    machine: azure.AzureMachine
    assign_custom_hcp_roles: bool = False
    assign_service_principal_roles: bool = False
    auto_assign_roles: bool = False
    availability_zones: tuple[str, ...]
    azure_creds: str
    data_plane_identities_file: str = ""
    dns_zone_rg_name: str
    encryption_key_id: str
    endpoint_access: str
    endpoint_access_private_additional_allowed_subscriptions: tuple[str, ...]
    endpoint_access_private_nat_subnet_id: str
    kms_credentials_secret_name: str = ""
    managed_identities_file: str = ""
    network_security_group_id: str
    oauth_publishing_strategy: str
    oidc_issuer_url: str
    resource_group_name: str
    sa_token_issuer_private_key_path: str
    workload_identities_file: str
