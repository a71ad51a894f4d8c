"""`destroy nodepool`: a pool and its machines go, the cluster stays."""

import sys

from hypershift.cli.command import Command
from hypershift.cli.flags import Flag, Values
from hypershift.cli.management import management
from hypershift.kube import kinds


async def run(values: Values) -> int:
    """Delete the pool; one that is gone already is no error."""
    namespace, name = values["namespace"], values["name"]
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
    run=run,
)
