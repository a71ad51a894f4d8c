"""What `create cluster aws` is given."""

from dataclasses import dataclass

from hypershift.cli.clouds.aws.options import (
    AccountOptions,
    IssuerOptions,
    NetworkOptions,
    RoleOptions,
)
from hypershift.cli.cluster.options import ClusterOptions
from hypershift.cli.nodepool import aws


@dataclass(frozen=True, slots=True, kw_only=True)
class AwsOptions(ClusterOptions):
    """The flags of the platform, beside those of all."""

    account: AccountOptions
    issuer: IssuerOptions
    machine: aws.AwsMachine
    network: NetworkOptions
    roles: RoleOptions
    additional_tags: tuple[str, ...]
    auto_node: bool
    aws_creds: str = ""
    enable_proxy: bool
    enable_secure_proxy: bool
    endpoint_access: str
    iam_json: str = ""
    oidc_issuer_url: str
    region: str
    role_arn: str
    sa_token_issuer_private_key_path: str
    secret_creds: str
    sts_creds: str
    use_rosa_managed_policies: bool
    vpc_cidr: str
