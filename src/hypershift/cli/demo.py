"""`demo`: from an empty machine to a hosted cluster with two Ready nodes, in ordinary commands."""

import asyncio
import os
import sys
import time
from pathlib import Path

from hypershift.cli import create, local
from hypershift.cli.cluster.wait import wait_until_ready
from hypershift.cli.command import Command, understand
from hypershift.cli.flags import INT32, Flag, Values
from hypershift.cli.management import management
from hypershift.kube import kinds
from hypershift.local import state

NAME = "demo"
NAMESPACE = "clusters"
NEXT = """
What now?
  hypershift get clusters                    every hosted cluster
  hypershift kubectl demo -- get nodes       kubectl inside the hosted cluster
  hypershift create cluster local --name blue --node-pool-replicas 1 --wait

`make demo-down` removes everything again.
"""


async def demo(values: Values) -> int:
    """Type the commands that a user would, and show them; a second run finds all done."""
    start = time.monotonic()
    await _type(local.COMMAND, "up", f"--name={values['name']}", *_state(values))
    where = state.layout(values["name"], state.base_directory(values["state-dir"]))
    await _cluster(where.admin, values["nodes"])
    seconds = time.monotonic() - start
    print(f"\nhosted cluster {NAMESPACE}/{NAME} is ready after {seconds:.0f} s")  # noqa: T201
    await _show(where.admin)
    sys.stdout.write(NEXT)
    return 0


async def _type(root: Command, *words: str) -> None:
    sys.stdout.write(f"$ hypershift {root.name} {' '.join(words)}\n")
    sys.stdout.flush()
    line = understand(root, list(words))
    assert line.command.run is not None  # noqa: S101 - the words above name commands that run
    outcome = line.command.run(line.values)
    if asyncio.iscoroutine(outcome):
        await outcome


def _state(values: Values) -> tuple[str, ...]:
    return (f"--state-dir={values['state-dir']}",) if values["state-dir"] else ()


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
    run=demo,
)
