"""The pieces of a cluster's identities: provider, roles with their policies, instance profile."""

import json
from collections.abc import Callable, Iterator
from functools import partial

from hypershift.cloud.aws import AwsRefusal, AwsUnavailable
from hypershift.infra.aws.look import Accounts
from hypershift.infra.aws.piece import new, once, says
from hypershift.infra.aws.roles import policies
from hypershift.infra.aws.roles.look import Identities, home
from hypershift.infra.aws.roles.policies import Document
from hypershift.infra.aws.roles.wanted import MANAGED, Binding, WantedRoles, bindings
from hypershift.infra.plan import Ids, Piece
from hypershift.kit import UsageError

RolePiece = Piece[Identities, Accounts]
Trust = Callable[[Ids], Document]
CLIENTS = ("openshift", "sts.amazonaws.com")
#: AWS asks for the fingerprint of the issuer's authority and ignores it for S3; this is DigiCert's.
THUMBPRINT = "A9D53002E97E00E043244F3D170D6F4C414104FD"
PROVIDER = "provider"


def role_pieces(wanted: WantedRoles) -> tuple[RolePiece, ...]:
    """Everything in order of dependence."""
    return (provider(wanted), *_components(wanted), *_worker(wanted), *_shared_vpc(wanted))


def provider(wanted: WantedRoles) -> RolePiece:
    def find(world: Identities, _: Ids) -> str | None:
        end = f":oidc-provider/{wanted.provider}"
        return next((arn for arn in world.providers if arn.endswith(end)), None)

    def make(aws: Accounts, _: Ids) -> str:
        if wanted.own_issuer:
            raise UsageError(f"OIDC provider with issuer URL {wanted.issuer} was not found")
        made = aws.cluster.call(
            "iam",
            "create_open_id_connect_provider",
            Url=wanted.issuer,
            ClientIDList=list(CLIENTS),
            ThumbprintList=[THUMBPRINT],
            Tags=wanted.tagged(),
        )
        return str(made["OpenIDConnectProviderArn"])

    text = f"create OIDC provider {wanted.provider}"
    return Piece(PROVIDER, text, find, make, says("Created OIDC provider", provider="{id}"))


def _components(wanted: WantedRoles) -> Iterator[RolePiece]:
    """A role for each component, or one for all of them."""
    wanted_bindings = tuple(bindings(wanted))
    if wanted.one_role:
        accounts = tuple(each for one in wanted_bindings for each in one.accounts)
        yield from _role(wanted, wanted.role(""), _of_tokens(accounts), (PROVIDER,))
    for binding in wanted_bindings:
        if not wanted.one_role:
            trust = _of_tokens(binding.accounts)
            yield from _role(wanted, wanted.role(binding.name), trust, (PROVIDER,))
        yield from _permissions(wanted, binding)
    assuming = {wanted.role(each.name) for each in wanted_bindings if each.assumes}
    for role in sorted(assuming):
        yield inline(wanted, role, f"{role}-assume", policies.ASSUME_ROLE)


def _of_tokens(accounts: tuple[str, ...]) -> Trust:
    return lambda ids: policies.web_identity(ids[PROVIDER], accounts)


def _permissions(wanted: WantedRoles, binding: Binding) -> Iterator[RolePiece]:
    role = wanted.role(binding.name)
    if not wanted.rosa or not binding.managed:
        name = f"{role}-{binding.name}" if wanted.one_role else role
        yield inline(wanted, role, name, binding.policy)
        return
    yield attached(wanted, role, binding.managed)
    extra = {
        "openshift-ingress": policies.rosa_ingress(wanted.base_domain),
        "cloud-controller": policies.ROSA_CLOUD_CONTROLLER,
    }
    if binding.name in extra:
        name = f"{role}-{binding.name}" if wanted.one_role else role
        yield inline(wanted, role, name, extra[binding.name])


def _worker(wanted: WantedRoles) -> Iterator[RolePiece]:
    """The role of the machines, and the instance profile that hands it to them."""
    role = wanted.worker_role
    yield from _role(wanted, role, lambda _: policies.service_trust("ec2.amazonaws.com"))
    if wanted.rosa:
        yield attached(wanted, role, f"{MANAGED}/ROSAWorkerInstancePolicy")
    else:
        yield inline(wanted, role, f"{wanted.profile}-policy", policies.WORKER)
    yield profile(wanted)
    yield profile_role(wanted, role)


def _shared_vpc(wanted: WantedRoles) -> Iterator[RolePiece]:
    """Roles by which components reach into a VPC of another account."""
    if not wanted.shared_vpc:
        return
    ingress, operator = (wanted.role(n) for n in ("openshift-ingress", "control-plane-operator"))
    for name, trusted, policy in (
        ("shared-vpc-route53", (ingress, operator), policies.SHARED_ROUTE53),
        ("shared-vpc-endpoint", (operator,), policies.SHARED_ENDPOINT),
    ):
        needs = tuple(dict.fromkeys(f"role-{each}" for each in trusted))
        role = f"{wanted.infra_id}-{name}"
        yield from _role(wanted, role, partial(_of_roles, needs), needs)
        yield inline(wanted, role, role, policy)


def _of_roles(keys: tuple[str, ...], ids: Ids) -> Document:
    return policies.role_trust(tuple(ids[key] for key in keys))


def _role(
    wanted: WantedRoles, name: str, trust: Trust, needs: tuple[str, ...] = ()
) -> Iterator[RolePiece]:
    """A role, and who may take it: a role that was there trusts its issuer of today."""
    key = f"role-{name}"

    def make(aws: Accounts, ids: Ids) -> str:
        made = until_known(
            lambda: home(wanted, aws, name).call(
                "iam",
                "create_role",
                RoleName=name,
                AssumeRolePolicyDocument=json.dumps(trust(ids)),
                Tags=wanted.tagged(),
            )
        )
        return str(made["Role"]["Arn"])  # type: ignore[index]

    def find(world: Identities, _: Ids) -> str | None:
        return world.roles[name].arn if name in world.roles else None

    def trusts(world: Identities, ids: Ids) -> str | None:
        role = world.roles.get(name)
        return role.arn if role and role.trust == trust(ids) else None

    def renew(aws: Accounts, ids: Ids) -> str:
        document = json.dumps(trust(ids))
        account = home(wanted, aws, name)
        until_known(
            lambda: account.call(
                "iam", "update_assume_role_policy", RoleName=name, PolicyDocument=document
            )
        )
        return ids[key]

    yield Piece(key, f"create role {name}", find, make, says("Created role", name=name), needs)
    said = says("Set trust policy of role", name=name)
    yield Piece(f"trust-{name}", f"set trust of {name}", trusts, renew, said, (key, *needs))


def until_known(call: Callable[[], object]) -> object:
    """A call that names a principal: one that AWS does not know everywhere yet is waited for."""
    try:
        return new(call)
    except AwsRefusal as error:
        if error.code in {"MalformedPolicyDocument", "InvalidPrincipal"}:
            raise AwsUnavailable(str(error)) from None
        raise


def inline(wanted: WantedRoles, role: str, name: str, policy: Document) -> RolePiece:
    def find(world: Identities, ids: Ids) -> str | None:
        there = world.roles[role].inline.get(name) if role in world.roles else None
        return ids[f"role-{role}"] if there == policy else None

    def make(aws: Accounts, ids: Ids) -> str:
        request = {"RoleName": role, "PolicyName": name, "PolicyDocument": json.dumps(policy)}
        new(lambda: home(wanted, aws, role).call("iam", "put_role_policy", **request))
        return ids[f"role-{role}"]

    said = says("Added/Updated role policy", name=name)
    needs = (f"role-{role}",)
    return Piece(f"policy-{role}-{name}", f"put policy {name} on {role}", find, make, said, needs)


def attached(wanted: WantedRoles, role: str, arn: str) -> RolePiece:
    def find(world: Identities, ids: Ids) -> str | None:
        there = role in world.roles and arn in world.roles[role].attached
        return ids[f"role-{role}"] if there else None

    def make(aws: Accounts, ids: Ids) -> str:
        account = home(wanted, aws, role)
        new(lambda: account.call("iam", "attach_role_policy", RoleName=role, PolicyArn=arn))
        return ids[f"role-{role}"]

    said, needs = says("Attached role policy", arn=arn), (f"role-{role}",)
    return Piece(f"managed-{role}-{arn}", f"attach {arn} to {role}", find, make, said, needs)


def profile(wanted: WantedRoles) -> RolePiece:
    name = wanted.profile

    def make(aws: Accounts, _: Ids) -> str:
        made = aws.cluster.call(
            "iam", "create_instance_profile", InstanceProfileName=name, Tags=wanted.tagged()
        )
        return str(made["InstanceProfile"]["Arn"])

    said = says("Created instance profile", name=name)
    text = f"create instance profile {name}"
    return Piece("profile", text, lambda world, _: world.profile or None, make, said)


def profile_role(wanted: WantedRoles, role: str) -> RolePiece:
    name = wanted.profile

    def make(aws: Accounts, ids: Ids) -> str:
        request = {"InstanceProfileName": name, "RoleName": role}
        # a profile holds one role: the limit is met by a call whose answer was lost
        once(
            lambda: aws.cluster.call("iam", "add_role_to_instance_profile", **request),
            "EntityAlreadyExists",
        )
        return ids["profile"]

    return Piece(
        "profile-role",
        f"add role {role} to instance profile {name}",
        lambda world, ids: ids["profile"] if role in world.profile_roles else None,
        make,
        says("Added role to instance profile", role=role, profile=name),
        ("profile", f"role-{role}"),
    )
