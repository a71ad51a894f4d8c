"""`create operator-roles aws` and `create iam cli-role`: roles that outlive every cluster."""

import asyncio
import sys

from hypershift.cli.clouds.aws.account import log, login
from hypershift.cli.clouds.aws.infra import SOURCE_TAG, write_json
from hypershift.cli.flags import Values
from hypershift.cli.management import management
from hypershift.cloud.aws import Account
from hypershift.infra.aws import tags_of
from hypershift.infra.aws.roles.command_line import create_cli_role
from hypershift.infra.aws.roles.operator import OperatorRoles, create_operator_roles
from hypershift.kit import UsageError
from hypershift.kube import NotFound, kinds

GLOBAL = "us-east-1"  # IAM is the same in every region


async def create_operator(values: Values) -> int:
    """Make the operator's roles, and print or write the description of them."""
    if values["oidc-issuer-url"] and values["instance-role-arn"]:
        raise UsageError("--oidc-issuer-url and --instance-role-arn exclude each other")
    issuer = "" if values["instance-role-arn"] else await _issuer(values)
    wanted = OperatorRoles(
        prefix=values["name-prefix"],
        namespace=values["operator-namespace"],
        bucket=values["oidc-storage-provider-s3-bucket-name"],
        issuer=issuer,
        instance_role=values["instance-role-arn"],
        zone=values["route53-hosted-zone-id"],
        tags=(*tags_of(values["additional-tags"]), SOURCE_TAG),
    )
    region = values["region"] or GLOBAL
    account = await asyncio.to_thread(Account, login(values), "cli-create-operator-roles", region)
    made = await asyncio.to_thread(create_operator_roles, account, wanted, log)
    write_json(values["output-file"], made)
    if file := values["output-file"]:
        log("Install the operator with its roles", flag=f"--aws-operator-roles-file={file}")
    return 0


async def create_cli(values: Values) -> int:
    """Make the role of the command line, and print its ARN."""
    account = await asyncio.to_thread(Account, login(values), "cli-create-iam", GLOBAL)
    tags = tuple(values["additional-tags"].items())
    arn = await asyncio.to_thread(create_cli_role, account, values["name"], tags, log)
    sys.stdout.write(f"{arn}\n")
    return 0


async def _issuer(values: Values) -> str:
    """The issuer of the management cluster's tokens: the flag's, or OpenShift's."""
    if values["oidc-issuer-url"]:
        return str(values["oidc-issuer-url"])
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
