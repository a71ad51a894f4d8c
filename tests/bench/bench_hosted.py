"""What a hosted control plane costs, against the same containers as hand-written pods.

HYPERSHIFT_BENCH_CLUSTER names an embedded cluster with the operator that is up already.
"""

import asyncio
import os
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from tests.bench import by_hand
from tests.bench.figure import Figure
from tests.bench.seen import until_true
from tests.e2e import processes
from tests.e2e.embedded import Cluster
from tests.e2e.hosted import Hosted
from tests.lib.server import real_server

from hypershift.kube import Client, kinds
from hypershift.local.cluster import state
from hypershift.local.cluster.plan import node_names
from hypershift.local.machine import Machine
from hypershift.local.supervise import process
from hypershift.local.units import CATALOG
from hypershift.runtime import is_true

MIB = 1 << 20
ROUNDS = 5
AT_ONCE = int(os.environ.get("HYPERSHIFT_BENCH_AT_ONCE", "10"))
PATIENCE = 300.0
SETTLE = 30.0
#: What was deleted before a measurement is not to be cleaned up during it.
QUIET = 10.0
#: The programs of a control plane; whatever else its pods need is what hosting costs.
BARE = frozenset(
    {"etcd", "konnectivity-server", "kube-apiserver", "kube-controller-manager", "kube-scheduler"}
)
OPERATOR = "hypershift"


def cpu_seconds(cluster: Cluster) -> float:
    """What all units and nodes of an embedded cluster have used so far.

    `local status` would take a second, in which the cluster goes on with what comes next.
    """
    where, nodes = cluster.where, node_names(cluster.name, cluster.spec.nodes)
    units = (process.recall(where.units / f"{module.NAME}.json") for module, _ in CATALOG)
    machines = (Machine.load(where.machines / name).status() for name in nodes)
    return sum(each.cpu_seconds for each in (*units, *machines) if each)


def pss(pid: int) -> float:
    """The proportional set size of a process."""
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0.0
    return next(float(line.split()[1]) for line in lines if line.startswith("Pss:")) * 1024 / MIB


async def available(client: Client, *names: str) -> None:
    """Return when these hosted clusters are Available."""
    async with asyncio.timeout(PATIENCE):
        await until_true(client, kinds.HOSTED_CLUSTER, names, "clusters", "Available")


async def created(client: Client, cluster: Cluster, *made: Hosted) -> tuple[float, float]:
    """Create clusters at once; the seconds until all are Available, and their CPU seconds."""
    manifests = [each for one in made for each in await asyncio.to_thread(one.manifests)]
    for each in manifests:
        if each["kind"] != kinds.HOSTED_CLUSTER.kind:
            await client.apply(each, manager="bench")
    await asyncio.sleep(QUIET)
    used, began = cpu_seconds(cluster), time.monotonic()
    for each in manifests:
        if each["kind"] == kinds.HOSTED_CLUSTER.kind:
            await client.create(each)
    await available(client, *(each.name for each in made))
    lasted = time.monotonic() - began
    return lasted, cpu_seconds(cluster) - used


async def filled(cluster: Cluster) -> float:
    """The CPU seconds of a while after a cluster is Available, in which its inside is filled."""
    used = cpu_seconds(cluster)
    await asyncio.sleep(QUIET)
    return cpu_seconds(cluster) - used


async def by_hand_again(client: Client, cluster: Cluster, made: Hosted) -> tuple[float, float]:
    """Run the same containers without the operator; seconds and CPU seconds until all are ready."""
    await _scale_operator(client, 0)
    try:
        workloads = await by_hand.take_away(client, made.plane)
        await asyncio.sleep(QUIET)
        used = cpu_seconds(cluster)
        lasted = await by_hand.boot(client, workloads, made.plane)
        used = cpu_seconds(cluster) - used
        await client.delete_collection(kinds.POD, made.plane)
    finally:
        await _scale_operator(client, 1)
    return lasted, used


async def _scale_operator(client: Client, replicas: int) -> None:
    """Change the number of operators and wait until it is so."""
    patch = {"spec": {"replicas": replicas}}
    await client.patch(kinds.DEPLOYMENT, "operator", patch, OPERATOR)
    async with asyncio.timeout(PATIENCE):
        while len(await operators(client)) != replicas:  # noqa: ASYNC110 - another process
            await asyncio.sleep(0.2)


async def operators(client: Client) -> list[str]:
    """The pods of the operator that are ready, or not yet gone."""
    pods = await client.list(kinds.POD, OPERATOR, labels="app=operator")
    gone = [each for each in pods if each["metadata"].get("deletionTimestamp")]
    return [each["metadata"]["uid"] for each in pods if each in gone or is_true(each, "Ready")]


async def memory(client: Client, before: float, made: list[Hosted]) -> Iterator[Figure]:
    """What idle clusters hold, each one's share: its processes alone, and with what hosts them."""
    pods = [pod for each in made for pod in await asyncio.to_thread(each.pods)]
    found = processes.of_pods({pod["metadata"]["uid"] for pod in pods})
    bare = sum(pss(each.pid) for each in found if each.program in BARE) / len(made)
    beside = sum(pss(each.pid) for each in found if each.program not in BARE) / len(made)
    shims = sum(pss(pid) for pid in processes.shims(pods)) / len(made)
    grown = (await operator_memory(client) - before) / len(made)
    whole = bare + beside + shims + grown
    return iter(
        (
            Figure("hosted: bare processes of an idle cluster, PSS", bare, "MiB"),
            Figure("hosted: pause and shims of an idle cluster, PSS", beside + shims, "MiB"),
            Figure("hosted: operator's growth by a cluster, PSS", grown, "MiB"),
            Figure("hosted: memory of an idle cluster / bare", whole / bare, "x", most=1.1),
        )
    )


async def operator_memory(client: Client) -> float:
    """What the operator's processes hold."""
    found = processes.of_pods(set(await operators(client)))
    return sum(pss(each.pid) for each in found)


def bare_boot() -> float:
    """etcd and kube-apiserver as plain processes, until the API is ready."""
    with tempfile.TemporaryDirectory(prefix="hypershift-bench-") as place:
        began = time.monotonic()
        with real_server(Path(place)):
            return time.monotonic() - began


async def alone(client: Client, cluster: Cluster, files: Path) -> list[Figure]:
    """One cluster after the other, each also by hand."""
    rounds, after = [], []
    for number in range(ROUNDS):
        made = Hosted(cluster, f"alone-{number}", files)
        ours = await created(client, cluster, made)
        after.append(await filled(cluster))
        theirs = await by_hand_again(client, cluster, made)
        await asyncio.to_thread(made.destroy)
        sys.stderr.write(f"  round {number}: ours {ours}, by hand {theirs} (s, CPU s)\n")
        rounds.append((ours, theirs))
    bare = min(bare_boot() for _ in range(ROUNDS))
    seconds, cpu = (sorted(ours[which] for ours, _ in rounds)[ROUNDS // 2] for which in (0, 1))
    hand, hand_cpu = (sorted(hand[which] for _, hand in rounds)[ROUNDS // 2] for which in (0, 1))
    return [
        Figure("hosted: created -> Available", seconds, "s"),
        Figure("hosted: hand-written pods in the same order", hand, "s"),
        Figure("hosted: bare boot of etcd and kube-apiserver", bare, "s"),
        Figure("hosted: created -> Available / hand-written", seconds / hand, "x", most=1.3),
        Figure("hosted: created -> Available / bare boot", seconds / bare, "x"),
        Figure("hosted: CPU seconds / hand-written", cpu / hand_cpu, "x", most=1.3),
        Figure(f"hosted: CPU seconds of the {QUIET:g} s after", sorted(after)[ROUNDS // 2], "s"),
    ]


async def together(client: Client, cluster: Cluster, files: Path) -> list[Figure]:
    """Many created at once, then what they hold when they are idle."""
    before = await operator_memory(client)
    made = [Hosted(cluster, f"many-{number}", files) for number in range(AT_ONCE)]
    try:
        seconds, cpu = await created(client, cluster, *made)
        await asyncio.sleep(SETTLE)
        held = list(await memory(client, before, made))
    finally:
        for each in made:
            await client.delete(kinds.HOSTED_CLUSTER, each.name, each.namespace)
        for each in made:
            await asyncio.to_thread(each.destroy)
    return [
        Figure(f"hosted: {AT_ONCE} created at once -> all Available", seconds, "s"),
        Figure(f"hosted: share of two cores used by {AT_ONCE} at once", cpu / seconds / 2, "x"),
        *held,
    ]


async def measure(cluster: Cluster, files: Path) -> list[Figure]:
    """Everything, on a cluster that is up."""
    async with Client.connect(cluster.kubeconfig) as client:
        warm = Hosted(cluster, "warm", files)
        await created(client, cluster, warm)
        await asyncio.to_thread(warm.destroy)
        found = await alone(client, cluster, files)
        return [*found, *(await together(client, cluster, files) if AT_ONCE else ())]


def figures() -> Iterator[Figure]:
    """Measure; a first cluster that is not counted brings the images to the node."""
    if os.geteuid() != 0:
        sys.stderr.write("  skipped: an embedded cluster needs root\n")
        return
    name = os.environ.get("HYPERSHIFT_BENCH_CLUSTER")
    with tempfile.TemporaryDirectory(prefix="hypershift-bench-") as place:
        cluster = Cluster(name or "bench", state.base_directory() if name else Path(place))
        try:
            if not name:
                cluster.local("up")
            yield from asyncio.run(measure(cluster, Path(place)))
        finally:
            if not name:
                cluster.local("reset", "--yes")
