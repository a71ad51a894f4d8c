"""`local machine` and `local zone`: what can happen to the cluster's nodes."""

import os
import sys
from collections.abc import Callable, Coroutine
from typing import Any

from hypershift.cli.command import Command
from hypershift.cli.flags import Values
from hypershift.cli.local.common import OUTPUT, present
from hypershift.cli.output import show
from hypershift.kit import UsageError
from hypershift.local.cluster.node import nodes_in, zone_of
from hypershift.local.host.shared import socket_path
from hypershift.local.machine import Machine
from hypershift.local.status import machine_rows, report
from hypershift.local.supervise.control import ask
from hypershift.local.supervise.machines import hosted

Action = Callable[[Values], Coroutine[Any, Any, None]]


async def list_machines(values: Values) -> None:
    where, spec = present(values)
    found = await report(where, spec)
    header, *lines = machine_rows(found)
    show(found["machines"], values["output"], header, lines)


def execute(values: Values) -> None:
    where, _ = present(values)
    if not values.arguments:
        raise UsageError("machine exec NAME -- COMMAND: which machine?")
    name, *command = values.arguments
    places = (where.machines / name, where.hosted / name)
    directory = next((place for place in places if (place / "spec.json").exists()), None)
    if directory is None:
        raise UsageError(f"there is no machine {name}; `hypershift local machine list` shows them")
    argv = Machine.load(directory).exec_command(command or ["/bin/sh"])
    sys.stdout.flush()
    os.execv(argv[0], argv)  # noqa: S606 - become the command, so that its terminal is ours


def on_machines(do: str) -> Action:
    """A command that the supervisor carries out on the machines that are named."""

    async def run(values: Values) -> None:
        await _ask(values, do, list(values.arguments))

    return run


def on_zone(do: str) -> Action:
    """A command that the supervisor carries out on all machines of a zone."""

    async def run(values: Values) -> None:
        await _ask(values, do, _zone(values))

    return run


async def _ask(values: Values, do: str, names: list[str]) -> None:
    _, spec = present(values)
    if not names:
        raise UsageError("name at least one machine; `hypershift local machine list` shows them")
    await ask(socket_path(spec.index), do, names=names)


def _zone(values: Values) -> list[str]:
    where, spec = present(values)
    zone = values.arguments[0] if values.arguments else ""
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
        Command("list", "Show the machines", run=list_machines, flags=(OUTPUT,)),
        Command("exec", "Run a command in a machine", arguments="NAME -- ARGS", run=execute),
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
