"""What four hostile clusters of twenty cost the other sixteen: reconcile latency and memory."""

import json
import subprocess
import sys
from collections.abc import Iterator

from tests.bench.figure import Figure

ROUNDS = 2


def figures() -> Iterator[Figure]:
    """Measure fleets in turn, each in a process of its own; the best round of each counts."""
    module = [sys.executable, "-m", "tests.adversary.hostile"]
    servers = subprocess.Popen(module, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert servers.stdout is not None
    hostile = servers.stdout.readline()
    try:
        rounds = [(_fleet("[]"), _fleet(hostile)) for _ in range(ROUNDS)]
    finally:
        servers.communicate("")
    alone = {name: min(one[0][name] for one in rounds) for name in rounds[0][0]}
    beside = {name: min(one[1][name] for one in rounds) for name in rounds[0][1]}
    yield Figure("honest fleet: latency p99", alone["p99"] * 1000, "ms")
    yield Figure("honest fleet: peak memory", alone["peak"], "MiB")
    yield Figure("hostile fleet: latency p99 of honest clusters", beside["p99"] * 1000, "ms")
    yield Figure("hostile fleet: peak memory", beside["peak"], "MiB")
    yield Figure("hostile / honest fleet: latency p99", beside["p99"] / alone["p99"], "", most=1.5)
    yield Figure("hostile / honest fleet: memory", beside["peak"] / alone["peak"], "", most=1.3)


def _fleet(hostile: str) -> dict[str, float]:
    command = [sys.executable, "-m", "tests.bench.hostile_child", hostile.strip()]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    found: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    sys.stderr.write(f"  {found}\n")
    return found
