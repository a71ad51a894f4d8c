"""One operator with more and more clusters: what each of them costs while it comes, and at rest.

The API server and etcd are real. There are no kubelets: workloads are ready as soon as they are
written, and simulated servers stand for the hosted APIs, so that what is measured is the operator's
own cost. HYPERSHIFT_BENCH_FLEET lists how many clusters there are at each step.
"""

import asyncio
import json
import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from urllib.request import urlopen

from prometheus_client.parser import text_string_to_metric_families
from tests.bench.bench_cache import processor_time
from tests.bench.bench_hosted import pss
from tests.bench.figure import Figure
from tests.bench.fleet_world import play
from tests.bench.guests import guests
from tests.bench.seen import until_true
from tests.integration.operators.management import collected, prepare
from tests.integration.operators.samples import a_cluster
from tests.lib.ports import free_port
from tests.lib.server import RealServer, available, real_server

from hypershift import parts
from hypershift.kube import Client, kinds

STEPS = tuple(int(one) for one in os.environ.get("HYPERSHIFT_BENCH_FLEET", "1,10,50").split(","))
#: Budgets of the operator for an idle cluster.
MILLICORES, MEBIBYTES = 2.0, 0.5
#: Until what was created is at rest, and how long that is looked at.
SETTLE, REST = 30.0, 60.0
PATIENCE = 60.0
#: A cluster has some five Services, and many Secrets are written at once.
FLAGS = (
    "--service-cluster-ip-range=10.0.0.0/12",
    "--max-requests-inflight=2000",
    "--max-mutating-requests-inflight=1000",
)


@dataclass(frozen=True, slots=True)
class Seen:
    """What an operator has used and done until now."""

    cpu: float
    memory: float
    writes: float
    waited: float
    waits: float


@dataclass(frozen=True, slots=True)
class Operator:
    """The process of the operator, as its kernel and its metrics describe it."""

    pid: int
    port: int

    def seen(self) -> Seen:
        """Read everything at once."""
        with urlopen(f"http://127.0.0.1:{self.port}/metrics", timeout=30) as answer:
            found = answer.read().decode()
        sums: dict[str, float] = {}
        for family in text_string_to_metric_families(found):
            for sample in family.samples:
                sums[sample.name] = sums.get(sample.name, 0.0) + sample.value
        return Seen(
            processor_time(self.pid),
            pss(self.pid),
            sums.get("hypershift_writes_total", 0.0),
            sums.get("hypershift_queue_seconds_sum", 0.0),
            sums.get("hypershift_queue_seconds_count", 0.0),
        )


def figures() -> Iterator[Figure]:
    if not available() or parts.missing(("kube-controller-manager",)):
        sys.stderr.write("  skipped: etcd, API server or controller manager is not here\n")
        return
    with ExitStack() as stack:
        directory = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="fleet-")))
        server = stack.enter_context(real_server(directory, flags=FLAGS))
        stack.enter_context(collected(server, directory))
        asyncio.run(prepare(server))
        hosted = stack.enter_context(guests("honest", str(max(STEPS))))
        operator = stack.enter_context(_operator(server, hosted))
        yield from asyncio.run(_measured(server, operator))


@contextmanager
def _operator(server: RealServer, hosted: list[str]) -> Iterator[Operator]:
    port = free_port()
    command = [sys.executable, "-m", "tests.bench.fleet_child", str(port)]
    child = subprocess.Popen(command, stdin=subprocess.PIPE, text=True)
    assert child.stdin is not None
    try:
        json.dump({"management": server.kubeconfig, "hosted": hosted}, child.stdin)
        child.stdin.close()
        _await_port(port)
        yield Operator(child.pid, port)
    finally:
        child.kill()
        child.wait()


def _await_port(port: int) -> None:
    end = time.monotonic() + PATIENCE
    with closing(socket.socket()) as probe:
        while probe.connect_ex(("127.0.0.1", port)):
            assert time.monotonic() < end, "the operator did not start"
            time.sleep(0.1)


async def _measured(server: RealServer, operator: Operator) -> list[Figure]:
    found: list[Figure] = []
    async with server.client("bench") as client, server.client("world") as world:
        playing = asyncio.create_task(play(world))
        await asyncio.sleep(SETTLE / 3)
        empty = operator.seen()
        first = empty
        for before, number in pairwise((0, *STEPS)):
            found += await _step(client, operator, before, number, first)
            first = operator.seen() if before == 0 else first
        playing.cancel()
        await asyncio.gather(playing, return_exceptions=True)
    return found


async def _step(
    client: Client, operator: Operator, before: int, number: int, first: Seen
) -> list[Figure]:
    """Create the clusters of one step, wait until they are available, and look at their rest."""
    names = [f"c{each}" for each in range(before, number)]
    name, added, last = f"fleet of {number}", number - before, number == max(STEPS)
    began, clock = operator.seen(), time.monotonic()
    for each in names:
        await client.create(a_cluster(each))
    await until_true(client, kinds.HOSTED_CLUSTER, names, "clusters", "Available")
    lasted = time.monotonic() - clock
    await asyncio.sleep(SETTLE)
    settled = operator.seen()
    await asyncio.sleep(REST)
    rested = operator.seen()
    waits = (settled.waited - began.waited) / max(settled.waits - began.waits, 1)
    idle = (rested.cpu - settled.cpu) / REST * 1000 / number
    grown = (rested.memory - first.memory) / max(number - STEPS[0], 1)
    most = (MILLICORES, MEBIBYTES) if last else (None, None)
    return [
        Figure(f"{name}: {added} created -> all Available", lasted, "s"),
        Figure(f"{name}: operator's CPU for each", (settled.cpu - began.cpu) / added, "s"),
        Figure(f"{name}: mean wait in a queue meanwhile", waits * 1000, "ms"),
        Figure(f"{name}: operator's memory, PSS", rested.memory, "MiB"),
        Figure(f"{name}: writes in a minute of rest", rested.writes - settled.writes, "", most=0),
        Figure(f"{name}: operator at rest, for each", idle, "mCPU", most=most[0]),
        Figure(f"{name}: memory for each beyond the first", grown, "MiB", most=most[1]),
    ]
