"""Options that several commands of AWS share; no client of AWS is imported for them."""

from dataclasses import dataclass
from datetime import timedelta


@dataclass(frozen=True, slots=True, kw_only=True)
class LoginOptions:
    """The credentials of AWS; commands have some or all of their flags."""

    aws_creds: str = ""
    sts_creds: str = ""
    role_arn: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class AccountOptions(LoginOptions):
    """Where a command works on AWS, and as whom."""

    region: str
    vpc_owner_aws_creds: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class NetworkOptions:
    """The network that a command line asks for."""

    additional_tags: tuple[str, ...]
    base_domain: str
    base_domain_prefix: str
    enable_proxy: bool
    enable_secure_proxy: bool
    name: str
    private_zones_in_cluster_account: bool
    proxy_vpc_endpoint_service_name: str
    public_only: bool
    region: str
    single_nat_gateway: bool = False
    vpc_cidr: str
    vpc_owner_aws_creds: str = ""
    zones: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TeardownOptions:
    """What is known of a network that is removed."""

    aws_infra_grace_period: timedelta
    base_domain: str
    base_domain_prefix: str
    name: str
    private_zones_in_cluster_account: bool = False
    region: str


@dataclass(frozen=True, slots=True, kw_only=True)
class IssuerOptions:
    """Who issues the tokens of a cluster."""

    oidc_issuer_url: str
    kubeconfig: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class BucketOptions(IssuerOptions):
    """The same, or the bucket in which the issuer's documents are."""

    oidc_storage_provider_s3_bucket_name: str
    oidc_storage_provider_s3_region: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RoleOptions:
    """The roles that a command line asks for."""

    additional_tags: tuple[str, ...]
    base_domain: str
    kms_key_arn: str
    local_zone_id: str = ""
    oidc_issuer_url: str
    private_zone_id: str = ""
    private_zones_in_cluster_account: bool
    public_zone_id: str = ""
    region: str
    shared_role: bool
    use_rosa_managed_policies: bool
    vpc_owner_aws_creds: str = ""
