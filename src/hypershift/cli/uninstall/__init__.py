"""`uninstall`: takes everything back that `install` brought, once no hosted cluster needs it."""

import asyncio
import sys
import time
from dataclasses import dataclass

from hypershift.cli.command import Command, understand
from hypershift.cli.flags import Flag
from hypershift.cli.install import COMMAND as INSTALL
from hypershift.cli.install import capi_operator
from hypershift.cli.install.installed import Installed, look
from hypershift.cli.install.options import InstallOptions
from hypershift.cli.install.resources import resources
from hypershift.cli.management import management_named
from hypershift.cli.typed import Typed
from hypershift.cli.typed import options as read_options
from hypershift.cli.uninstall.traces import cluster_api, definitions, runtime_traces
from hypershift.kit import Key, Manifest, UsageError, key_of
from hypershift.kube import Client, Resource, kinds

#: Every flag that adds an object, so that all that may have been installed is found.
EVERYTHING = (
    "--personas",
    "--enable-admin-rbac-generation",
    "--slos-alerts",
    "--monitoring-dashboards",
    "--managed-service=ARO-HCP",
    "--external-dns-provider=google",
    "--external-dns-domain-filter=none",
    "--oidc-storage-provider-s3-bucket-name=none",
)
LIMIT, INTERVAL = 120.0, 0.5


@dataclass(frozen=True, slots=True)
class Uninstall:
    """What `uninstall` is given."""

    namespace: str


async def run(options: Uninstall) -> int:
    """Remove the operator, its objects and its definitions; a second time finds nothing."""
    async with management_named() as client:
        installed = await look(client)
        await _refuse(client, installed)
        removed = await _remove(client, _objects(options), installed)
        removed += await _remove(client, await runtime_traces(client), installed)
        removed += await _remove(client, cluster_api(installed), installed)
        ours = definitions(installed, options.namespace)
        await _wake(client, ours)
        removed += await _remove(client, ours, installed)
        await _await_end(client, removed)
        await capi_operator.release(client)
    count = len(removed)
    sys.stdout.write(f"removed {count} objects\n" if count else "nothing to remove\n")
    return 0


async def _refuse(client: Client, installed: Installed) -> None:
    """Refuse while there are hosted clusters: no operator would manage or delete them any more."""
    if str(kinds.HOSTED_CLUSTER) not in installed.definitions:
        return
    found = [key_of(each) for each in await client.list(kinds.HOSTED_CLUSTER)]
    if found:
        names = ", ".join(f"{key.namespace}/{key.name}" for key in found)
        raise UsageError(
            f"hosted clusters exist: {names}; `hypershift destroy cluster` removes them, then "
            "uninstall again"
        )


def _objects(options: Uninstall) -> list[Manifest]:
    """Everything but definitions that an installation may have, the last written first."""
    namespace = f"--namespace={options.namespace}"
    words = ["render", namespace, *EVERYTHING]
    found = {}
    for mode in (["--shared"], []):  # each has objects that the other lacks
        line = understand(INSTALL, [*words, *mode])
        for each in resources(read_options(InstallOptions, line.values)):
            found[each["kind"], key_of(each)] = each
    return list(reversed(found.values()))


async def _remove(
    client: Client, objects: list[Manifest], installed: Installed
) -> list[tuple[Resource, Key]]:
    """Delete those objects that exist, and return them."""
    removed = []
    for manifest in objects:
        group = str(manifest["apiVersion"]).rpartition("/")[0]
        if group and group not in installed.groups:
            continue
        resource, key = await client.resource_of(manifest), key_of(manifest)
        place = key.namespace if resource.namespaced else ""
        if await client.find(resource, key.name, place) is not None:
            await client.delete(resource, key.name, place)
            sys.stdout.write(f"removed {manifest['kind']} {place}/{key.name}\n")
            removed.append((resource, Key(place, key.name)))
    return removed


async def _wake(client: Client, definitions: list[Manifest]) -> None:
    """Ask for the objects of each definition once, before it goes.

    A server whose store of a kind was never read fails the first look of its own clean-up, and
    may then forget the definition until it resyncs, minutes later.
    """
    for each in definitions:
        spec = each["spec"]
        served = next((every["name"] for every in spec["versions"] if every["served"]), "")
        names = spec["names"]
        if served:
            await client.list(Resource(spec["group"], served, names["plural"], names["kind"]))


async def _await_end(client: Client, removed: list[tuple[Resource, Key]]) -> None:
    """Return when everything is gone: a namespace and a definition go after what they hold."""
    deadline = time.monotonic() + LIMIT
    for resource, key in removed:
        while await client.find(resource, key.name, key.namespace) is not None:
            if time.monotonic() > deadline:
                raise UsageError(f"{resource} {key} is still being removed after {LIMIT:.0f}s")
            await asyncio.sleep(INTERVAL)


COMMAND = Command(
    "uninstall",
    "Remove the operator, its rights and its definitions",
    description=(
        "Refuses while hosted clusters exist; a Cluster API of another installation is not changed."
    ),
    flags=(Flag("namespace", "Namespace of the operator", default="hypershift"),),
    run=Typed(Uninstall, run),
)
__all__ = ["COMMAND"]
