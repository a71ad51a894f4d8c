"""How a machine becomes a node, seen from outside: when each stage of it was reached."""

import asyncio
import time
from itertools import pairwise
from pathlib import Path

from tests.e2e import machines, provider

from hypershift.kube import Client, kinds
from hypershift.local.machine.store import Store

#: In the order in which they come; each is reached when the next begins.
STAGES = ("network", "ignition", "running", "Node", "Node Ready")
LOOK = 0.02
PATIENCE = 90.0
#: The size of the provider's machine in these measurements: a bare one has no more.
CPU, MEMORY = 1000, 1 << 30

Seen = dict[str, float]


async def watched(client: Client, directory: Path, node: str, began: float) -> Seen:
    """Seconds from the beginning to each stage of the machine with this directory and node."""
    seen: Seen = {}
    async with asyncio.timeout(PATIENCE):
        while "Node Ready" not in seen:
            for stage in await _reached(client, directory, node):
                seen.setdefault(stage, time.monotonic() - began)
            await asyncio.sleep(LOOK)
    return seen


async def _reached(client: Client, directory: Path, node: str) -> tuple[str, ...]:
    stage = Store(directory).stage
    if stage != "running":
        return STAGES[: STAGES.index(stage) + 1] if stage in STAGES else ()
    if await client.find(kinds.NODE, node) is None:
        return STAGES[:3]
    ready = await machines.node_ready(client, node)
    return STAGES if ready else STAGES[:4]


async def bare(place: Path, cluster: machines.Cluster, number: int) -> Seen:
    """A machine with its configuration at hand, switched on by hand."""
    tree, name = machines.machine_os(place / "os"), f"bare-{number}"
    machine = machines.a_machine(tree, place, name=name, number=20 + number, cpu=CPU, memory=MEMORY)
    machine.create(cluster.user_data)
    try:
        began = time.monotonic()
        await machine.boot()
        return await watched(cluster.client, machine.spec.directory, name, began)
    finally:
        await machine.destroy()


async def provided(place: Path, cluster: machines.Cluster) -> Seen:
    """A LocalMachine whose provider boots it, and which fetches its configuration."""
    directory = place / "machines" / f"{provider.NAMESPACE}.worker-1"
    began = time.monotonic()
    await provider.create_machine(cluster.client)
    return await watched(cluster.client, directory, "worker-1", began)


def parts(seen: Seen) -> Seen:
    """How long each stage took, from one to the next."""
    times = [0.0, *(seen[stage] for stage in STAGES)]
    return {
        stage: after - before
        for stage, (before, after) in zip(STAGES, pairwise(times), strict=True)
    }
