"""Roles that a role may take: those of another account, as in a VPC that is shared."""

from collections.abc import Callable
from typing import Any

from hypershift.cloud.aws.errors import AwsUnavailable
from hypershift.cloud.stores.keys import Keys
from hypershift.kit import Secret


def assume(call: Callable[..., dict[str, Any]], role: str, session: str) -> Keys:
    """The keys of a role; `session` names us in AWS' logs."""
    answer = call("sts", "AssumeRole", RoleArn=role, RoleSessionName=session)
    try:
        found = answer["AssumeRoleResult"]["Credentials"]
        key, secret, token = (
            str(found[name]) for name in ("AccessKeyId", "SecretAccessKey", "SessionToken")
        )
    except (LookupError, TypeError):
        raise AwsUnavailable("AWS lends no keys for sts:AssumeRole") from None
    return Keys(key, Secret(secret), Secret(token))
