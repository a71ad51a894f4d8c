"""Schedules of node pools: a seed is a story of a user, a Cluster API and faults.

story ──► quiet ──► as the pools say? ──► new processes write nothing ──► all deleted, nothing left
"""

import asyncio
import sys
from collections.abc import AsyncIterator, Sequence
from typing import Any

from tests.lib import virtual
from tests.lib.sim.faults import Fault
from tests.lib.sim.pools import people, rules
from tests.lib.sim.pools.cluster_api import ClusterApi
from tests.lib.sim.schedule import QUIET, Result, faults_of, processes_of, quiet_logs
from tests.lib.sim.world import World

from hypershift.kube import kinds
from hypershift.operators.hypershift import node_pool
from hypershift.runtime import Controller

STORY, ACTS = 30.0, 14
PATIENCE = 1500.0


def run(seed: int, faults: Sequence[Fault] | None = None) -> Result:
    """Play one schedule in virtual time."""
    chosen = faults_of(seed) if faults is None else tuple(faults)
    with quiet_logs():
        world, wrong = virtual.run(_play(seed, chosen))
    return Result(seed, chosen, tuple(wrong), world.trace.text(), world.trace.digest())


def explain(result: Result) -> str:
    """What failed, with which faults, and the command that plays it again."""
    lines = [f"seed {result.seed} failed:", *(f"  {one}" for one in result.complaints)]
    lines += ["with these faults:", *(f"  {fault}" for fault in result.faults)]
    lines.append(f"replay: python -m tests.lib.sim.pools {result.seed} 1")
    return "\n".join(lines)


def controllers() -> Sequence[Controller[Any]]:
    """What each life of the operator runs."""
    return node_pool.controllers(node_pool.Environment(people.Releases()))


async def _play(seed: int, faults: tuple[Fault, ...]) -> tuple[World, list[str]]:
    world = World(seed, controllers, faults, processes=processes_of(seed))
    world.count_leases()
    watchman = rules.Watchman(world.server)
    user = people.User(world.client("user"), world.stream("user"))
    await user.prepare()
    world.start()
    api = ClusterApi(world.server, world.client("capi"), world.stream("capi"))
    world.spawn(api.run(), "cluster api")
    ignition = people.ignite(world.server, world.client("ignition"), world.stream("ignition"))
    world.spawn(ignition, "ignition")
    try:
        wrong = [complaint async for complaint in _acts(world, user)]
    finally:
        await world.stop()
    return world, watchman.violations + wrong


async def _acts(world: World, user: people.User) -> AsyncIterator[str]:
    await user.live(STORY, ACTS)
    await asyncio.sleep(STORY - min(STORY, asyncio.get_running_loop().time()))
    await user.agree()
    if not await world.settle(quiet=QUIET, most=PATIENCE):
        yield "the world never came to rest"
        return
    for complaint in rules.complaints(world.server):
        yield f"after the story: {complaint}"
    if written := await world.second_look(QUIET):
        yield f"a second pass wrote {written} times"
    await user.delete_all()
    if not await world.settle(quiet=QUIET, most=PATIENCE):
        yield "the deletion never came to rest"
    for complaint in rules.complaints(world.server):
        yield f"after the deletion: {complaint}"
    if left := world.server.all(kinds.NODE_POOL):
        yield f"{len(left)} pools are left after the deletion"


def main() -> int:
    """Play `python -m tests.lib.sim.pools FIRST COUNT`."""
    first, count = (int(word) for word in sys.argv[1:3])
    failed = [result for seed in range(first, first + count) if not (result := run(seed)).passed]
    for result in failed:
        sys.stdout.write(f"seed {result.seed}: {'; '.join(result.complaints)}\n")
    sys.stdout.write(f"{count - len(failed)} of {count} seeds passed\n")
    return 1 if failed else 0
