"""`local status`, `kubeconfig`, `logs` and `list`: what there is, changing nothing."""

import sys
from dataclasses import dataclass

from hypershift.cli.command import Command
from hypershift.cli.flags import BOOL, INT, Flag
from hypershift.cli.local.common import OUTPUT, Place
from hypershift.cli.output import show
from hypershift.cli.typed import Typed
from hypershift.local.cluster import state
from hypershift.local.logs import show as show_log
from hypershift.local.status import report, rows, seen

_COLUMNS = ("NAME", "STATE", "NODES", "ZONES", "KUBERNETES", "NETWORK", "DIRECTORY")


@dataclass(frozen=True, slots=True)
class Status(Place):
    """What `local status` is given."""

    output: str


@dataclass(frozen=True, slots=True)
class Logs(Place):
    """What `local logs` is given."""

    follow: bool
    tail: int
    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Clusters:
    """What `local list` is given."""

    output: str
    state_dir: str


async def status(options: Status) -> None:
    where, spec = options.present()
    found = await report(where, spec)
    header, *lines = rows(found)
    show(found, options.output, header, lines)


def kubeconfig(place: Place) -> None:
    where, _ = place.present()
    sys.stdout.write(where.admin.read_text())


def logs(options: Logs) -> None:
    where, spec = options.present()
    unit = options.words[0] if options.words else ""
    show_log(where, spec, unit, lines=options.tail, follow=options.follow)


def list_clusters(options: Clusters) -> None:
    base = state.base_directory(options.state_dir)
    found = [seen(where) for where in state.clusters(base)]
    lines = [[str(each[name.lower()]) for name in _COLUMNS] for each in found]
    show(found, options.output, _COLUMNS, lines)


STATUS = Command("status", "Show units and machines", run=Typed(Status, status), flags=(OUTPUT,))
KUBECONFIG = Command("kubeconfig", "Print the admin's kubeconfig", run=Typed(Place, kubeconfig))
LOGS = Command(
    "logs",
    "Print the log of a unit or a machine's console",
    arguments="UNIT",
    run=Typed(Logs, logs),
    flags=(
        Flag("tail", "Number of last lines", INT, default=200),
        Flag("follow", "Go on as lines come", BOOL, short="f"),
    ),
)
LIST = Command(
    "list", "Show the clusters of this user", run=Typed(Clusters, list_clusters), flags=(OUTPUT,)
)
