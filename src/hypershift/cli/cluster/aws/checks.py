"""What may not stand together on the command line of `create cluster aws`."""

import ipaddress
from collections.abc import Iterator
from itertools import combinations
from typing import NoReturn

from hypershift.cli import address
from hypershift.cli.cluster.aws.options import AwsOptions
from hypershift.cli.cluster.infra import pretends, require_management
from hypershift.infra.aws import DEFAULT_CIDR
from hypershift.kit import UsageError

VPC_PREFIX = "16"


def check(options: AwsOptions) -> None:
    if options.secret_creds:
        _check_secret(options)
    if options.aws_creds and (options.sts_creds or options.role_arn):
        raise UsageError("only one of 'aws-creds' or 'role-arn' and 'sts-creds' can be provided")
    if options.sts_creds and not options.role_arn:
        raise UsageError("'role-arn' is required when 'sts-creds' is provided")
    _check_vpc(options.vpc_cidr)
    if options.enable_proxy and options.enable_secure_proxy:
        raise UsageError("use --enable-proxy or --enable-secure-proxy but not both")


def product_check(options: AwsOptions) -> None:
    if options.secret_creds:
        _check_secret(options)
    if options.sts_creds and not options.role_arn:
        raise UsageError("'role-arn' is required when 'sts-creds' is provided")
    if not (options.sts_creds and options.role_arn):
        raise UsageError("'sts-creds' and 'role-arn' are required")


def overlaps(options: AwsOptions) -> Iterator[str]:
    """Yield ranges of machines, pods and Services that overlap.

    The operator refuses such a cluster too, but only once its network and roles are made. A range
    that cannot be read is reported where it is decoded.
    """
    ranges = []
    for flag, texts in (
        ("--vpc-cidr", (options.vpc_cidr or DEFAULT_CIDR,)),
        ("--cluster-cidr", options.cluster_cidr),
        ("--service-cidr", options.service_cidr),
    ):
        for text in texts:
            try:
                ranges.append((flag, ipaddress.ip_network(text, strict=False)))
            except ValueError:
                continue
    for (one, first), (other, second) in combinations(ranges, 2):
        if first.overlaps(second):
            yield f"{one} {first} and {other} {second} overlap"


def _check_secret(options: AwsOptions) -> NoReturn:
    """Refuse credentials out of a Secret, first for what the original would miss."""
    if not options.aws_creds and not options.role_arn:
        raise UsageError('required flag(s) "role-arn" not set')
    require_management(options.kubeconfig)
    if pretends():
        raise UsageError(f'secrets "{options.secret_creds}" not found')
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
