"""`uninstall`: takes the operator off a cluster, unless somebody still depends on it."""

import sys

from hypershift.cli.command import Command
from hypershift.cli.flags import BOOL, Flag, Values
from hypershift.cli.install.crds import GROUP
from hypershift.cli.install.options import FLAGS
from hypershift.cli.install.resources import resources
from hypershift.cli.management import management
from hypershift.kit import HypershiftError, Manifest, UsageError, key_of
from hypershift.kube import Client, NotFound, kinds


async def run(values: Values) -> int:
    """Delete what `install` made, the last first; definitions only when that is asked for."""
    async with management() as client:
        await _refuse_while_used(client)
        defaults = {flag.name: flag.default for flag in FLAGS if flag.name != "namespace"}
        for manifest in reversed(resources(values.having(**defaults))):
            await _delete(client, manifest)
        if values["crds"]:
            await _delete_definitions(client)
    return 0


async def _refuse_while_used(client: Client) -> None:
    try:
        clusters = await client.list(kinds.HOSTED_CLUSTER)
    except NotFound:
        return
    if clusters:
        names = ", ".join(str(key_of(each)) for each in clusters[:5])
        raise UsageError(
            f"{len(clusters)} hosted clusters are still there ({names}): nothing would look after "
            "them. Destroy them first with `hypershift destroy cluster`"
        )


async def _delete(client: Client, manifest: Manifest) -> None:
    key = key_of(manifest)
    try:
        resource = await client.resource_of(manifest)
        await client.delete(resource, key.name, key.namespace)
    except (HypershiftError, LookupError) as error:
        sys.stderr.write(f"left {manifest['kind']} {key.name}: {error}\n")
    else:
        sys.stdout.write(f"deleted {manifest['kind']} {key.namespace}/{key.name}\n")


async def _delete_definitions(client: Client) -> None:
    for each in await client.list(kinds.CUSTOM_RESOURCE_DEFINITION):
        if each["spec"]["group"] == GROUP or each["spec"]["group"].endswith(f".{GROUP}"):
            await client.delete(kinds.CUSTOM_RESOURCE_DEFINITION, each["metadata"]["name"])
            sys.stdout.write(f"deleted CustomResourceDefinition {each['metadata']['name']}\n")


COMMAND = Command(
    "uninstall",
    "Take the operator off the management cluster",
    flags=(
        Flag("crds", "Delete our definitions too, and with them every object of these kinds", BOOL),
        Flag("namespace", "Namespace of the operator", default="hypershift"),
    ),
    run=run,
)
