"""`local machine` and `local zone`: what can happen to the cluster's nodes."""

import os
import sys
from dataclasses import dataclass

from hypershift.cli.command import Command
from hypershift.cli.local.common import OUTPUT, Place
from hypershift.cli.output import show
from hypershift.cli.typed import Typed
from hypershift.kit import UsageError
from hypershift.local.cluster.node import nodes_in, zone_of
from hypershift.local.host.shared import socket_path
from hypershift.local.machine import Machine
from hypershift.local.status import machine_rows, report
from hypershift.local.supervise.control import ask
from hypershift.local.supervise.machines import hosted


@dataclass(frozen=True, slots=True)
class Machines(Place):
    """Names of machines, or of a zone, of a cluster."""

    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Listing(Place):
    """What `local machine list` is given."""

    output: str


async def list_machines(options: Listing) -> None:
    where, spec = options.present()
    found = await report(where, spec)
    header, *lines = machine_rows(found)
    show(found["machines"], options.output, header, lines)


def execute(options: Machines) -> None:
    where, _ = options.present()
    if not options.words:
        raise UsageError("machine exec NAME -- COMMAND: which machine?")
    name, *command = options.words
    places = (where.machines / name, where.hosted / name)
    directory = next((place for place in places if (place / "spec.json").exists()), None)
    if directory is None:
        raise UsageError(f"there is no machine {name}; `hypershift local machine list` shows them")
    argv = Machine.load(directory).exec_command(command or ["/bin/sh"])
    sys.stdout.flush()
    os.execv(argv[0], argv)  # noqa: S606 - become the command, so that its terminal is ours


def on_machines(do: str) -> Typed[Machines]:
    """A command that the supervisor carries out on the machines that are named."""

    async def run(options: Machines) -> None:
        await _ask(options, do, list(options.words))

    return Typed(Machines, run)


def on_zone(do: str) -> Typed[Machines]:
    """A command that the supervisor carries out on all machines of a zone."""

    async def run(options: Machines) -> None:
        await _ask(options, do, _zone(options))

    return Typed(Machines, run)


async def _ask(place: Place, do: str, names: list[str]) -> None:
    _, spec = place.present()
    if not names:
        raise UsageError("name at least one machine; `hypershift local machine list` shows them")
    await ask(socket_path(spec.index), do, names=names)


def _zone(options: Machines) -> list[str]:
    where, spec = options.present()
    zone = options.words[0] if options.words else ""
    if not (names := nodes_in(spec, zone)):
        known = sorted({zone_of(spec, number) for number in range(spec.nodes)})
        raise UsageError(f"there is no zone {zone!r}; the cluster's zones are {', '.join(known)}")
    workers = hosted(where).items()
    return [*names, *(name for name, each in workers if each.spec.metadata.zone == zone)]


_NAMES = "NAME..."
MACHINE = Command(
    "machine",
    "The cluster's machines: its nodes and those of hosted clusters",
    commands=(
        Command("list", "Show the machines", run=Typed(Listing, list_machines), flags=(OUTPUT,)),
        Command(
            "exec",
            "Run a command in a machine",
            arguments="NAME -- ARGS",
            run=Typed(Machines, execute),
        ),
        Command("kill", "Cut the power", arguments=_NAMES, run=on_machines("kill")),
        Command("start", "Switch on", arguments=_NAMES, run=on_machines("start")),
        Command("reboot", "Shut down, then on again", arguments=_NAMES, run=on_machines("reboot")),
        Command("pause", "Freeze", arguments=_NAMES, run=on_machines("pause")),
        Command("resume", "Go on after a pause", arguments=_NAMES, run=on_machines("resume")),
    ),
)

ZONE = Command(
    "zone",
    "Lose a zone and get it back",
    commands=(
        Command("down", "Cut the power of a zone", arguments="ZONE", run=on_zone("kill")),
        Command("up", "Switch a zone on", arguments="ZONE", run=on_zone("start")),
    ),
)
