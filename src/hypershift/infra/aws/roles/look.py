"""One look at the identities that AWS has of a cluster."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from hypershift.cloud.aws import Account, Missing
from hypershift.infra.aws.look import Accounts
from hypershift.infra.aws.questions import side_by_side
from hypershift.infra.aws.roles.wanted import SHARED_VPC_ROLES, WantedRoles, bindings


@dataclass(frozen=True, slots=True)
class Role:
    """A role that is there: its ARN, who may take it, and its policies."""

    arn: str
    trust: dict[str, Any]
    inline: dict[str, Any] = field(default_factory=dict)
    attached: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Identities:
    """What AWS has: providers by ARN, roles by name, the roles of the instance profile."""

    providers: tuple[str, ...] = ()
    roles: dict[str, Role] = field(default_factory=dict)
    profile: str = ""
    profile_roles: frozenset[str] = frozenset()


def home(wanted: WantedRoles, accounts: Accounts, name: str) -> Account:
    """The account of a role: those that reach into a shared VPC are its owner's."""
    if name == f"{wanted.infra_id}-shared-vpc-route53" and wanted.zones_in_cluster_account:
        return accounts.cluster
    shared = {f"{wanted.infra_id}-{each}" for each in SHARED_VPC_ROLES}
    return accounts.owner if name in shared else accounts.cluster


def look_for_roles(accounts: Accounts, wanted: WantedRoles) -> Identities:
    """Ask AWS for everything that the plan of a cluster's roles depends on."""
    names = {wanted.role(each.name) for each in bindings(wanted)} | {wanted.worker_role}
    if wanted.shared_vpc:
        names |= {f"{wanted.infra_id}-{each}" for each in SHARED_VPC_ROLES}
    found = side_by_side(
        {
            "providers": lambda: providers(accounts.cluster),
            "profile": lambda: _profile(accounts.cluster, wanted.profile),
            "roles": lambda: roles(accounts, wanted, names),
        }
    )
    profile, profile_roles = found.pop("profile")
    return Identities(**found, profile=profile, profile_roles=profile_roles)


def providers(account: Account) -> tuple[str, ...]:
    answer = account.call("iam", "list_open_id_connect_providers")
    return tuple(sorted(each["Arn"] for each in answer["OpenIDConnectProviderList"]))


def roles(accounts: Accounts, wanted: WantedRoles, names: Iterable[str]) -> dict[str, Role]:
    found = side_by_side(
        {name: lambda name=name: _role(home(wanted, accounts, name), name) for name in names}  # type: ignore[misc]
    )
    return {name: role for name, role in found.items() if role is not None}


def _role(account: Account, name: str) -> Role | None:
    try:
        role = account.call("iam", "get_role", RoleName=name)["Role"]
        inline = {
            policy: account.call("iam", "get_role_policy", RoleName=name, PolicyName=policy)
            for policy in account.all("iam", "list_role_policies", "PolicyNames", RoleName=name)
        }
        attached = account.all(
            "iam", "list_attached_role_policies", "AttachedPolicies", RoleName=name
        )
    except Missing:
        return None
    documents = {policy: answer["PolicyDocument"] for policy, answer in inline.items()}
    arns = frozenset(each["PolicyArn"] for each in attached)
    return Role(role["Arn"], role["AssumeRolePolicyDocument"], documents, arns)


def _profile(account: Account, name: str) -> tuple[str, frozenset[str]]:
    try:
        found = account.call("iam", "get_instance_profile", InstanceProfileName=name)
    except Missing:
        return "", frozenset()
    profile = found["InstanceProfile"]
    return profile["Arn"], frozenset(each["RoleName"] for each in profile["Roles"])
