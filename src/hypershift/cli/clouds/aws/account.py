"""Authenticates a command at AWS, and logs what is done there."""

import asyncio
import json
import sys
from datetime import UTC, datetime

from hypershift.cli.flags import Values
from hypershift.cloud.aws import Account, Login
from hypershift.infra.aws import Accounts
from hypershift.kit import rfc3339


def login(values: Values) -> Login:
    """The credentials that a command line names."""
    given = Login(values.get("aws-creds"), values.get("sts-creds"), values.get("role-arn"))
    given.check()
    return given


async def accounts(values: Values, agent: str) -> Accounts:
    """The cluster's account, and the one of the VPC's owner when that is another."""
    region = values["region"]
    cluster = await asyncio.to_thread(Account, login(values), agent, region)
    if not values.get("vpc-owner-aws-creds"):
        return Accounts(cluster, cluster)
    owner = Login(values["vpc-owner-aws-creds"])
    return Accounts(cluster, await asyncio.to_thread(Account, owner, agent, region))


def log(message: str, /, **values: str) -> None:
    """One line of JSON on stderr for each object, as the original writes them."""
    line = {"level": "info", "ts": rfc3339(datetime.now(UTC)), "msg": message, **values}
    sys.stderr.write(f"{json.dumps(line)}\n")
    sys.stderr.flush()
