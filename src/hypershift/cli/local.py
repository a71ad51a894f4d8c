"""`hypershift local`: a management cluster on this machine."""

import json
import os
import sys
from typing import Any

import yaml

from hypershift.cli.command import Command
from hypershift.cli.flags import BOOL, INT, Flag, Values, choice
from hypershift.kit import UsageError
from hypershift.local import images, state, teardown
from hypershift.local import up as bringing_up
from hypershift.local.control import ask
from hypershift.local.daemon import running
from hypershift.local.hostwide import socket_path
from hypershift.local.logs import show
from hypershift.local.machine import Machine
from hypershift.local.node import nodes_in, zone_of
from hypershift.local.progress import Progress
from hypershift.local.state import Layout
from hypershift.local.status import machine_rows, report, rows

NAME = Flag("name", "Name of the cluster", default=state.DEFAULT_NAME, persistent=True)
STATE = Flag("state-dir", "Directory that holds the clusters of this user", persistent=True)
OUTPUT = Flag(
    "output",
    "Output format: table, json or yaml",
    choice("string", ("table", "json", "yaml"), lambda word: f'"{word}" is no output format'),
    default="table",
    short="o",
)


def _where(values: Values) -> Layout:
    return state.layout(values["name"], state.base_directory(values["state-dir"]))


def _present(values: Values) -> tuple[Layout, state.Spec]:
    where = _where(values)
    spec = state.load(where)
    if spec is None:
        raise UsageError(f"there is no cluster {where.name} in {where.root.parent}")
    return where, spec


def _print(document: Any, output: str) -> None:
    if output == "json":
        json.dump(document, sys.stdout, indent=2)
        sys.stdout.write("\n")
    else:
        yaml.safe_dump(document, sys.stdout, sort_keys=False)


def _table(rows: list[tuple[str, ...]]) -> None:
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    for row in rows:
        cells = (cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        sys.stdout.write("  ".join(cells).rstrip() + "\n")


async def up(values: Values) -> None:
    say = Progress()
    where = _where(values)
    nodes = values["nodes"] if values.has("nodes") else None
    zones = values["zones"] if values.has("zones") else None
    await bringing_up.up(bringing_up.Options(where, nodes, zones, values["kubernetes"]), say)
    say(f"cluster {where.name} is up; kubeconfig: {where.admin}")


async def down(values: Values) -> None:
    where, spec = _present(values)
    await teardown.down(where, spec)


async def reset(values: Values) -> None:
    await teardown.reset(_where(values), sure=values["yes"])


async def status(values: Values) -> None:
    where, spec = _present(values)
    found = await report(where, spec)
    if values["output"] == "table":
        _table(rows(found))
    else:
        _print(found, values["output"])


def kubeconfig(values: Values) -> None:
    where, _ = _present(values)
    sys.stdout.write(where.admin.read_text())


def logs(values: Values) -> None:
    where, spec = _present(values)
    unit = values.arguments[0] if values.arguments else ""
    show(where, spec, unit, lines=values["tail"], follow=values["follow"])


def list_clusters(values: Values) -> None:
    head = ("NAME", "STATE", "NODES", "ZONES", "NETWORK", "DIRECTORY")
    table: list[tuple[str, ...]] = [head]
    for where in state.clusters(state.base_directory(values["state-dir"])):
        spec = state.load(where)
        if spec is not None:
            up_or_down = "up" if running(where) else "down"
            numbers = (str(spec.nodes), str(spec.zones), str(spec.plan.network))
            table.append((where.name, up_or_down, *numbers, str(where.root)))
    _table(table)


async def machine_list(values: Values) -> None:
    where, spec = _present(values)
    found = await report(where, spec)
    if values["output"] == "table":
        _table(machine_rows(found))
    else:
        _print(found["machines"], values["output"])


def machine_exec(values: Values) -> None:
    where, _ = _present(values)
    if not values.arguments:
        raise UsageError("machine exec NAME -- COMMAND: which machine?")
    name, *command = values.arguments
    directory = where.machines / name
    if not (directory / "spec.json").exists():
        raise UsageError(f"there is no machine {name}")
    argv = Machine.load(directory).exec_command(command or ["/bin/sh"])
    sys.stdout.flush()
    os.execv(argv[0], argv)  # noqa: S606 - become the command, so that its terminal is ours


async def _on_machines(values: Values, do: str, names: list[str]) -> None:
    _, spec = _present(values)
    if not names:
        raise UsageError("name at least one machine; `hypershift local machine list` shows them")
    await ask(socket_path(spec.index), do, names=names)


async def machine_kill(values: Values) -> None:
    await _on_machines(values, "kill", list(values.arguments))


async def machine_start(values: Values) -> None:
    await _on_machines(values, "start", list(values.arguments))


async def machine_reboot(values: Values) -> None:
    await _on_machines(values, "reboot", list(values.arguments))


async def machine_pause(values: Values) -> None:
    await _on_machines(values, "pause", list(values.arguments))


async def machine_resume(values: Values) -> None:
    await _on_machines(values, "resume", list(values.arguments))


def _zone(values: Values) -> list[str]:
    _, spec = _present(values)
    zone = values.arguments[0] if values.arguments else ""
    if not (names := nodes_in(spec, zone)):
        known = sorted({zone_of(spec, number) for number in range(spec.nodes)})
        raise UsageError(f"there is no zone {zone!r}; the cluster's zones are {', '.join(known)}")
    return list(names)


async def zone_down(values: Values) -> None:
    await _on_machines(values, "kill", _zone(values))


async def zone_up(values: Values) -> None:
    await _on_machines(values, "start", _zone(values))


async def image_load(values: Values) -> None:
    where, spec = _present(values)
    if not values.arguments:
        raise UsageError("image load FILE...: name OCI archives")
    for file in values.arguments:
        for reference in await images.load(where, spec, file):
            sys.stdout.write(f"{reference}\n")


MACHINE = Command(
    "machine",
    "The machines that are the cluster's nodes",
    commands=(
        Command("list", "Show the machines", run=machine_list, flags=(OUTPUT,)),
        Command("exec", "Run a command in a machine", arguments="NAME -- ARGS", run=machine_exec),
        Command("kill", "Cut the power", arguments="NAME...", run=machine_kill),
        Command("start", "Switch on", arguments="NAME...", run=machine_start),
        Command("reboot", "Shut down, then on again", arguments="NAME...", run=machine_reboot),
        Command("pause", "Freeze", arguments="NAME...", run=machine_pause),
        Command("resume", "Go on after a pause", arguments="NAME...", run=machine_resume),
    ),
)

COMMAND = Command(
    "local",
    "A management cluster on this machine",
    description=(
        "A real Kubernetes cluster out of real parts, on this machine alone: its control plane as\n"
        "processes, its nodes as machines made of namespaces. Needs root and Linux."
    ),
    examples="hypershift local up --nodes 3 --zones 3",
    flags=(NAME, STATE),
    commands=(
        Command(
            "up",
            "Create the cluster, or start it again",
            run=up,
            flags=(
                Flag("nodes", "Number of nodes (1, or one for each zone)", INT),
                Flag("zones", "Number of zones that nodes are spread over (1)", INT),
                Flag("kubernetes", "Version of Kubernetes"),
            ),
        ),
        Command("down", "Stop the cluster and keep its data", run=down),
        Command(
            "reset",
            "Remove the cluster and every trace of it",
            run=reset,
            flags=(Flag("yes", "Do not ask", BOOL, short="y"),),
        ),
        Command("status", "Show units and machines", run=status, flags=(OUTPUT,)),
        Command("kubeconfig", "Print the admin's kubeconfig", run=kubeconfig),
        Command(
            "logs",
            "Print the log of a unit or a machine's console",
            arguments="UNIT",
            run=logs,
            flags=(
                Flag("tail", "Number of last lines", INT, default=200),
                Flag("follow", "Go on as lines come", BOOL, short="f"),
            ),
        ),
        Command("list", "Show the clusters of this user", run=list_clusters),
        MACHINE,
        Command(
            "zone",
            "Lose a zone and get it back",
            commands=(
                Command("down", "Cut the power of a zone", arguments="ZONE", run=zone_down),
                Command("up", "Switch a zone on", arguments="ZONE", run=zone_up),
            ),
        ),
        Command(
            "image",
            "Images in the cluster's registry",
            commands=(Command("load", "Load OCI archives", arguments="FILE...", run=image_load),),
        ),
    ),
)
