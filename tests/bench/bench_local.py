"""What the embedded cluster costs, against the same binaries started by hand in the same run.

Bare means: the same binaries with the same flags, started one after the other with nothing else,
the last being a machine whose pod network is configured beforehand.
"""

import asyncio
import contextlib
import json
import os
import re
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from tests.bench.figure import Figure
from tests.e2e import processes
from tests.e2e.embedded import Cluster

from hypershift.ignition import Config, Storage, encode, file, merge
from hypershift.kit import Secret
from hypershift.kube import Client, kinds
from hypershift.local.cluster import installation, node, settings, state
from hypershift.local.cluster.state import Layout, Spec
from hypershift.local.images import prepare
from hypershift.local.machine import Machine
from hypershift.local.network import bridge
from hypershift.local.supervise import process
from hypershift.local.supervise.probe import serves
from hypershift.local.units import Unit, units

BARE = ("etcd", "kube-apiserver")
MIB = 1 << 20
#: Until a cluster has come to rest, and how long it is watched then.
SETTLE, WATCH = 30.0, 20.0
#: What a cluster has beside its bare processes.
OWN = ("supervisor", "guardian", "registry", "resolver")
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


@dataclass(frozen=True, slots=True)
class Bare:
    """The same thing booted by hand: everything, its machine, and what runs in the machine."""

    whole: float
    machine: float
    software: float


async def bare_boot(where: Layout) -> Bare:
    """etcd, kube-apiserver, one machine with containerd and kubelet, until the node is Ready."""
    spec, chosen, made = state.load(where), settings.load(where), prepare.published(where)
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
    began = uptime()
    for unit in units(where, spec.plan, chosen.binaries):
        if unit.name in BARE:
            await start(unit, where)
    switched_on = uptime()
    await machine.boot()
    async with Client.connect(where.admin) as client:
        while not await _is_ready(client):  # noqa: ASYNC110 - another process
            await asyncio.sleep(0.05)
    ready = uptime()
    first = min(started(pid) for pid, name in inside(spec) if name == "containerd")
    return Bare(ready - began, ready - switched_on, ready - first)


def uptime() -> float:
    """Now, as the kernel counts the starts of processes."""
    return time.clock_gettime(time.CLOCK_BOOTTIME)


def started(pid: int) -> float:
    """When a process was started, on the same scale."""
    fields = process.stat(pid)
    assert fields is not None
    return int(fields[process.START_TIME_FIELD]) / process.TICKS


def inside(spec: Spec) -> Iterator[tuple[int, str]]:
    """The processes in the machines that are a cluster's nodes, with their names."""
    for pid in processes.in_machines(spec.index):
        with contextlib.suppress(OSError):
            yield pid, Path(f"/proc/{pid}/comm").read_text().strip()


async def _is_ready(client: Client) -> bool:
    return any(installation.is_ready(each) for each in await client.list(kinds.NODE))


def up(cluster: Cluster) -> tuple[float, float]:
    """Bring a cluster up as a user does; the seconds to the first node Ready, and to the end."""
    began = time.monotonic()
    said = cluster.local("up", "--operator=false").stderr
    whole = time.monotonic() - began
    line = next(line for line in said.splitlines() if re.search(r" node \S+ ready$", line))
    return float(line.strip("[").split()[0]), whole


def look(cluster: Cluster) -> dict[str, dict[str, float]]:
    """Memory in MiB and CPU seconds of every process, by name; several of one name together."""
    seen = json.loads(cluster.local("status", "-o", "json").stdout)
    pids = [(each["pid"], each["name"]) for each in seen["units"]]
    pids += [(seen[name]["pid"], name) for name in ("supervisor", "guardian")]
    pids += [(pid, f"node: {name}") for pid, name in inside(cluster.spec)]
    found: dict[str, dict[str, float]] = {}
    for pid, name in pids:
        if (running := process.identify(pid)) is not None:
            entry = found.setdefault(name, {"memory": 0.0, "cpu": 0.0})
            entry["memory"] += running.memory / MIB
            entry["cpu"] += running.cpu_seconds
    return found


def idle(cluster: Cluster) -> Iterator[Figure]:
    """What a cluster costs at rest: memory (PSS), and the share of a core of each process."""
    time.sleep(SETTLE)
    began, before = time.monotonic(), look(cluster)
    time.sleep(WATCH)
    after, lasted = look(cluster), time.monotonic() - began
    whole = sum(each["memory"] for each in after.values())
    own = sum(after[name]["memory"] for name in OWN)
    yield Figure("local: supervisor and helpers, PSS", own, "MiB", most=80)
    yield Figure("local: whole cluster, PSS", whole, "MiB")
    yield Figure(
        "local: whole cluster / its bare processes, PSS", whole / (whole - own), "x", most=1.1
    )
    for name, each in sorted(after.items()):
        used = each["cpu"] - before.get(name, each)["cpu"]
        yield Figure(f"local: idle CPU of {name}", 100 * used / lasted, "% of a core")


def timed(work: Callable[[], object]) -> float:
    """How long something takes."""
    began = time.monotonic()
    work()
    return time.monotonic() - began


def bare(cluster: Cluster) -> Bare:
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
            yield from idle(cluster)
            yield Figure("local down", timed(lambda: cluster.local("down")), "s", most=5)
            alone = bare(cluster)
        finally:
            lasted = timed(lambda: cluster.local("reset", "--yes"))
    yield Figure("local reset", lasted, "s", most=10)
    yield Figure("local: bare boot to node Ready", alone.whole, "s")
    yield Figure("local up: node Ready", node_ready, "s")
    yield Figure("local up: node Ready / bare", node_ready / alone.whole, "x", most=2)
    yield Figure("local up: everything / bare", whole / alone.whole, "x", most=4)
    yield Figure("local: machine, power-on to Ready", alone.machine, "s")
    ratio = alone.machine / alone.software
    yield Figure("local: machine / bare containerd and kubelet", ratio, "x", most=1.5)
