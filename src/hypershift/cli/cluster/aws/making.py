"""Make the network and the roles of a cluster on AWS, after a look at all that could stop it."""

import asyncio
import sys
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

from hypershift.cli.clouds.aws.account import accounts, log
from hypershift.cli.clouds.aws.iam import issuer_of
from hypershift.cli.clouds.aws.iam import wanted_of as wanted_roles_of
from hypershift.cli.clouds.aws.infra import described, wanted_of
from hypershift.cli.clouds.aws.proxy import new_keys
from hypershift.cli.cluster.aws.ground import Ground
from hypershift.cli.files import read_file
from hypershift.cli.flags import Values
from hypershift.cli.management import management
from hypershift.infra.aws import Accounts, check, create_network, planned
from hypershift.infra.aws.roles import WantedRoles, create_roles
from hypershift.infra.aws.roles.wanted import check_roles
from hypershift.kit import HypershiftError, SystemClock, UsageError
from hypershift.kube import kinds

#: Flags that name files which the objects of the cluster are made of.
FILES = (
    ("pull-secret", "failed to read pull secret file"),
    ("ssh-key", "failed to read ssh key file"),
    ("additional-trust-bundle", "failed to read additional trust bundle file"),
    ("image-content-sources", "failed to read image content sources file"),
    ("sa-token-issuer-private-key-path", "failed to read pull secret file"),
)
RESUME = (
    "what was made stays: run the same command with --infra-id {0} to continue, or remove it with "
    "`hypershift destroy infra aws --infra-id {0}` and `hypershift destroy iam aws --infra-id {0}`"
)


async def make(values: Values, infra: dict[str, Any] | None, iam: dict[str, Any] | None) -> Ground:
    """Check everything, then make the network and the roles that no file describes."""
    issuer, both = await preflight(values, makes_infra=infra is None, makes_iam=iam is None)
    try:
        if infra is None:
            infra = await _network(values, both)
        if iam is None:
            iam = await _roles(values, infra, issuer, both)
    except (asyncio.CancelledError, HypershiftError):
        sys.stderr.write(f"{RESUME.format(values['infra-id'])}\n")
        raise
    return Ground(infra, iam)


async def _network(values: Values, both: Accounts) -> dict[str, Any]:
    wanted = wanted_of(values, values["infra-id"])
    log("Creating infrastructure", id=wanted.infra_id)
    network = await create_network(both, wanted, log=log, clock=SystemClock(), keys=new_keys)
    output = await described(network, "")
    log("Successfully created infrastructure")
    return output


async def _roles(
    values: Values, infra: dict[str, Any], issuer: str, both: Accounts
) -> dict[str, Any]:
    log("Detected Issuer URL", issuer=issuer)
    wanted = _wanted_roles(values, infra, issuer)
    return await create_roles(both, wanted, log=log, clock=SystemClock())


def _wanted_roles(values: Values, infra: dict[str, Any], issuer: str) -> WantedRoles:
    zones = {
        f"{name}-zone-id": infra.get(f"{name}ZoneID", "") for name in ("public", "private", "local")
    }
    domain = infra.get("baseDomain") or values["base-domain"]
    wanted = wanted_roles_of(values.having(**zones, **{"base-domain": domain}), issuer)
    return replace(wanted, infra_id=infra.get("infraID") or values["infra-id"])


async def preflight(values: Values, *, makes_infra: bool, makes_iam: bool) -> tuple[str, Accounts]:
    """Look for everything that would fail half-way; all problems are reported at once."""
    problems = [*_problems_of_inputs(values, makes_infra=makes_infra, makes_iam=makes_iam)]
    problems += await _problems_of_management(values)
    issuer, complaint = await _issuer(values) if makes_iam else ("", [])
    problems += complaint
    both, complaint = await _account(values, makes_infra=makes_infra)
    problems += complaint
    if problems or both is None:
        raise UsageError("; ".join(dict.fromkeys(problems)))
    return issuer, both


def _problems_of_inputs(values: Values, *, makes_infra: bool, makes_iam: bool) -> list[str]:
    checks: list[Callable[[], object]] = [
        partial(read_file, values[flag], failing) for flag, failing in FILES if values[flag]
    ]
    if makes_infra:
        checks.append(lambda: check(wanted_of(values, values["infra-id"])))
    if makes_iam:
        checks.append(lambda: check_roles(_wanted_roles(values, {}, "https://unknown")))
    problems = [said for step in checks if (said := _complaint(step))]
    if makes_iam and values["auto-node"]:
        problems.append(
            "--auto-node needs a role for Karpenter, which this program does not make yet: "
            "describe roles that are there with --iam-json"
        )
    if not values["release-image"]:
        problems.append("--release-image is required: the newest release is not looked up yet")
    return problems


def _complaint(step: Callable[[], object]) -> str:
    try:
        step()
    except HypershiftError as error:
        return str(error)
    return ""


async def _problems_of_management(values: Values) -> list[str]:
    """Rendering needs no management cluster; creating needs one without this cluster."""
    if values["render"] or values["render-into"]:
        return []
    name, namespace = values["name"], values["namespace"]
    try:
        async with management(values["kubeconfig"]) as client:
            if await client.find(kinds.HOSTED_CLUSTER, name, namespace):
                return [f"hostedcluster {namespace}/{name} already exists"]
    except HypershiftError as error:
        return [str(error)]
    return []


async def _issuer(values: Values) -> tuple[str, list[str]]:
    """The issuer of the cluster's tokens; a management cluster knows the operator's bucket."""
    try:
        return await issuer_of(values), []
    except HypershiftError as error:
        return "", [str(error)]


async def _account(values: Values, *, makes_infra: bool) -> tuple[Accounts | None, list[str]]:
    """Log in, and look at what the plan of the network depends on: zones, domain, ranges."""
    try:
        both = await accounts(values, "cli-create-infra")
        if makes_infra:
            wanted = wanted_of(values, values["infra-id"])
            await asyncio.to_thread(planned, both, wanted)
        else:
            await asyncio.to_thread(both.cluster.call, "sts", "get_caller_identity")
    except HypershiftError as error:
        return None, [str(error)]
    return both, []
