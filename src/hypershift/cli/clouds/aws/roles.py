"""`create operator-roles aws` and `create iam cli-role`: roles that outlive every cluster."""

import asyncio
import sys
from dataclasses import dataclass

from hypershift.cli.clouds.aws.account import log, login
from hypershift.cli.clouds.aws.infra import SOURCE_TAG, write_json
from hypershift.cli.clouds.aws.options import LoginOptions
from hypershift.cli.management import management
from hypershift.cli.typed import Typed
from hypershift.cloud.aws import Account
from hypershift.infra.aws import tags_of
from hypershift.infra.aws.roles.command_line import create_cli_role
from hypershift.infra.aws.roles.operator import OperatorRoles, create_operator_roles
from hypershift.kit import UsageError
from hypershift.kube import NotFound, kinds

GLOBAL = "us-east-1"  # IAM is the same in every region


@dataclass(frozen=True, slots=True, kw_only=True)
class OperatorRoleOptions:
    """What `create operator-roles aws` is given."""

    login: LoginOptions
    additional_tags: tuple[str, ...]
    instance_role_arn: str
    name_prefix: str
    oidc_issuer_url: str
    oidc_storage_provider_s3_bucket_name: str
    operator_namespace: str
    output_file: str
    region: str
    route53_hosted_zone_id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CliRoleOptions:
    """What `create iam cli-role` is given."""

    login: LoginOptions
    additional_tags: dict[str, str]
    name: str


async def create_operator(options: OperatorRoleOptions) -> int:
    """Make the operator's roles, and print or write the description of them."""
    if options.oidc_issuer_url and options.instance_role_arn:
        raise UsageError("--oidc-issuer-url and --instance-role-arn exclude each other")
    issuer = "" if options.instance_role_arn else await _issuer(options)
    wanted = OperatorRoles(
        prefix=options.name_prefix,
        namespace=options.operator_namespace,
        bucket=options.oidc_storage_provider_s3_bucket_name,
        issuer=issuer,
        instance_role=options.instance_role_arn,
        zone=options.route53_hosted_zone_id,
        tags=(*tags_of(options.additional_tags), SOURCE_TAG),
    )
    region = options.region or GLOBAL
    account = await asyncio.to_thread(
        Account, login(options.login), "cli-create-operator-roles", region
    )
    made = await asyncio.to_thread(create_operator_roles, account, wanted, log)
    write_json(options.output_file, made)
    if file := options.output_file:
        log("Install the operator with its roles", flag=f"--aws-operator-roles-file={file}")
    return 0


async def create_cli(options: CliRoleOptions) -> int:
    """Make the role of the command line, and print its ARN."""
    account = await asyncio.to_thread(Account, login(options.login), "cli-create-iam", GLOBAL)
    tags = tuple(options.additional_tags.items())
    arn = await asyncio.to_thread(create_cli_role, account, options.name, tags, log)
    sys.stdout.write(f"{arn}\n")
    return 0


async def _issuer(options: OperatorRoleOptions) -> str:
    """The issuer of the management cluster's tokens: the flag's, or OpenShift's."""
    if options.oidc_issuer_url:
        return str(options.oidc_issuer_url)
    try:
        async with management("") as client:
            found = await client.find(kinds.CONFIG_AUTHENTICATION, "cluster")
    except NotFound:
        found = None
    if issuer := ((found or {}).get("spec") or {}).get("serviceAccountIssuer"):
        return str(issuer)
    raise UsageError(
        "the management cluster does not tell the issuer of its tokens: give --oidc-issuer-url or "
        "--instance-role-arn"
    )


CREATE_OPERATOR = Typed(OperatorRoleOptions, create_operator)
CREATE_CLI = Typed(CliRoleOptions, create_cli)
