"""`create nodepool PLATFORM`: a further pool of a cluster that exists."""

import sys
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from hypershift.cli.command import Command, Lazy
from hypershift.cli.flags import BOOL, INT32, Flag
from hypershift.cli.management import management_named
from hypershift.cli.nodepool.platform import UPGRADE_TYPE, Options, PoolOptions, PoolPlatform
from hypershift.cli.nodepool.skew import check_architecture, check_version
from hypershift.cli.output import to_yaml
from hypershift.cli.typed import Typed
from hypershift.kit import HypershiftError, Manifest, UsageError
from hypershift.kube import Client, NotFound, kinds

_COUNT = "Nodes of the pool"


def flags(*, product: bool) -> tuple[Flag, ...]:
    """The flags that all platforms share; the product's program asks for a name."""
    name = Flag("name", "Name of the pool", default="" if product else "example", required=product)
    upgrade = Flag(
        "node-upgrade-type", "Replace or InPlace", UPGRADE_TYPE, "" if product else "Replace"
    )
    listed = (
        Flag("arch", "Processor architecture of the nodes", default="amd64"),
        Flag("auto-repair", "Replace machines that stay unhealthy", BOOL),
        Flag("cluster-name", "Cluster that the nodes join", default="example"),
        name,
        Flag("namespace", "Namespace of the pool and its cluster", default="clusters"),
        Flag(
            "node-count",
            _COUNT,
            INT32,
            2,
            hidden=True,
            deprecated="please use '--replicas' instead",
        ),
        upgrade,
        Flag("release-image", "Release of the nodes (the cluster's when not given)"),
        Flag("render", "Print the pool instead of creating it", BOOL),
        Flag("replicas", _COUNT, INT32, 2),
    )
    return tuple(replace(flag, persistent=True) for flag in listed)


def command(platform: PoolPlatform[Options], summary: str, *, product: bool = False) -> Command:
    """The command of one platform, in the developer's or the product's program."""
    return Command(
        platform.name,
        summary,
        flags=(*platform.flags, *(() if product else platform.developer_flags)),
        run=_runner(platform),
    )


def group(platforms: Mapping[str, str], *, product: bool = False) -> Command:
    """`create nodepool` with a sub-command for each platform.

    The platforms are modules here, by their summaries; one is imported when it is asked for.
    """
    return Command(
        "nodepool",
        "Create a NodePool",
        flags=flags(product=product),
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


def _runner(platform: PoolPlatform[Options]) -> Typed[Options]:
    async def run(options: Options) -> int:
        platform.check(options)
        completed = platform.complete(options)
        async with management_named() as client:
            cluster = await _cluster(client, options)
            await _check(client, options, platform, cluster)
            pool = node_pool(options, platform, completed, cluster)
            if not options.render:
                await client.create(pool)
        _print_result(options, pool)
        return 0

    return Typed(platform.options, run)


async def _cluster(client: Client, options: PoolOptions) -> Manifest:
    namespace, name = options.namespace, options.cluster_name
    try:
        return await client.get(kinds.HOSTED_CLUSTER, name, namespace)
    except (NotFound, HypershiftError) as error:
        raise UsageError(f"failed to get HostedCluster {namespace}/{name}: {error}") from None


async def _check(
    client: Client, options: PoolOptions, platform: PoolPlatform[Any], cluster: Manifest
) -> None:
    check_architecture(options.arch, cluster)
    if options.release_image:
        await check_version(client, options.release_image, cluster)
    actual = cluster["spec"]["platform"]["type"]
    if platform.type != actual:
        raise UsageError(
            f"NodePool platform type {platform.type} must be HostedCluster type {actual}"
        )
    namespace, name = options.namespace, options.name
    if not options.render and await client.find(kinds.NODE_POOL, name, namespace):
        raise UsageError(f"NodePool {namespace}/{name} already exists")


def node_pool(
    options: Options, platform: PoolPlatform[Options], completed: Any, cluster: Manifest
) -> Manifest:
    """The NodePool that the flags describe, in a cluster as it is."""
    count = options.replicas if options.node_count is None else options.node_count
    spec: Manifest = {
        "arch": options.arch,
        "clusterName": options.cluster_name,
        "management": {
            "autoRepair": options.auto_repair,
            "upgradeType": options.node_upgrade_type or platform.upgrade_type,
        },
        "platform": {
            "type": platform.type,
            platform.key: platform.section(options, completed, cluster),
        },
        "release": {
            "image": options.release_image or cluster["spec"].get("release", {}).get("image", "")
        },
        "replicas": count,
    }
    return {
        "apiVersion": kinds.NODE_POOL.api_version,
        "kind": "NodePool",
        "metadata": {"name": options.name, "namespace": options.namespace},
        "spec": spec,
    }


def _print_result(options: PoolOptions, pool: Manifest) -> None:
    name = pool["metadata"]["name"]
    if options.render:
        sys.stdout.write(to_yaml(pool))
        sys.stderr.write(f"NodePool {name} was rendered to yaml output file\n")
    else:
        sys.stdout.write(f"NodePool {name} created\n")
