"""What the embedded cluster costs, against the same binaries started by hand in the same run.

Bare means: the same binaries with the same flags, started one after the other with nothing else,
the last being a machine whose pod network is configured beforehand.
"""

import asyncio
import json
import os
import re
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

from tests.bench.figure import Figure
from tests.e2e.embedded import Cluster

from hypershift.ignition import Config, Storage, encode, file, merge
from hypershift.kit import Secret
from hypershift.kube import Client, kinds
from hypershift.local import images, installation, node, process, settings, state
from hypershift.local.machine import Machine
from hypershift.local.network import bridge
from hypershift.local.probe import serves
from hypershift.local.state import Layout
from hypershift.local.units import Unit, units

BARE = ("etcd", "kube-apiserver")
MIB = 1 << 20
SETTLE = 20.0
HELPERS = ("registry", "resolver")
CNI = {
    "cniVersion": "1.0.0",
    "name": "pods",
    "plugins": [
        {
            "type": "bridge",
            "bridge": "cni0",
            "isGateway": True,
            "ipam": {"type": "host-local", "ranges": [[{"subnet": "10.250.75.0/24"}]]},
        }
    ],
}


async def start(unit: Unit, where: Layout) -> None:
    """Start a unit and wait until it serves."""
    running = process.start(unit, where.logs / f"bare-{unit.name}.log", time.time())
    process.remember(where.units / f"{unit.name}.json", running)
    while unit.probe is not None and not await serves(unit.probe):  # noqa: ASYNC110 - a process
        await asyncio.sleep(0.02)


async def bare_boot(where: Layout) -> float:
    """etcd, kube-apiserver, one machine with containerd and kubelet, until the node is Ready."""
    spec, chosen, made = state.load(where), settings.load(where), images.published(where)
    assert spec is not None
    assert made is not None
    steps = bridge.bridge_steps(spec.plan, await bridge.look(spec.plan), chosen.mtu)
    await bridge.apply(steps)
    site = installation.Site(where, spec, chosen, made)
    installation.make_machine(site, 0)
    machine = Machine.load(where.machines / node.names(spec)[0])
    config = node.essentials(where, spec, 0, made.images, datetime.now(UTC))
    network = file("/etc/cni/net.d/10-pods.conflist", json.dumps(CNI))
    machine.create(Secret(encode(merge(config, Config(storage=Storage(files=(network,)))))))
    began = time.monotonic()
    for unit in units(where, spec.plan, chosen.binaries):
        if unit.name in BARE:
            await start(unit, where)
    await machine.boot()
    async with Client.connect(where.admin) as client:
        while not await _is_ready(client):  # noqa: ASYNC110 - another process
            await asyncio.sleep(0.05)
    return time.monotonic() - began


async def _is_ready(client: Client) -> bool:
    return any(installation.is_ready(each) for each in await client.list(kinds.NODE))


def up(cluster: Cluster) -> tuple[float, float]:
    """Bring a cluster up as a user does; the seconds to the first node Ready, and to the end."""
    began = time.monotonic()
    said = cluster.local("up", "--operator=false").stderr
    whole = time.monotonic() - began
    line = next(line for line in said.splitlines() if re.search(r" node \S+ ready$", line))
    return float(line.strip("[").split()[0]), whole


def memory(cluster: Cluster) -> Iterator[Figure]:
    """Proportional set sizes of what is not Kubernetes itself, and of everything on the host."""
    seen = json.loads(cluster.local("status", "-o", "json").stdout)
    sizes = {each["name"]: each["memory"] / MIB for each in seen["units"]}
    own = (seen["supervisor"]["memory"] + seen["guardian"]["memory"]) / MIB
    helpers = own + sum(sizes[each] for each in HELPERS)
    yield Figure("local: supervisor and helpers, PSS", helpers, "MiB", most=80)
    yield Figure("local: units on the host, PSS", sum(sizes.values()), "MiB")
    for each in (*seen["units"], *seen["machines"]):
        yield Figure(f"local: CPU so far of {each['name']}", each["cpuSeconds"], "s")


def timed(work: Callable[[], object]) -> float:
    """How long something takes."""
    began = time.monotonic()
    work()
    return time.monotonic() - began


def bare(cluster: Cluster) -> float:
    """Boot the same thing by hand, from the state of a new cluster."""
    for stale in (cluster.where.data("etcd"), cluster.where.machines):
        shutil.rmtree(stale)
    cluster.where.make()
    return asyncio.run(bare_boot(cluster.where))


def figures() -> Iterator[Figure]:
    """Measure; parts and images are in the cache before that begins."""
    if os.geteuid() != 0:
        sys.stderr.write("  skipped: an embedded cluster needs root\n")
        return
    with tempfile.TemporaryDirectory(prefix="hypershift-bench-") as place:
        warm, cluster = Cluster("warm", Path(place)), Cluster("bench", Path(place))
        warm.local("up", "--operator=false")
        warm.local("reset", "--yes")
        try:
            node_ready, whole = up(cluster)
            time.sleep(SETTLE)
            yield from memory(cluster)
            yield Figure("local down", timed(lambda: cluster.local("down")), "s", most=5)
            alone = bare(cluster)
        finally:
            lasted = timed(lambda: cluster.local("reset", "--yes"))
    yield Figure("local reset", lasted, "s", most=10)
    yield Figure("local: bare boot to node Ready", alone, "s")
    yield Figure("local up: node Ready", node_ready, "s")
    yield Figure("local up: node Ready / bare", node_ready / alone, "x", most=2)
    yield Figure("local up: everything / bare", whole / alone, "x", most=4)
