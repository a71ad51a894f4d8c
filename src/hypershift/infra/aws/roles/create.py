"""Make a cluster's roles on AWS and describe them as `--iam-json` takes it."""

import asyncio
from typing import Any

from hypershift.infra.apply import Progress, apply
from hypershift.infra.aws.look import Accounts
from hypershift.infra.aws.roles.look import Identities, look_for_roles
from hypershift.infra.aws.roles.pieces import role_pieces
from hypershift.infra.aws.roles.wanted import WantedRoles, bindings, check_roles
from hypershift.infra.plan import Ids, Plan, plan
from hypershift.kit import Clock

#: Fields of the description that stand beside `roles`.
APART = {"karpenterRoleARN", "kmsProviderRoleARN"}


def planned_roles(accounts: Accounts, wanted: WantedRoles) -> Plan[Identities, Accounts]:
    """Look and plan; nothing is changed."""
    check_roles(wanted)
    return plan(role_pieces(wanted), look_for_roles(accounts, wanted))


async def create_roles(
    accounts: Accounts, wanted: WantedRoles, *, log: Progress, clock: Clock
) -> dict[str, Any]:
    """Make what is missing; a second run finds everything and makes nothing."""
    steps = await asyncio.to_thread(planned_roles, accounts, wanted)
    look = lambda: look_for_roles(accounts, wanted)  # noqa: E731
    return described_roles(wanted, await apply(steps, accounts, look, log=log, clock=clock))


def described_roles(wanted: WantedRoles, ids: Ids) -> dict[str, Any]:
    """The description, key for key as the original writes it."""
    arns = {each.field: ids[f"role-{wanted.role(each.name)}"] for each in bindings(wanted)}
    output: dict[str, Any] = {
        "region": wanted.region,
        "profileName": wanted.profile,
        "infraID": wanted.infra_id,
        "issuerURL": wanted.issuer,
        "roles": {field: arn for field, arn in arns.items() if field not in APART},
        "kmsKeyARN": wanted.kms_key,
        "kmsProviderRoleARN": arns.get("kmsProviderRoleARN", ""),
    }
    if wanted.shared_vpc:
        output["sharedIngressRoleARN"] = ids[f"role-{wanted.infra_id}-shared-vpc-route53"]
        output["sharedControlPlaneRoleARN"] = ids[f"role-{wanted.infra_id}-shared-vpc-endpoint"]
    if wanted.auto_node:
        output["karpenterRoleARN"] = arns["karpenterRoleARN"]
    return output
