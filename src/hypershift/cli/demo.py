"""`demo`: from an empty machine to a hosted cluster with two Ready nodes, in ordinary commands."""

import asyncio
import os
import shutil
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from hypershift.cli import create, local
from hypershift.cli.cluster.wait import wait_until_ready
from hypershift.cli.command import Command, understand
from hypershift.cli.flags import INT32, Flag
from hypershift.cli.management import management
from hypershift.cli.typed import Typed
from hypershift.kube import kinds
from hypershift.local.cluster import state

NAME = "demo"
NAMESPACE = "clusters"
NEXT = """
What now?{activate}
  hypershift kubectl demo -- get pods -A     kubectl inside the hosted cluster
  hypershift explain cluster demo            how it is, and why
  hypershift create cluster local --name blue --node-pool-replicas 1 --wait

docs/tour.md breaks things on purpose; `make demo-down` removes everything again.
"""
STEPS = (
    "a management cluster on this machine, out of real parts",
    "a hosted cluster: its control plane runs there as pods, its nodes are machines of their own",
    "the proof: its nodes, as kubectl shows them",
)


@dataclass(frozen=True, slots=True)
class Demo:
    """What `demo` is given."""

    name: str
    nodes: int
    state_dir: str


async def demo(options: Demo) -> int:
    """Type the commands that a user would, and show them; a second run finds all done."""
    start = time.monotonic()
    _step(1)
    await _type(local.COMMAND, "up", f"--name={options.name}", *_state(options))
    where = state.layout(options.name, state.base_directory(options.state_dir))
    _step(2)
    await _cluster(where.admin, options.nodes)
    seconds = time.monotonic() - start
    print(f"\nhosted cluster {NAMESPACE}/{NAME} is ready after {seconds:.0f} s")  # noqa: T201
    _step(3)
    await _show(where.admin)
    sys.stdout.write(what_now())
    return 0


def what_now() -> str:
    """What a user may type next; how to find the program where a shell would not."""
    program = Path(sys.argv[0])
    known = shutil.which("hypershift")
    activate = "" if known else f"\n  source {program.parent / 'activate'}"
    return NEXT.format(activate=activate)


def _step(number: int) -> None:
    sys.stdout.write(f"\n=== {number} of {len(STEPS)}: {STEPS[number - 1]}\n")
    sys.stdout.flush()


async def _type(root: Command, *words: str) -> None:
    sys.stdout.write(f"$ hypershift {root.name} {' '.join(words)}\n")
    sys.stdout.flush()
    line = understand(root, list(words))
    assert line.command.run is not None  # noqa: S101 - the words above name commands that run
    outcome = line.command.run(line.values)
    if asyncio.iscoroutine(outcome):
        await outcome


def _state(options: Demo) -> tuple[str, ...]:
    return (f"--state-dir={options.state_dir}",) if options.state_dir else ()


async def _cluster(kubeconfig: Path, nodes: int) -> None:
    async with management(str(kubeconfig)) as client:
        found = await client.find(kinds.HOSTED_CLUSTER, NAME, NAMESPACE)
        if found is not None:
            pools = await client.list(kinds.NODE_POOL, NAMESPACE)
            mine = [pool for pool in pools if pool["spec"]["clusterName"] == NAME]
            await wait_until_ready(client, NAMESPACE, NAME, mine)
            return
    flags = (f"--name={NAME}", f"--node-pool-replicas={nodes}", "--wait")
    await _type(create.COMMAND, "cluster", "local", *flags, f"--kubeconfig={kubeconfig}")


async def _show(kubeconfig: Path) -> None:
    """The nodes, as kubectl shows them, are the proof."""
    program = sys.argv[0]
    words = ("kubectl", NAME, "--", "get", "nodes", "-o", "wide")
    sys.stdout.write(f"$ hypershift {' '.join(words)}\n")
    sys.stdout.flush()
    environment = {**os.environ, "KUBECONFIG": str(kubeconfig)}
    process = await asyncio.create_subprocess_exec(program, *words, env=environment)
    await process.wait()


COMMAND = Command(
    "demo",
    "From an empty machine to a hosted cluster with two Ready nodes",
    flags=(
        Flag("name", "Name of the embedded management cluster", default=state.DEFAULT_NAME),
        Flag("state-dir", "Directory that holds the embedded clusters of this user"),
        Flag("nodes", "Nodes of the hosted cluster", INT32, 2),
    ),
    run=Typed(Demo, demo),
)
