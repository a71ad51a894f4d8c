"""`create infra aws` and `destroy infra aws`: the network of a cluster, made and removed."""

import asyncio
import json
import sys
from typing import Any

from hypershift.cli.clouds.aws.account import accounts, log
from hypershift.cli.clouds.aws.proxy import authority, carried_over, new_keys
from hypershift.cli.files import write_file
from hypershift.cli.flags import Values
from hypershift.infra.aws import (
    DEFAULT_CIDR,
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
COMPONENTS = (
    "aws-ebs-csi-driver-controller",
    "cloud-controller",
    "cloud-network-config-controller",
    "control-plane-operator",
    "node-pool",
    "openshift-image-registry",
)


def wanted_of(values: Values, infra_id: str) -> Wanted:
    """The network that a command line asks for."""
    return Wanted(
        infra_id=infra_id,
        name=values["name"],
        region=values["region"],
        base_domain=values["base-domain"],
        base_domain_prefix=values["base-domain-prefix"],
        zones=tuple(values["zones"]),
        cidr=values["vpc-cidr"] or DEFAULT_CIDR,
        tags=(*tags_of(values["additional-tags"]), SOURCE_TAG),
        single_nat=values.get("single-nat-gateway", default=False),
        public_only=values["public-only"],
        proxy=values["enable-proxy"],
        secure_proxy=values["enable-secure-proxy"],
        proxy_service=values["proxy-vpc-endpoint-service-name"],
        shared=bool(values.get("vpc-owner-aws-creds")),
        zones_in_cluster_account=values["private-zones-in-cluster-account"],
    )


async def create(values: Values) -> int:
    """Make what is missing; print or write the description. `--dry-run` shows the steps alone."""
    wanted = wanted_of(values, values["infra-id"])
    check(wanted)
    both = await accounts(values, "cli-create-infra")
    if values["dry-run"]:
        _, _, steps = await asyncio.to_thread(planned, both, wanted)
        sys.stdout.write("".join(f"{line}\n" for line in steps.lines()))
        return 0
    log("Creating infrastructure", id=wanted.infra_id)
    network = await create_network(both, wanted, log=log, clock=SystemClock(), keys=new_keys)
    write_json(values["output-file"], await described(network, values["output-file"]))
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


async def destroy(values: Values) -> int:
    """Remove the network; returns when nothing is left, or reports what is and why."""
    _check_components(values)
    both = await accounts(values, "cli-destroy-infra")
    await remove(values, values["infra-id"], both)
    log("Successfully destroyed infrastructure")
    return 0


async def remove(values: Values, infra_id: str, both: Any) -> None:
    """Remove the network of an infra id."""
    wanted = Teardown(
        infra_id,
        values["name"],
        values["region"],
        values["base-domain"],
        values["base-domain-prefix"],
        values.get("private-zones-in-cluster-account", default=False),
    )
    grace = values["aws-infra-grace-period"].total_seconds()
    if grace:
        log(f"Infra destruction timeout set to {int(grace)} s")
    await destroy_network(both, wanted, log=log, clock=SystemClock(), grace=grace)


def _check_components(values: Values) -> None:
    given = [values[f"aws-creds.{name}"] for name in COMPONENTS]
    if not any(given):
        return
    if values["aws-creds"] or values["sts-creds"] or values["role-arn"]:
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
