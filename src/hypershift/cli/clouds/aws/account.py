"""Authenticates a command at AWS, and logs what is done there."""

import asyncio
import json
import sys
from datetime import UTC, datetime

from hypershift.cli.clouds.aws.options import AccountOptions, LoginOptions
from hypershift.cloud.aws import Account, Login
from hypershift.infra.aws import Accounts
from hypershift.kit import rfc3339


def login(options: LoginOptions) -> Login:
    """The credentials that a command line names."""
    given = Login(options.aws_creds, options.sts_creds, options.role_arn)
    given.check()
    return given


async def accounts(options: AccountOptions, agent: str) -> Accounts:
    """The cluster's account, and the one of the VPC's owner when that is another."""
    region = options.region
    cluster = await asyncio.to_thread(Account, login(options), agent, region)
    if not options.vpc_owner_aws_creds:
        return Accounts(cluster, cluster)
    owner = Login(options.vpc_owner_aws_creds)
    return Accounts(cluster, await asyncio.to_thread(Account, owner, agent, region))


def log(message: str, /, **values: str) -> None:
    """One line of JSON on stderr for each object, as the original writes them."""
    line = {"level": "info", "ts": rfc3339(datetime.now(UTC)), "msg": message, **values}
    sys.stderr.write(f"{json.dumps(line)}\n")
    sys.stderr.flush()
