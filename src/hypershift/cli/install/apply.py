"""`install`: brings the operator to the management cluster, or a newer one in its place."""

import sys

from hypershift.cli.install import audit_logs, capi_operator
from hypershift.cli.install.checks import check
from hypershift.cli.install.cluster_api import manager_objects
from hypershift.cli.install.crds import crds
from hypershift.cli.install.credentials import completed
from hypershift.cli.install.external_dns import PROXY, through_proxy
from hypershift.cli.install.idle import warn
from hypershift.cli.install.installed import Installed, look
from hypershift.cli.install.operator import images
from hypershift.cli.install.options import DEFAULT_IMAGE, ApplyOptions
from hypershift.cli.install.preflight import preflight
from hypershift.cli.install.resources import resources
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


async def run(options: ApplyOptions) -> int:
    """Install or upgrade: applying twice changes nothing the second time."""
    options = completed(options)
    check(options)
    async with management_named() as client:
        if options.check:
            return await preflight(client, options)
        _refuse(options)
        warn(options)
        await _install(client, options)
    return 0


async def _install(client: Client, options: ApplyOptions) -> None:
    scope, installed = options.install_scope, await look(client)
    if scope in ("", "all", "crds"):
        await _define(client, options, installed)
    if scope in ("", "all", "resources"):
        made = audit_logs.installed(options, resources(options))
        if PROXY.group in installed.groups:
            made = await through_proxy(client, made)
        await write_all(client, [*made, *manager_objects(options, installed)])
        if options.wait_until_available and not options.development:
            await await_operator(client, options)


async def _define(client: Client, options: ApplyOptions, installed: Installed) -> None:
    definitions = _wanted(await crds(options), installed)
    await try_all(client, definitions)
    await capi_operator.claim(client, definitions)
    await write_all(client, definitions)
    if options.wait_until_crds_established or options.wait_until_available:
        await await_definitions(client, definitions)


def _wanted(definitions: list[Manifest], installed: Installed) -> list[Manifest]:
    kept = [each["metadata"]["name"] for each in definitions if installed.leaves_unchanged(each)]
    if kept:
        sys.stdout.write(f"not changed, because another program owns them: {', '.join(kept)}\n")
    return [each for each in definitions if each["metadata"]["name"] not in kept]


def _refuse(options: ApplyOptions) -> None:
    """What would make a cluster that does not work."""
    if options.install_scope == "crds":
        return
    named = options.hypershift_image != DEFAULT_IMAGE or "hypershift-operator" in images(options)
    if not named and not options.development:
        raise UsageError(WHICH_IMAGE)
    if options.enable_defaulting_webhook or options.enable_validating_webhook:
        raise UsageError(NO_WEBHOOKS)
