"""`hypershift kubectl [CLUSTER] -- ARGS`: kubectl for an embedded cluster, or any kubeconfig."""

import os

from hypershift import parts
from hypershift.cli.command import Command
from hypershift.cli.flags import Flag, Values
from hypershift.kit import UsageError
from hypershift.local import state


async def kubectl(values: Values) -> None:
    words = list(values.arguments)
    base = state.base_directory(values["state-dir"])
    names = {where.name: where for where in state.clusters(base)}
    name = words.pop(0) if words and words[0] in names else state.DEFAULT_NAME
    if name not in names:
        known = ", ".join(sorted(names)) or "none"
        raise UsageError(f"there is no cluster {name}; clusters of this user: {known}")
    binary = str((await parts.ensure(("kubectl",)))["kubectl"])
    environment = {**os.environ, "KUBECONFIG": str(names[name].admin)}
    os.execve(binary, (binary, *words), environment)  # noqa: S606 - become kubectl


COMMAND = Command(
    "kubectl",
    "Run kubectl against an embedded cluster",
    description=(
        "The first word may name a cluster of `hypershift local list`; everything behind `--`\n"
        "goes to kubectl as it is."
    ),
    examples="hypershift kubectl -- get nodes -o wide",
    arguments="[CLUSTER] -- ARGS",
    flags=(Flag("state-dir", "Directory that holds the clusters of this user"),),
    run=kubectl,
)
