"""One role by its name: made where it is missing, and brought to its trust and its policy."""

import json
from dataclasses import dataclass
from typing import Any

from hypershift.cloud.aws import Account, Missing
from hypershift.infra.apply import Progress
from hypershift.infra.aws.roles.pieces import until_known
from hypershift.infra.aws.roles.policies import Document


@dataclass(frozen=True)
class WantedRole:
    """A role: who may take it, and what it may do."""

    name: str
    trust: Document
    policy: Document
    tags: tuple[tuple[str, str], ...] = ()


def ensure_role(account: Account, wanted: WantedRole, log: Progress) -> str:
    """The role's ARN; a second run changes nothing."""
    name, trust, policy = wanted.name, wanted.trust, wanted.policy
    role = _found(account, name)
    if role is None:
        role = _made(account, wanted)
        log("Created role", name=name)
    elif role["AssumeRolePolicyDocument"] != trust:
        text = json.dumps(trust)
        request = {"RoleName": name, "PolicyDocument": text}
        until_known(lambda: account.call("iam", "update_assume_role_policy", **request))
        log("Set trust policy of role", name=name)
    if _policy(account, name) != policy:
        request = {"RoleName": name, "PolicyName": name, "PolicyDocument": json.dumps(policy)}
        until_known(lambda: account.call("iam", "put_role_policy", **request))
        log("Added/Updated role policy", name=name)
    return str(role["Arn"])


def _found(account: Account, name: str) -> dict[str, Any] | None:
    try:
        role: dict[str, Any] = account.call("iam", "get_role", RoleName=name)["Role"]
    except Missing:
        return None
    return role


def _made(account: Account, wanted: WantedRole) -> dict[str, Any]:
    request = {
        "RoleName": wanted.name,
        "AssumeRolePolicyDocument": json.dumps(wanted.trust),
        "Tags": [{"Key": key, "Value": value} for key, value in wanted.tags],
    }
    made: Any = until_known(lambda: account.call("iam", "create_role", **request))
    role: dict[str, Any] = made["Role"]
    return role


def _policy(account: Account, name: str) -> Document | None:
    try:
        found = account.call("iam", "get_role_policy", RoleName=name, PolicyName=name)
    except Missing:
        return None
    document: Document = found["PolicyDocument"]
    return document
