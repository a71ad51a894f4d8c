"""`create cluster PLATFORM`: from flags to objects, printed or created."""

import asyncio
import sys
from collections.abc import Callable, Coroutine
from contextlib import AbstractAsyncContextManager, nullcontext, suppress
from typing import Any

from hypershift.api.values import AvailabilityPolicy
from hypershift.cli.cluster import checks
from hypershift.cli.cluster.build import INFRA_LABEL, Draft, draft, prepared
from hypershift.cli.cluster.options import EXCLUSIVE, FLAGS, PRODUCT_FLAGS
from hypershift.cli.cluster.platform import ClusterPlatform
from hypershift.cli.cluster.wait import wait_until_ready
from hypershift.cli.command import Command
from hypershift.cli.files import write_file
from hypershift.cli.flags import Values
from hypershift.cli.management import management
from hypershift.cli.output import documents
from hypershift.kit import HypershiftError, Manifest, UsageError
from hypershift.kube import AlreadyExists, Client, Forbidden, kinds

MANAGER = "hypershift-cli"
#: Where the product's program looks for a release when none is named.
RELEASE_STREAM = "4-stable-multi"
#: Seconds that writes which have begun may take after Ctrl-C.
PARTING = 5.0
ON_ITS_OWN = (
    "the operator continues without this command: `hypershift get clusters` shows how far it is, "
    "`hypershift explain cluster {name} -n {namespace}` what it waits for"
)
SINGLE_REPLICA = (
    "warning: a control plane with SingleReplica is not for production: its API is away whenever "
    "a pod or node of it restarts, and its data is on one volume; use "
    "--control-plane-availability-policy HighlyAvailable"
)


def command(platform: ClusterPlatform, *, product: bool = False) -> Command:
    """The command of one platform, in the developer's or the product's program."""
    own = platform.product_flags if product else platform.developer_flags
    return Command(
        platform.name,
        platform.summary,
        examples=platform.examples,
        flags=(*platform.flags, *own),
        exclusive=EXCLUSIVE,
        run=_runner(platform, product=product),
    )


def group(platforms: tuple[ClusterPlatform, ...], *, product: bool = False) -> Command:
    """`create cluster` with the flags that all platforms share."""
    return Command(
        "cluster",
        "Create a HostedCluster and its NodePools",
        flags=PRODUCT_FLAGS if product else FLAGS,
        commands=tuple(command(platform, product=product) for platform in platforms),
    )


def _runner(
    platform: ClusterPlatform, *, product: bool
) -> Callable[[Values], Coroutine[Any, Any, int]]:
    async def run(values: Values) -> int:
        if product:
            platform.product_check(values)
        checks.check_common(values, needs_pull_secret=platform.needs_pull_secret)
        platform.check(values)
        values = _defaulted(values, platform, product=product)
        made = await prepared(values, platform)
        # in a thread: completing a platform may ask a cluster, or make a large key
        wanted = await asyncio.to_thread(draft, values, platform, made)
        if values["render"] or values["render-into"]:
            return _render(values, wanted)
        if values["control-plane-availability-policy"] == AvailabilityPolicy.SINGLE_REPLICA:
            sys.stderr.write(f"{SINGLE_REPLICA}\n")
        return await _create(values, wanted)

    return run


def _defaulted(values: Values, platform: ClusterPlatform, *, product: bool) -> Values:
    defaults = {name: value for name, value in platform.defaults.items() if not values[name]}
    if product and not values["release-stream"]:
        defaults["release-stream"] = RELEASE_STREAM
    return values.having(**defaults, **platform.forced)


def _render(values: Values, wanted: Draft) -> int:
    shown = [
        manifest
        for manifest in wanted.manifests
        if values["render-sensitive"] or manifest.get("kind", "Secret") != "Secret"
    ]
    text = documents(shown)
    if values["render-into"]:
        failing = "failed to create file for rendering output"
        write_file(values["render-into"], text, failing, private=values["render-sensitive"])
    else:
        sys.stdout.write(text)
    return 0


async def _create(values: Values, wanted: Draft) -> int:
    seconds = values["timeout"].total_seconds()
    limit: AbstractAsyncContextManager[object] = (
        asyncio.timeout(seconds) if seconds else nullcontext()
    )
    try:
        async with limit, management(values["kubeconfig"]) as client:
            await unbroken(_apply(client, wanted))
            if values["wait"]:
                await wait_until_ready(client, values["namespace"], values["name"], wanted.pools)
    except asyncio.CancelledError:  # Ctrl-C
        sys.stderr.write(f"{ON_ITS_OWN.format(**values.values)}\n")
        raise
    except TimeoutError:
        raise UsageError(
            f"{values['namespace']}/{values['name']} was not ready within --timeout; "
            f"{ON_ITS_OWN.format(**values.values)}"
        ) from None
    return 0


async def unbroken(writing: Coroutine[Any, Any, None]) -> None:
    """Write all objects, also after Ctrl-C, so that no cluster is left without its pools.

    A server that does not answer must not keep the user from leaving.
    """
    task = asyncio.ensure_future(writing)
    try:
        await asyncio.shield(task)
    except asyncio.CancelledError:
        with suppress(TimeoutError, HypershiftError):
            await asyncio.wait_for(task, PARTING)
        raise


async def _apply(client: Client, wanted: Draft) -> None:
    """Create the cluster, apply the rest: a cluster of that name is never taken over."""
    cluster = wanted.hosted_cluster
    name, namespace = (cluster["metadata"][field] for field in ("name", "namespace"))
    if await client.find(kinds.HOSTED_CLUSTER, name, namespace):
        raise UsageError(f"hostedcluster {namespace}/{name} already exists")
    label = {INFRA_LABEL: cluster["spec"]["infraID"]}
    for manifest in wanted.manifests:
        await _write(client, _labelled(manifest, label))


async def _write(client: Client, manifest: Manifest) -> None:
    # Secrets out of an infrastructure file come without a kind
    manifest = {"apiVersion": "v1", "kind": "Secret", **manifest}
    if manifest["kind"] == "Namespace":
        await _namespace(client, manifest)
    elif manifest["kind"] != "HostedCluster":
        await client.apply(manifest, manager=MANAGER)
    else:
        try:
            await client.create(manifest)
        except AlreadyExists:
            name = manifest["metadata"]["name"]
            raise UsageError(f"hostedcluster {name} already exists") from None
    metadata = manifest["metadata"]
    sys.stderr.write(f"applied {manifest['kind']} {metadata['name']}\n")


async def _namespace(client: Client, manifest: Manifest) -> None:
    """Have a namespace; who may not make one may still use the one that others made."""
    try:
        await client.apply(manifest, manager=MANAGER)
    except Forbidden:
        sys.stderr.write(f"namespace {manifest['metadata']['name']} exists and is not changed\n")


def _labelled(manifest: Manifest, label: dict[str, str]) -> Manifest:
    metadata = manifest["metadata"]
    labels = {**(metadata.get("labels") or {}), **label}
    return {**manifest, "metadata": {**metadata, "labels": labels}}
