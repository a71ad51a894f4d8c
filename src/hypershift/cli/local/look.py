"""`local status`, `kubeconfig`, `logs` and `list`: what there is, changing nothing."""

import sys

from hypershift.cli.command import Command
from hypershift.cli.flags import BOOL, INT, Flag, Values
from hypershift.cli.local.common import OUTPUT, present
from hypershift.cli.output import show
from hypershift.local.cluster import state
from hypershift.local.logs import show as show_log
from hypershift.local.status import report, rows, seen

_COLUMNS = ("NAME", "STATE", "NODES", "ZONES", "KUBERNETES", "NETWORK", "DIRECTORY")


async def status(values: Values) -> None:
    where, spec = present(values)
    found = await report(where, spec)
    header, *lines = rows(found)
    show(found, values["output"], header, lines)


def kubeconfig(values: Values) -> None:
    where, _ = present(values)
    sys.stdout.write(where.admin.read_text())


def logs(values: Values) -> None:
    where, spec = present(values)
    unit = values.arguments[0] if values.arguments else ""
    show_log(where, spec, unit, lines=values["tail"], follow=values["follow"])


def list_clusters(values: Values) -> None:
    base = state.base_directory(values["state-dir"])
    found = [seen(where) for where in state.clusters(base)]
    lines = [[str(each[name.lower()]) for name in _COLUMNS] for each in found]
    show(found, values["output"], _COLUMNS, lines)


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
LIST = Command("list", "Show the clusters of this user", run=list_clusters, flags=(OUTPUT,))
