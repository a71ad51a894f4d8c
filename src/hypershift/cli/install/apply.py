"""`install`: brings the operator to the management cluster, or a newer one in its place."""

import sys

from hypershift.cli.flags import Values
from hypershift.cli.install import audit_logs
from hypershift.cli.install.checks import check
from hypershift.cli.install.cluster_api import manager_objects
from hypershift.cli.install.crds import crds
from hypershift.cli.install.credentials import completed
from hypershift.cli.install.idle import warn
from hypershift.cli.install.operator import images
from hypershift.cli.install.options import DEFAULT_IMAGE
from hypershift.cli.install.preflight import preflight
from hypershift.cli.install.resources import resources
from hypershift.cli.install.standing import Standing, look
from hypershift.cli.install.waiting import await_definitions, await_operator
from hypershift.cli.install.writing import try_all, write_all
from hypershift.cli.management import management_named
from hypershift.kit import Manifest, UsageError
from hypershift.kube import Client

WHICH_IMAGE = (
    "which image should the operator run? --hypershift-image names it; `hypershift image push "
    "REGISTRY` puts this very program where the cluster's nodes can pull it"
)
NO_WEBHOOKS = (
    "the operator of this image serves no admission webhooks: the definitions' own rules check "
    "objects; leave --enable-defaulting-webhook and --enable-validating-webhook out"
)


async def run(values: Values) -> int:
    """Install or upgrade: applying twice changes nothing the second time."""
    values = completed(values)
    check(values)
    async with management_named() as client:
        if values["check"]:
            return await preflight(client, values)
        _refuse(values)
        warn(values)
        await _install(client, values)
    return 0


async def _install(client: Client, values: Values) -> None:
    scope, standing = values["install-scope"], await look(client)
    if scope in ("", "all", "crds"):
        await _define(client, values, standing)
    if scope in ("", "all", "resources"):
        made = audit_logs.installed(values, resources(values))
        await write_all(client, [*made, *manager_objects(values, standing)])
        if values["wait-until-available"] and not values["development"]:
            await await_operator(client, values)


async def _define(client: Client, values: Values, standing: Standing) -> None:
    definitions = _wanted(await crds(values), standing)
    await try_all(client, definitions)
    await write_all(client, definitions)
    if values["wait-until-crds-established"] or values["wait-until-available"]:
        await await_definitions(client, definitions)


def _wanted(definitions: list[Manifest], standing: Standing) -> list[Manifest]:
    kept = [each["metadata"]["name"] for each in definitions if standing.keeps(each)]
    if kept:
        sys.stdout.write(f"not changed, because another program owns them: {', '.join(kept)}\n")
    return [each for each in definitions if each["metadata"]["name"] not in kept]


def _refuse(values: Values) -> None:
    """What would make a cluster that does not work."""
    if values["install-scope"] == "crds":
        return
    named = values["hypershift-image"] != DEFAULT_IMAGE or "hypershift-operator" in images(values)
    if not named and not values["development"]:
        raise UsageError(WHICH_IMAGE)
    if values["enable-defaulting-webhook"] or values["enable-validating-webhook"]:
        raise UsageError(NO_WEBHOOKS)
