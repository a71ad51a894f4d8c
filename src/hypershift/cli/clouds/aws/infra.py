"""`create infra aws` and `destroy infra aws`: the network of a cluster, made and removed."""

import asyncio
import json
import sys
from dataclasses import astuple, dataclass
from typing import Any

from hypershift.cli.clouds.aws.account import accounts, log
from hypershift.cli.clouds.aws.options import (
    AccountOptions,
    LoginOptions,
    NetworkOptions,
    TeardownOptions,
)
from hypershift.cli.clouds.aws.proxy import authority, carried_over, new_keys
from hypershift.cli.files import write_file
from hypershift.cli.typed import Typed, named
from hypershift.infra.aws import (
    DEFAULT_CIDR,
    Accounts,
    Network,
    Teardown,
    Wanted,
    check,
    create_network,
    destroy_network,
    planned,
    tags_of,
)
from hypershift.kit import SystemClock, UsageError

#: Marks what the command line made, unlike what operators make.
SOURCE_TAG = ("hypershift.openshift.io/source", "cli")


@dataclass(frozen=True, slots=True, kw_only=True)
class CreateOptions:
    """What `create infra aws` is given."""

    account: AccountOptions
    network: NetworkOptions
    dry_run: bool
    infra_id: str
    output_file: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ComponentLogins:
    """Credentials of each component."""

    ebs: str = named("aws-creds.aws-ebs-csi-driver-controller")
    cloud: str = named("aws-creds.cloud-controller")
    network: str = named("aws-creds.cloud-network-config-controller")
    control_plane: str = named("aws-creds.control-plane-operator")
    node_pool: str = named("aws-creds.node-pool")
    registry: str = named("aws-creds.openshift-image-registry")


@dataclass(frozen=True, slots=True, kw_only=True)
class DestroyOptions:
    """What `destroy infra aws` is given."""

    account: AccountOptions
    components: ComponentLogins
    teardown: TeardownOptions
    infra_id: str


def wanted_of(options: NetworkOptions, infra_id: str) -> Wanted:
    """The network that a command line asks for."""
    return Wanted(
        infra_id=infra_id,
        name=options.name,
        region=options.region,
        base_domain=options.base_domain,
        base_domain_prefix=options.base_domain_prefix,
        zones=tuple(options.zones),
        cidr=options.vpc_cidr or DEFAULT_CIDR,
        tags=(*tags_of(options.additional_tags), SOURCE_TAG),
        single_nat=options.single_nat_gateway,
        public_only=options.public_only,
        proxy=options.enable_proxy,
        secure_proxy=options.enable_secure_proxy,
        proxy_service=options.proxy_vpc_endpoint_service_name,
        shared=bool(options.vpc_owner_aws_creds),
        zones_in_cluster_account=options.private_zones_in_cluster_account,
    )


async def create(options: CreateOptions) -> int:
    """Make what is missing; print or write the description. `--dry-run` shows the steps alone."""
    wanted = wanted_of(options.network, options.infra_id)
    check(wanted)
    both = await accounts(options.account, "cli-create-infra")
    if options.dry_run:
        _, _, steps = await asyncio.to_thread(planned, both, wanted)
        sys.stdout.write("".join(f"{line}\n" for line in steps.lines()))
        return 0
    log("Creating infrastructure", id=wanted.infra_id)
    network = await create_network(both, wanted, log=log, clock=SystemClock(), keys=new_keys)
    write_json(options.output_file, await described(network, options.output_file))
    log("Successfully created infrastructure")
    return 0


async def described(network: Network, earlier: str) -> dict[str, Any]:
    """The description of a network; what only the run that made its proxy knew is carried over."""
    output = network.output()
    if not network.proxy_machine:
        return output
    if not output["proxyPrivateSSHKey"]:
        output |= carried_over(earlier, output["infraID"])
    if output["secureProxyAddr"] and not output["proxyCA"]:
        output["proxyCA"] = await authority(network.proxy_machine, output["proxyPrivateSSHKey"])
    return output


def write_json(path: str, document: dict[str, Any]) -> None:
    """Write a description to a file that only its owner reads, or to stdout."""
    text = json.dumps(document, indent=2)
    if path:
        write_file(path, text, "cannot create output file", private=True)
    else:
        sys.stdout.write(text)


async def destroy(options: DestroyOptions) -> int:
    """Remove the network; returns when nothing is left, or reports what is and why."""
    _check_components(options.components, options.account)
    both = await accounts(options.account, "cli-destroy-infra")
    await remove(options.teardown, options.infra_id, both)
    log("Successfully destroyed infrastructure")
    return 0


async def remove(options: TeardownOptions, infra_id: str, both: Accounts) -> None:
    """Remove the network of an infra id."""
    wanted = Teardown(
        infra_id,
        options.name,
        options.region,
        options.base_domain,
        options.base_domain_prefix,
        options.private_zones_in_cluster_account,
    )
    grace = options.aws_infra_grace_period.total_seconds()
    if grace:
        log(f"Infra destruction timeout set to {int(grace)} s")
    await destroy_network(both, wanted, log=log, clock=SystemClock(), grace=grace)


def _check_components(components: ComponentLogins, login: LoginOptions) -> None:
    given = astuple(components)
    if not any(given):
        return
    if login.aws_creds or login.sts_creds or login.role_arn:
        raise UsageError(
            "cannot set any --aws-creds.component flags at the same time as other credentials"
        )
    if not all(given):
        raise UsageError(
            "all --aws-creds.component flags must be set when using per-component credentials"
        )
    raise UsageError(
        "credentials per component (--aws-creds.component) are not built yet: give one set of "
        "credentials that may remove all of it"
    )


CREATE = Typed(CreateOptions, create)
DESTROY = Typed(DestroyOptions, destroy)
