"""Remove a cluster's roles on AWS: provider, roles with their policies, instance profile."""

from collections.abc import Iterator

from hypershift.cloud.aws import Account, AwsRefusal, AwsUnavailable, Missing
from hypershift.infra.apply import Progress
from hypershift.infra.aws.look import Accounts
from hypershift.infra.aws.roles.look import providers
from hypershift.infra.aws.roles.wanted import ROLE_NAMES, SHARED_VPC_ROLES, WORKER_ROLES
from hypershift.infra.destroy import Found, Removal, destroy
from hypershift.kit import Clock

#: Seconds after which what AWS still refuses is named: it forgets slowly who uses a role.
PATIENCE = 180.0
AwsRemoval = Removal[Accounts]


async def destroy_roles(accounts: Accounts, infra_id: str, *, log: Progress, clock: Clock) -> None:
    """Remove everything; in the end nothing of the cluster is left, or an error says what."""

    def look() -> Found[Accounts]:
        return Found(tuple(role_removals(accounts, infra_id)))

    await destroy(accounts, look, log=log, clock=clock, grace=PATIENCE)


def role_removals(accounts: Accounts, infra_id: str) -> Iterator[AwsRemoval]:
    """What is there, by the names that follow from the infra id."""
    own = accounts.cluster
    for arn in providers(own):
        if arn.endswith(f"/{infra_id}"):
            yield _provider(arn)
    profile = f"{infra_id}-worker"
    if is_there(own, "get_instance_profile", InstanceProfileName=profile):
        yield _profile(profile)
    for name in (*ROLE_NAMES, *WORKER_ROLES, *SHARED_VPC_ROLES):
        role = f"{infra_id}-{name}"
        if is_there(own, "get_role", RoleName=role):
            yield _role(own, role, (profile,))
    if accounts.shared:
        for name in SHARED_VPC_ROLES:
            role = f"{infra_id}-{name}"
            if is_there(accounts.owner, "get_role", RoleName=role):
                yield _role(accounts.owner, role, ())


def is_there(account: Account, operation: str, **request: str) -> bool:
    try:
        account.call("iam", operation, **request)
    except Missing:
        return False
    return True


def _remove_if_present(account: Account, operation: str, **request: str) -> None:
    """Remove something that may be gone; what is still in use is tried again."""
    try:
        account.call("iam", operation, **request)
    except Missing:
        return
    except AwsRefusal as error:
        if error.code == "DeleteConflict":
            raise AwsUnavailable(str(error)) from None
        raise


def _provider(arn: str) -> AwsRemoval:
    def act(aws: Accounts) -> None:
        _remove_if_present(
            aws.cluster, "delete_open_id_connect_provider", OpenIDConnectProviderArn=arn
        )

    return Removal(arn, f"OIDC provider {arn}", act, "Deleted OIDC provider", {"provider": arn})


def _profile(name: str) -> AwsRemoval:
    def act(aws: Accounts) -> None:
        account = aws.cluster
        try:
            found = account.call("iam", "get_instance_profile", InstanceProfileName=name)
        except Missing:
            return
        for role in found["InstanceProfile"]["Roles"]:
            request = {"InstanceProfileName": name, "RoleName": role["RoleName"]}
            _remove_if_present(account, "remove_role_from_instance_profile", **request)
        _remove_if_present(account, "delete_instance_profile", InstanceProfileName=name)

    text = f"instance profile {name}"
    return Removal(name, text, act, "Deleted instance profile", {"profile": name})


def _role(account: Account, name: str, after: tuple[str, ...]) -> AwsRemoval:
    def act(_: Accounts) -> None:
        try:
            inline = account.all("iam", "list_role_policies", "PolicyNames", RoleName=name)
            attached = account.all(
                "iam", "list_attached_role_policies", "AttachedPolicies", RoleName=name
            )
        except Missing:
            return
        for each in attached:
            _remove_if_present(
                account, "detach_role_policy", RoleName=name, PolicyArn=each["PolicyArn"]
            )
        for policy in inline:
            _remove_if_present(account, "delete_role_policy", RoleName=name, PolicyName=policy)
        _remove_if_present(account, "delete_role", RoleName=name)

    return Removal(f"role {name}", f"role {name}", act, "Deleted role", {"role": name}, after)
