"""Make the network and the roles of a cluster on AWS, after a look at all that could stop it."""

import asyncio
import sys
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

from hypershift.api import labels
from hypershift.cli.clouds.aws.account import accounts, log
from hypershift.cli.clouds.aws.iam import issuer_of
from hypershift.cli.clouds.aws.iam import wanted_of as wanted_roles_of
from hypershift.cli.clouds.aws.infra import described, wanted_of
from hypershift.cli.clouds.aws.proxy import new_keys
from hypershift.cli.cluster.aws.checks import overlaps
from hypershift.cli.cluster.aws.infrastructure import Infrastructure
from hypershift.cli.cluster.aws.options import AwsOptions
from hypershift.cli.files import read_file
from hypershift.cli.management import management
from hypershift.infra.aws import Accounts, check, create_network, problems_of_account
from hypershift.infra.aws.roles import WantedRoles, create_roles
from hypershift.infra.aws.roles.wanted import check_roles
from hypershift.kit import HypershiftError, SystemClock, UsageError
from hypershift.kube import kinds

RESUME = (
    "what was made stays: run the same command with --infra-id {0} to continue, or remove it with "
    "`hypershift destroy infra aws --infra-id {0}` and `hypershift destroy iam aws --infra-id {0}`"
)


async def make(
    options: AwsOptions, infra: dict[str, Any] | None, iam: dict[str, Any] | None
) -> Infrastructure:
    """Check everything, then make the network and the roles that no file describes."""
    issuer, both = await preflight(options, makes_infra=infra is None, makes_iam=iam is None)
    try:
        if infra is None:
            infra = await _network(options, both)
        if iam is None:
            iam = await _roles(options, infra, issuer, both)
    except (asyncio.CancelledError, HypershiftError):
        sys.stderr.write(f"{RESUME.format(options.infra_id)}\n")
        raise
    return Infrastructure(infra, iam)


async def _network(options: AwsOptions, both: Accounts) -> dict[str, Any]:
    wanted = wanted_of(options.network, options.infra_id)
    log("Creating infrastructure", id=wanted.infra_id)
    network = await create_network(both, wanted, log=log, clock=SystemClock(), keys=new_keys)
    output = await described(network, "")
    log("Successfully created infrastructure")
    return output


async def _roles(
    options: AwsOptions, infra: dict[str, Any], issuer: str, both: Accounts
) -> dict[str, Any]:
    log("Detected Issuer URL", issuer=issuer)
    wanted = _wanted_roles(options, infra, issuer)
    return await create_roles(both, wanted, log=log, clock=SystemClock())


def _wanted_roles(options: AwsOptions, infra: dict[str, Any], issuer: str) -> WantedRoles:
    roles = replace(
        options.roles,
        base_domain=infra.get("baseDomain") or options.base_domain,
        public_zone_id=infra.get("publicZoneID", ""),
        private_zone_id=infra.get("privateZoneID", ""),
        local_zone_id=infra.get("localZoneID", ""),
    )
    wanted = wanted_roles_of(roles, infra.get("infraID") or options.infra_id, issuer)
    tags = (*wanted.tags, (labels.CLUSTER_NAME, infra.get("Name") or options.name))
    return replace(wanted, tags=tags, auto_node=options.auto_node)


async def preflight(
    options: AwsOptions, *, makes_infra: bool, makes_iam: bool
) -> tuple[str, Accounts]:
    """Look for everything that would fail half-way; all problems are reported at once."""
    problems = [*_problems_of_inputs(options, makes_infra=makes_infra, makes_iam=makes_iam)]
    problems += await _problems_of_management(options)
    issuer, complaint = await _issuer(options) if makes_iam else ("", [])
    problems += complaint
    both, complaint = await _account(options, makes_infra=makes_infra)
    problems += complaint
    if problems or both is None:
        raise UsageError("; ".join(dict.fromkeys(problems)))
    return issuer, both


def _problems_of_inputs(options: AwsOptions, *, makes_infra: bool, makes_iam: bool) -> list[str]:
    checks: list[Callable[[], object]] = [
        partial(read_file, path, failing) for path, failing in _files(options) if path
    ]
    if makes_infra:
        checks.append(lambda: check(wanted_of(options.network, options.infra_id)))
    if makes_iam:
        checks.append(lambda: check_roles(_wanted_roles(options, {}, "https://unknown")))
    problems = [said for step in checks if (said := _complaint(step))]
    problems += overlaps(options) if makes_infra else ()
    if not options.release_image:
        problems.append("--release-image is required: the newest release is not looked up yet")
    return problems


def _files(options: AwsOptions) -> tuple[tuple[str, str], ...]:
    """The files that the objects of the cluster are made of, each with the complaint about it."""
    return (
        (options.pull_secret, "failed to read pull secret file"),
        (options.ssh_key, "failed to read ssh key file"),
        (options.additional_trust_bundle, "failed to read additional trust bundle file"),
        (options.image_content_sources, "failed to read image content sources file"),
        (options.sa_token_issuer_private_key_path, "failed to read pull secret file"),
    )


def _complaint(step: Callable[[], object]) -> str:
    try:
        step()
    except HypershiftError as error:
        return str(error)
    return ""


async def _problems_of_management(options: AwsOptions) -> list[str]:
    """Rendering needs no management cluster; creating needs one without this cluster."""
    if options.render or options.render_into:
        return []
    name, namespace = options.name, options.namespace
    try:
        async with management(options.kubeconfig) as client:
            if await client.find(kinds.HOSTED_CLUSTER, name, namespace):
                return [f"hostedcluster {namespace}/{name} already exists"]
    except HypershiftError as error:
        return [str(error)]
    return []


async def _issuer(options: AwsOptions) -> tuple[str, list[str]]:
    """The issuer of the cluster's tokens; a management cluster knows the operator's bucket."""
    try:
        return await issuer_of(options.issuer, options.infra_id), []
    except HypershiftError as error:
        return "", [str(error)]


async def _account(options: AwsOptions, *, makes_infra: bool) -> tuple[Accounts | None, list[str]]:
    """Log in, and look at what the plan of the network depends on: zones, domain, ranges."""
    try:
        both = await accounts(options.account, "cli-create-infra")
        if makes_infra:
            wanted = wanted_of(options.network, options.infra_id)
            return both, await asyncio.to_thread(problems_of_account, both, wanted)
        await asyncio.to_thread(both.cluster.call, "sts", "get_caller_identity")
    except HypershiftError as error:
        return None, [str(error)]
    return both, []
