"""`destroy nodepool`: a pool and its machines go, the cluster stays."""

import sys
from dataclasses import dataclass

from hypershift.cli.command import Command
from hypershift.cli.flags import Flag
from hypershift.cli.management import management
from hypershift.cli.typed import Typed
from hypershift.kube import kinds


@dataclass(frozen=True, slots=True)
class DestroyPool:
    """What `destroy nodepool` is given."""

    name: str
    namespace: str


async def run(options: DestroyPool) -> int:
    """Delete the pool; one that is gone already is no error."""
    namespace, name = options.namespace, options.name
    async with management() as client:
        found = await client.find(kinds.NODE_POOL, name, namespace)
        await client.delete(kinds.NODE_POOL, name, namespace)
    outcome = "NodePool deleted successfully" if found else "NodePool already deleted or not found"
    sys.stderr.write(f"{outcome}: {namespace}/{name}\n")
    return 0


COMMAND = Command(
    "nodepool",
    "Destroy a NodePool",
    flags=(
        Flag("name", "Name of the pool", required=True),
        Flag("namespace", "Namespace of the pool", default="clusters"),
    ),
    run=Typed(DestroyPool, run),
)
