"""What a worker costs: from its object to a Ready node, and its memory.

Bare means: a machine of the same size with the same image and a configuration that is there
already, booted by hand against the same API server. The pool is measured on an embedded cluster
with a hosted one.
"""

import asyncio
import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

from tests.bench import joining
from tests.bench.figure import Figure
from tests.e2e import machines, provider
from tests.e2e.embedded import Cluster
from tests.e2e.hosted import Hosted
from tests.e2e.workers import Pool, is_ready

from hypershift import payload
from hypershift.kit import Manifest
from hypershift.local.machine import Machine, sweep
from hypershift.local.machine.spec import group_of

MIB = 1 << 20
SETTLE = 20.0
ROUNDS = int(os.environ.get("HYPERSHIFT_BENCH_ROUNDS", "3"))
#: What every node of every cluster runs; the rest of a worker's memory is what we add.
BASE = ("containerd", "containerd-shim", "kubelet", "kube-proxy", "kube-router", "pause")


async def joins(place: Path) -> tuple[joining.Seen, joining.Seen]:
    """The best of some rounds: bare, and through the provider."""
    bare, provided = [], []
    settings = provider.node_settings()
    async with machines.cluster(place, **settings) as cluster:
        client = cluster.client
        await provider.install(client)
        with (
            provider.registry(place),
            provider.ignition_server(place, cluster.user_data) as user_data,
        ):
            await payload.push(machines.release(), provider.REGISTRY)
            for manifest in provider.objects(user_data, cluster):
                await client.create(manifest)
            await provider.mark_provisioned(client)
            async with provider.provider(place, cluster) as fleet:
                for number in range(ROUNDS):
                    bare.append(await joining.bare(place, cluster, number))
                    provided.append(await joining.provided(place, cluster))
                    await provider.is_removed(client, fleet)
                    await provider.forget_machine(client)
    return min(bare, key=_whole), min(provided, key=_whole)


def _whole(seen: joining.Seen) -> float:
    return seen["Node Ready"]


def joined(bare: joining.Seen, provided: joining.Seen) -> Iterator[Figure]:
    """Both ways, whole and by their stages."""
    for name, seen in (("bare", bare), ("LocalMachine", provided)):
        for stage, seconds in joining.parts(seen).items():
            yield Figure(f"{name}: until {stage}", seconds, "s")
    yield Figure("machine: bare boot to node Ready", _whole(bare), "s")
    yield Figure("LocalMachine created -> Node Ready", _whole(provided), "s")
    ratio = _whole(provided) / _whole(bare)
    yield Figure("LocalMachine created -> Node Ready / bare", ratio, "x", most=1.5)


class Stages:
    """When each thing on the way from a pool to its node was first seen."""

    def __init__(self, pool: Pool) -> None:
        self.pool, self.seen, self.began = pool, dict[str, float](), time.monotonic()

    def look(self) -> bool:
        """Look at everything once; whether the node is Ready."""
        looks: dict[str, Callable[[], bool]] = {
            "MachineDeployment": lambda: bool(self._plane("machinedeployments")),
            "LocalMachine": lambda: bool(self._plane("localmachines")),
            "machine runs": lambda: any(_running(one) for one in self._plane("localmachines")),
            "Node": lambda: bool(self.pool.hosted.get("nodes")),
            "Node Ready": lambda: any(is_ready(one) for one in self.pool.hosted.get("nodes")),
        }
        for name, there in looks.items():
            if name not in self.seen:
                if not there():
                    return False
                self.seen[name] = time.monotonic() - self.began
        return True

    def _plane(self, kind: str) -> list[Manifest]:
        found: list[Manifest] = self.pool.hosted.management.get(kind, "-n", self.pool.hosted.plane)
        return found


def _running(machine: Manifest) -> bool:
    return bool(machine.get("status", {}).get("ready"))


def memory(machine: Machine) -> dict[str, int]:
    """Proportional set sizes of a machine's processes, in bytes by program."""
    group = f"/{group_of(machine.spec.scope, machine.spec.name)}"
    sizes: dict[str, int] = {}
    for entry in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if group in (entry / "cgroup").read_text():
                name = (entry / "comm").read_text().strip()
                rollup = (entry / "smaps_rollup").read_text().splitlines()
                pss = next(int(line.split()[1]) for line in rollup if line.startswith("Pss:"))
                sizes[name] = sizes.get(name, 0) + pss * 1024
    return sizes


def worker(place: Path) -> Iterator[Figure]:
    """A pool's first node on an embedded cluster, by its stages, and what the worker holds."""
    cluster = Cluster("bench-nodes", place)
    try:
        cluster.local("up")
        hosted = Hosted(cluster, "bench", place)
        hosted.create()
        pool = Pool(hosted, "first")
        pool.create(replicas=1)
        stages = Stages(pool)
        while not stages.look():
            time.sleep(0.1)
        for name, seconds in stages.seen.items():
            yield Figure(f"NodePool created -> {name}", seconds, "s")
        time.sleep(SETTLE)
        sizes = memory(Machine.load(next(cluster.where.hosted.iterdir())))
        base = sum(size for name, size in sizes.items() if name.startswith(BASE))
        yield Figure("worker: containerd, kubelet, network, PSS", base / MIB, "MiB")
        yield Figure("worker: all else of ours, PSS", (sum(sizes.values()) - base) / MIB, "MiB")
        for name, size in sorted(sizes.items(), key=lambda item: -item[1]):
            yield Figure(f"worker: {name}, PSS", size / MIB, "MiB")
    finally:
        cluster.local("reset", "--yes", check=False)


def figures() -> Iterator[Figure]:
    """Measure; parts and images are in the cache before that begins."""
    if os.geteuid() != 0:
        sys.stderr.write("  skipped: machines need root\n")
        return
    machines.release()
    with tempfile.TemporaryDirectory(prefix="hypershift-bench-") as place:
        with machines.bridge():
            try:
                bare, provided = asyncio.run(joins(Path(place)))
            finally:
                sweep(machines.SCOPE)
        yield from joined(bare, provided)
        yield from worker(Path(place))
