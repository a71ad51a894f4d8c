"""What four hostile clusters of twenty cost the other sixteen: reconcile latency and memory."""

import json
import subprocess
import sys
from collections.abc import Iterator

from tests.bench.figure import Figure
from tests.bench.guests import guests

CLUSTERS, ROUNDS = 20, 2


def figures() -> Iterator[Figure]:
    """Measure fleets in turn, each in a process of its own; the best round of each counts."""
    with guests("honest", str(CLUSTERS)) as honest, guests("hostile") as hostile:
        mixed = [*hostile, *honest[len(hostile) :]]
        rounds = [(_fleet(honest), _fleet(mixed)) for _ in range(ROUNDS)]
    alone = {name: min(one[0][name] for one in rounds) for name in rounds[0][0]}
    beside = {name: min(one[1][name] for one in rounds) for name in rounds[0][1]}
    yield Figure("honest fleet: latency p99", alone["p99"] * 1000, "ms")
    yield Figure("honest fleet: peak memory", alone["peak"], "MiB")
    yield Figure("hostile fleet: latency p99 of honest clusters", beside["p99"] * 1000, "ms")
    yield Figure("hostile fleet: peak memory", beside["peak"], "MiB")
    yield Figure("hostile / honest fleet: latency p99", beside["p99"] / alone["p99"], "", most=1.5)
    yield Figure("hostile / honest fleet: memory", beside["peak"] / alone["peak"], "", most=1.3)


def _fleet(kubeconfigs: list[str]) -> dict[str, float]:
    command = [sys.executable, "-m", "tests.bench.hostile_child"]
    given = json.dumps(kubeconfigs)
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, input=given)
    found: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    sys.stderr.write(f"  {found}\n")
    return found
