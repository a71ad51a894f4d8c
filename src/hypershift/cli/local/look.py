"""`local status`, `kubeconfig`, `logs` and `list`: what there is, changing nothing."""

import sys

from hypershift.cli.command import Command
from hypershift.cli.flags import BOOL, INT, Flag, Values
from hypershift.cli.local.common import OUTPUT, present, show, table
from hypershift.local import state
from hypershift.local.daemon import running
from hypershift.local.logs import show as show_log
from hypershift.local.status import report, rows


async def status(values: Values) -> None:
    where, spec = present(values)
    found = await report(where, spec)
    if values["output"] == "table":
        table(rows(found))
    else:
        show(found, values["output"])


def kubeconfig(values: Values) -> None:
    where, _ = present(values)
    sys.stdout.write(where.admin.read_text())


def logs(values: Values) -> None:
    where, spec = present(values)
    unit = values.arguments[0] if values.arguments else ""
    show_log(where, spec, unit, lines=values["tail"], follow=values["follow"])


def list_clusters(values: Values) -> None:
    lines: list[tuple[str, ...]] = [("NAME", "STATE", "NODES", "ZONES", "NETWORK", "DIRECTORY")]
    for where in state.clusters(state.base_directory(values["state-dir"])):
        if (spec := state.load(where)) is not None:
            numbers = (str(spec.nodes), str(spec.zones), str(spec.plan.network))
            lines.append(
                (where.name, "up" if running(where) else "down", *numbers, str(where.root))
            )
    table(lines)


STATUS = Command("status", "Show units and machines", run=status, flags=(OUTPUT,))
KUBECONFIG = Command("kubeconfig", "Print the admin's kubeconfig", run=kubeconfig)
LOGS = Command(
    "logs",
    "Print the log of a unit or a machine's console",
    arguments="UNIT",
    run=logs,
    flags=(
        Flag("tail", "Number of last lines", INT, default=200),
        Flag("follow", "Go on as lines come", BOOL, short="f"),
    ),
)
LIST = Command("list", "Show the clusters of this user", run=list_clusters)
