"""Writes the objects of an installation by server-side apply, and prints a line for each."""

import sys
from collections.abc import Iterable

from hypershift.cli.install.installed import MANAGER
from hypershift.kit import HypershiftError, Manifest, UsageError, key_of
from hypershift.kube import AlreadyExists, Client
from hypershift.kube.recreate import apply_or_recreate

#: Kinds of which a cluster may know nothing: without them there is only less to look at.
OPTIONAL_GROUPS = ("monitoring.coreos.com", "monitoring.rhobs")


async def write_all(client: Client, manifests: Iterable[Manifest]) -> None:
    """Write one after the other; errors are reported after all others were tried."""
    wrong = [said for each in manifests if (said := await _write(client, each))]
    if wrong:
        raise UsageError(wrong[0] if len(wrong) == 1 else f"[{', '.join(wrong)}]")


async def try_all(client: Client, definitions: list[Manifest]) -> None:
    """Ask whether the cluster would take every definition, before the first one is written."""
    wrong = []
    for each in definitions:
        try:
            await client.apply(each, manager=MANAGER, dry_run=True)
        except HypershiftError as error:
            wrong.append(f"{each['metadata']['name']}: {error}")
    if wrong:
        raise UsageError(f"the cluster refuses definitions, nothing was changed: {wrong}")
    sys.stdout.write(f"All {len(definitions)} CRDs passed dry-run validation\n")


async def _write(client: Client, manifest: Manifest) -> str:
    """Write an object; the answer is what went wrong."""
    key, kind = key_of(manifest), manifest["kind"]
    name = f"{kind} {key.namespace}/{key.name}"
    try:
        said = await _apply(client, manifest)
    except (HypershiftError, LookupError) as error:
        if not _may_be_missing(manifest):
            return f"failed to apply {name}: {error}"
        said = "left out, the cluster does not have this kind:"
    sys.stdout.write(f"{said} {name}\n")
    return ""


async def _apply(client: Client, manifest: Manifest) -> str:
    if manifest["kind"] != "PriorityClass":
        anew = await apply_or_recreate(client, manifest, manager=MANAGER)
        return "deleted and created again, because its selector changed:" if anew else "applied"
    try:  # immutable: what is there stays
        await client.create(manifest, manager=MANAGER)
    except AlreadyExists:
        return "already exists:"
    return "created"


def _may_be_missing(manifest: Manifest) -> bool:
    """Monitoring's own kinds, and objects in the namespace of a monitoring that is not there."""
    group = str(manifest["apiVersion"]).partition("/")[0]
    return group in OPTIONAL_GROUPS
