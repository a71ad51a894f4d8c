"""The operator's own roles on AWS: private links, documents of token issuers, DNS records."""

from collections.abc import Iterator
from dataclasses import dataclass

from hypershift.cloud.aws import Account
from hypershift.infra.apply import Progress
from hypershift.infra.aws.roles.ensure import WantedRole, ensure_role
from hypershift.infra.aws.roles.look import providers
from hypershift.infra.aws.roles.policies import (
    Document,
    allow,
    document,
    role_trust,
    web_identity,
    zone_arn,
)
from hypershift.kit import UsageError

LINKS = document(
    allow(
        "ec2: CreateVpcEndpointServiceConfiguration DescribeVpcEndpointServiceConfigurations "
        "DeleteVpcEndpointServiceConfigurations DescribeVpcEndpointServicePermissions "
        "ModifyVpcEndpointServicePermissions CreateTags RejectVpcEndpointConnections "
        "DescribeVpcEndpointConnections DescribeInstanceTypes",
        "elasticloadbalancing: DescribeLoadBalancers",
    )
)


@dataclass(frozen=True)
class OperatorRoles:
    """The wanted roles, and who may take them."""

    prefix: str
    namespace: str
    bucket: str
    #: The issuer of the management cluster's tokens; empty where instances take the roles.
    issuer: str = ""
    instance_role: str = ""
    #: The zone that external-dns writes to; empty: every zone.
    zone: str = ""
    tags: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class OperatorRole:
    """One role: its field of the description, its name's end, its account and permissions."""

    field: str
    suffix: str
    account: str
    policy: Document


def operator_roles(wanted: OperatorRoles) -> Iterator[OperatorRole]:
    """The three roles."""
    objects = f"arn:aws:s3:::{wanted.bucket}/*"
    writes = document(allow("s3: PutObject DeleteObject", resource=objects))
    records = document(
        allow(
            "route53: ListHostedZones ListHostedZonesByName GetHostedZone GetChange "
            "ListTagsForResource"
        ),
        allow(
            "route53: ChangeResourceRecordSets ListResourceRecordSets",
            resource=zone_arn(wanted.zone or "*"),
        ),
    )
    yield OperatorRole("operatorEC2RoleARN", "operator-ec2", "operator", LINKS)
    yield OperatorRole("operatorOIDCS3RoleARN", "operator-oidc-s3", "operator", writes)
    yield OperatorRole("externalDNSRoleARN", "external-dns", "external-dns", records)


def create_operator_roles(account: Account, wanted: OperatorRoles, log: Progress) -> dict[str, str]:
    """Make what is missing; the description that `install --aws-operator-roles-file` takes."""
    provider = "" if wanted.instance_role else _provider(account, wanted.issuer)
    found = {}
    for role in operator_roles(wanted):
        subject = f"system:serviceaccount:{wanted.namespace}:{role.account}"
        by_instance = wanted.instance_role
        trust = role_trust((by_instance,)) if by_instance else web_identity(provider, (subject,))
        name = f"{wanted.prefix}-{role.suffix}"
        one = WantedRole(name, trust, role.policy, wanted.tags)
        found[role.field] = ensure_role(account, one, log)
    return found


def _provider(account: Account, issuer: str) -> str:
    """The provider of the management cluster's issuer, which its administrator made."""
    end = f":oidc-provider/{issuer.removeprefix('https://').rstrip('/')}"
    for arn in providers(account):
        if arn.endswith(end):
            return arn
    raise UsageError(
        f"the account has no OIDC provider for the issuer {issuer}: make it first, or give "
        "--instance-role-arn where instances of the management cluster take the roles"
    )
