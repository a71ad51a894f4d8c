"""`create cluster PLATFORM`: from flags to objects, printed or created."""

import asyncio
import sys
from collections.abc import Coroutine, Mapping
from contextlib import AbstractAsyncContextManager, nullcontext, suppress
from dataclasses import replace
from functools import partial
from typing import Any

from hypershift.api.values import AvailabilityPolicy
from hypershift.cli.cluster import checks
from hypershift.cli.cluster.architecture import check_architecture
from hypershift.cli.cluster.build import INFRA_LABEL, Draft, draft, prepared
from hypershift.cli.cluster.options import EXCLUSIVE, FLAGS, PRODUCT_FLAGS, ClusterOptions
from hypershift.cli.cluster.platform import ClusterPlatform, Options
from hypershift.cli.cluster.wait import wait_until_ready
from hypershift.cli.command import Command, Lazy
from hypershift.cli.files import write_file
from hypershift.cli.management import management
from hypershift.cli.output import documents
from hypershift.cli.typed import Typed
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


def command(platform: ClusterPlatform[Options], summary: str, *, product: bool = False) -> Command:
    """The command of one platform, in the developer's or the product's program."""
    own = platform.product_flags if product else platform.developer_flags
    return Command(
        platform.name,
        summary,
        examples=platform.examples,
        flags=(*platform.flags, *own),
        exclusive=EXCLUSIVE,
        run=_runner(platform, product=product),
    )


def group(platforms: Mapping[str, str], *, product: bool = False) -> Command:
    """`create cluster` with the flags that all platforms share.

    The platforms are modules here, by their summaries; one is imported when it is asked for.
    """
    return Command(
        "cluster",
        "Create a HostedCluster and its NodePools",
        flags=PRODUCT_FLAGS if product else FLAGS,
        commands=tuple(
            Lazy(
                name,
                summary,
                f"{__package__}.{name}",
                "PLATFORM",
                build=partial(command, summary=summary, product=product),
            )
            for name, summary in platforms.items()
        ),
    )


def _runner(platform: ClusterPlatform[Options], *, product: bool) -> Typed[Options]:
    async def run(options: Options) -> int:
        if product:
            platform.product_check(options)
        checks.check_common(options, needs_pull_secret=platform.needs_pull_secret)
        platform.check(options)
        arch, options = options.arch, _completed(options, platform, product=product)
        if not (options.render or options.render_into or platform.like_host):
            await _look(replace(options, arch=arch))
        made = await prepared(options, platform)
        # in a thread: completing a platform may ask a cluster, or make a large key
        wanted = await asyncio.to_thread(draft, options, platform, made)
        if options.render or options.render_into:
            return _render(options, wanted)
        if options.control_plane_availability_policy == AvailabilityPolicy.SINGLE_REPLICA:
            sys.stderr.write(f"{SINGLE_REPLICA}\n")
        return await _create(options, wanted)

    return Typed(platform.options, run)


async def _look(options: ClusterOptions) -> None:
    """Ask the management cluster what would fail later, before anything is made in a cloud."""
    async with management(options.kubeconfig) as client:
        await _refuse_taken(client, options.name, options.namespace)
        await check_architecture(client, options)


async def _refuse_taken(client: Client, name: str, namespace: str) -> None:
    if await client.find(kinds.HOSTED_CLUSTER, name, namespace):
        raise UsageError(f"hostedcluster {namespace}/{name} already exists")


def _completed(options: Options, platform: ClusterPlatform[Options], *, product: bool) -> Options:
    """The options with what platform and program decide where the user gave nothing."""
    return replace(
        options,
        arch=platform.arch or options.arch,
        etcd_storage_class=options.etcd_storage_class or platform.storage_class,
        release_stream=options.release_stream or (RELEASE_STREAM if product else ""),
    )


def _render(options: ClusterOptions, wanted: Draft) -> int:
    shown = [
        manifest
        for manifest in wanted.manifests
        if options.render_sensitive or manifest.get("kind", "Secret") != "Secret"
    ]
    text = documents(shown)
    if options.render_into:
        failing = "failed to create file for rendering output"
        write_file(options.render_into, text, failing, private=options.render_sensitive)
    else:
        sys.stdout.write(text)
    return 0


async def _create(options: ClusterOptions, wanted: Draft) -> int:
    seconds = options.timeout.total_seconds()
    limit: AbstractAsyncContextManager[object] = (
        asyncio.timeout(seconds) if seconds else nullcontext()
    )
    try:
        async with limit, management(options.kubeconfig) as client:
            await unbroken(_apply(client, wanted))
            if options.wait:
                await wait_until_ready(client, options.namespace, options.name, wanted.pools)
    except asyncio.CancelledError:  # Ctrl-C
        sys.stderr.write(f"{_continues(options)}\n")
        raise
    except TimeoutError:
        raise UsageError(
            f"{options.namespace}/{options.name} was not ready within --timeout; "
            f"{_continues(options)}"
        ) from None
    return 0


def _continues(options: ClusterOptions) -> str:
    return ON_ITS_OWN.format(name=options.name, namespace=options.namespace)


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
    await _refuse_taken(client, name, namespace)
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
