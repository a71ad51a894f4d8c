"""What may not stand together on the command line of `create cluster aws`."""

from typing import NoReturn

from hypershift.cli import address
from hypershift.cli.cluster.infra import pretends, require_management
from hypershift.cli.flags import Values
from hypershift.kit import UsageError

VPC_PREFIX = "16"


def check(values: Values) -> None:
    if values["secret-creds"]:
        _check_secret(values)
    if values.get("aws-creds") and (values["sts-creds"] or values["role-arn"]):
        raise UsageError("only one of 'aws-creds' or 'role-arn' and 'sts-creds' can be provided")
    if values["sts-creds"] and not values["role-arn"]:
        raise UsageError("'role-arn' is required when 'sts-creds' is provided")
    _check_vpc(values["vpc-cidr"])
    if values["enable-proxy"] and values["enable-secure-proxy"]:
        raise UsageError("use --enable-proxy or --enable-secure-proxy but not both")


def product_check(values: Values) -> None:
    if values["secret-creds"]:
        _check_secret(values)
    if values["sts-creds"] and not values["role-arn"]:
        raise UsageError("'role-arn' is required when 'sts-creds' is provided")
    if not (values["sts-creds"] and values["role-arn"]):
        raise UsageError("'sts-creds' and 'role-arn' are required")


def _check_secret(values: Values) -> NoReturn:
    """Refuse credentials out of a Secret, first for what the original would miss."""
    if not values.get("aws-creds") and not values["role-arn"]:
        raise UsageError('required flag(s) "role-arn" not set')
    require_management(values)
    if pretends():
        raise UsageError(f'secrets "{values["secret-creds"]}" not found')
    raise UsageError(
        "credentials from a Secret (--secret-creds) are not built yet: give --pull-secret, "
        "--infra-json and --iam-json"
    )


def _check_vpc(text: str) -> None:
    if not text:
        return
    try:
        prefix = address.cidr(text).partition("/")[2]
    except ValueError as error:
        raise UsageError(f"invalid CIDR ({text}): {error}") from None
    if prefix != VPC_PREFIX:
        raise UsageError(f"only /16 size VPC CIDR supported ({text})")
