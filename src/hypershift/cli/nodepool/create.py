"""`create nodepool PLATFORM`: a further pool of a cluster that exists."""

import sys
from collections.abc import Callable, Coroutine
from typing import Any

from hypershift.cli.command import Command
from hypershift.cli.flags import BOOL, INT32, Flag, Values
from hypershift.cli.management import management_named
from hypershift.cli.nodepool.platform import UPGRADE_TYPE, PoolPlatform
from hypershift.cli.nodepool.skew import check_architecture, check_version
from hypershift.cli.output import to_yaml
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
    return tuple(_persistent(flag) for flag in listed)


def _persistent(flag: Flag) -> Flag:
    return Flag(
        flag.name,
        flag.help,
        flag.type,
        flag.default,
        required=flag.required,
        hidden=flag.hidden,
        deprecated=flag.deprecated,
        persistent=True,
    )


def group(platforms: tuple[PoolPlatform, ...], *, product: bool = False) -> Command:
    """`create nodepool` with a sub-command for each platform."""
    return Command(
        "nodepool",
        "Create a NodePool",
        flags=flags(product=product),
        commands=tuple(
            Command(
                platform.name,
                platform.summary,
                flags=(*platform.flags, *(() if product else platform.developer_flags)),
                run=_runner(platform),
            )
            for platform in platforms
        ),
    )


def _runner(platform: PoolPlatform) -> Callable[[Values], Coroutine[Any, Any, int]]:
    async def run(values: Values) -> int:
        platform.check(values)
        completed = platform.complete(values)
        async with management_named() as client:
            cluster = await _cluster(client, values)
            await _check(client, values, platform, cluster)
            pool = node_pool(values, platform, completed, cluster)
            if not values["render"]:
                await client.create(pool)
        _say(values, pool)
        return 0

    return run


async def _cluster(client: Client, values: Values) -> Manifest:
    namespace, name = values["namespace"], values["cluster-name"]
    try:
        return await client.get(kinds.HOSTED_CLUSTER, name, namespace)
    except (NotFound, HypershiftError) as error:
        raise UsageError(f"failed to get HostedCluster {namespace}/{name}: {error}") from None


async def _check(client: Client, values: Values, platform: PoolPlatform, cluster: Manifest) -> None:
    check_architecture(values["arch"], cluster)
    if values["release-image"]:
        await check_version(client, values["release-image"], cluster)
    actual = cluster["spec"]["platform"]["type"]
    if platform.type != actual:
        raise UsageError(
            f"NodePool platform type {platform.type} must be HostedCluster type {actual}"
        )
    namespace, name = values["namespace"], values["name"]
    if not values["render"] and await client.find(kinds.NODE_POOL, name, namespace):
        raise UsageError(f"NodePool {namespace}/{name} already exists")


def node_pool(
    values: Values, platform: PoolPlatform, completed: Any, cluster: Manifest
) -> Manifest:
    """The NodePool that the flags describe, in a cluster as it is."""
    count = "node-count" if values.has("node-count") else "replicas"
    spec: Manifest = {
        "arch": values["arch"],
        "clusterName": values["cluster-name"],
        "management": {
            "autoRepair": values["auto-repair"],
            "upgradeType": values["node-upgrade-type"] or platform.upgrade_type,
        },
        "platform": {
            "type": platform.type,
            platform.key: platform.section(values, completed, cluster),
        },
        "release": {
            "image": values["release-image"] or cluster["spec"].get("release", {}).get("image", "")
        },
        "replicas": values[count],
    }
    return {
        "apiVersion": kinds.NODE_POOL.api_version,
        "kind": "NodePool",
        "metadata": {"name": values["name"], "namespace": values["namespace"]},
        "spec": spec,
    }


def _say(values: Values, pool: Manifest) -> None:
    name = pool["metadata"]["name"]
    if values["render"]:
        sys.stdout.write(to_yaml(pool))
        sys.stderr.write(f"NodePool {name} was rendered to yaml output file\n")
    else:
        sys.stdout.write(f"NodePool {name} created\n")
