"""Waiting for a cluster in front of the user: what happens now, for how long, and why."""

import asyncio
import sys
import time
from collections.abc import Callable, Iterable

from hypershift.api.conditions import ConditionStatus, HostedClusterCondition, NodePoolConditionType
from hypershift.kit import Manifest, key_of
from hypershift.kit.lines import visible
from hypershift.kube import Client, kinds

INTERVAL = 1.0
#: After so many seconds without news a user wants to know that we are still there.
STILL = 20.0


async def wait_until_ready(
    client: Client, namespace: str, name: str, wanted: Iterable[Manifest]
) -> None:
    """Return when the cluster is available and every pool has the nodes it asked for."""
    progress, wanted = Progress(), tuple(wanted)
    while True:
        cluster = await client.get(kinds.HOSTED_CLUSTER, name, namespace)
        pools = [await client.get(kinds.NODE_POOL, key_of(pool).name, namespace) for pool in wanted]
        reasons = [*unready_cluster(cluster), *(line for pool in pools for line in short(pool))]
        if not reasons:
            progress.say(f"cluster {namespace}/{name} is available, all nodes are ready")
            return
        progress.say(reasons[0])
        await asyncio.sleep(INTERVAL)


def unready_cluster(cluster: Manifest) -> list[str]:
    """Why a cluster is not available yet: the messages of its conditions."""
    conditions = {each["type"]: each for each in cluster.get("status", {}).get("conditions", [])}
    available = conditions.get(HostedClusterCondition.AVAILABLE)
    if available is None:
        return ["waiting for the operator to see the cluster"]
    if available["status"] == ConditionStatus.TRUE:
        return []
    return [f"control plane: {available.get('message') or available.get('reason')}"]


def short(pool: Manifest) -> list[str]:
    """What a pool lacks, and the step that is waited for."""
    wanted = pool["spec"].get("replicas", 0)
    ready = pool.get("status", {}).get("replicas", 0)
    if ready >= wanted:
        return []
    why = _why(pool)
    words = f"node pool {key_of(pool).name}: {ready} of {wanted} nodes ready"
    return [f"{words} ({why})" if why else words]


#: From a pool to its nodes, in this order; what is waited for while the condition is not True.
STEPS = (
    (NodePoolConditionType.VALID_RELEASE_IMAGE, "its release is looked up"),
    (
        NodePoolConditionType.VALID_GENERATED_PAYLOAD,
        "the ignition server makes their configuration",
    ),
    (
        NodePoolConditionType.REACHED_IGNITION_ENDPOINT,
        "machines boot and fetch their configuration",
    ),
    (NodePoolConditionType.ALL_MACHINES_READY, "machines boot"),
    (NodePoolConditionType.ALL_NODES_HEALTHY, "kubelets start and join"),
)


def _why(pool: Manifest) -> str:
    conditions = {each["type"]: each for each in pool.get("status", {}).get("conditions", [])}
    for kind, words in STEPS:
        found = conditions.get(kind)
        if found is not None and found["status"] != ConditionStatus.TRUE:
            return words
    return ""


class Progress:
    """Prints each new message with the seconds since the start; repeats it after a while."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        """Count from now."""
        self._clock = clock
        self._start = self._said = clock()
        self._last = ""

    def say(self, message: str) -> None:
        """Print the message; the one just printed is repeated only after a while."""
        now = self._clock()
        again = message == self._last
        if again and now - self._said < STILL:
            return
        self._last, self._said = message, now
        words = visible(f"still {message}" if again else message)
        sys.stderr.write(f"[{now - self._start:6.1f}s] {words}\n")
        sys.stderr.flush()
