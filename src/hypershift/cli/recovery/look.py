"""What every recovery looks at: the cluster on one of its sides, and what is waited for."""

import asyncio
from collections.abc import Awaitable, Callable

from hypershift.cli.cluster.wait import INTERVAL, Progress
from hypershift.kit import Key, Manifest
from hypershift.kube import Client, kinds


async def find_cluster(client: Client, key: Key) -> Manifest | None:
    """The HostedCluster, if it is there."""
    return await client.find(kinds.HOSTED_CLUSTER, key.name, key.namespace)


async def until(progress: Progress, what: str, done: Callable[[], Awaitable[bool]]) -> None:
    """Look until it is done, and tell what is waited for."""
    while not await done():
        progress.say(f"waiting until {what}")
        await asyncio.sleep(INTERVAL)
