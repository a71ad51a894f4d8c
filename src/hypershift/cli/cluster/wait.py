"""Waiting for a cluster in front of the user: what happens now, for how long, and why."""

import asyncio
import sys
import time
from collections.abc import Iterable

from hypershift.kit import Manifest, key_of
from hypershift.kube import Client, kinds

INTERVAL = 1.0


async def wait_until_ready(
    client: Client, namespace: str, name: str, wanted: Iterable[Manifest]
) -> None:
    """Return when the cluster is available and every pool has the nodes it asked for."""
    progress, wanted = Progress(), tuple(wanted)
    while True:
        cluster = await client.get(kinds.HOSTED_CLUSTER, name, namespace)
        pools = [await client.get(kinds.NODE_POOL, key_of(pool).name, namespace) for pool in wanted]
        reasons = [*unready_cluster(cluster), *(line for pool in pools for line in _short(pool))]
        if not reasons:
            progress.say(f"cluster {namespace}/{name} is available, all nodes are ready")
            return
        progress.say(reasons[0])
        await asyncio.sleep(INTERVAL)


def unready_cluster(cluster: Manifest) -> list[str]:
    """Why a cluster is not available yet, in the words of its conditions."""
    conditions = {each["type"]: each for each in cluster.get("status", {}).get("conditions", [])}
    available = conditions.get("Available")
    if available is None:
        return ["waiting for the operator to see the cluster"]
    if available["status"] == "True":
        return []
    return [f"control plane: {available.get('message') or available.get('reason')}"]


def _short(pool: Manifest) -> list[str]:
    wanted = pool["spec"].get("replicas", 0)
    ready = pool.get("status", {}).get("replicas", 0)
    if ready >= wanted:
        return []
    return [f"node pool {key_of(pool).name}: {ready} of {wanted} nodes ready"]


class Progress:
    """Says each new thing once, with the seconds since the start."""

    def __init__(self) -> None:
        self._start = time.monotonic()
        self._last = ""

    def say(self, message: str) -> None:
        """Print the message unless it is the one just printed."""
        if message != self._last:
            elapsed = time.monotonic() - self._start
            sys.stderr.write(f"[{elapsed:6.1f}s] {message}\n")
            sys.stderr.flush()
            self._last = message
