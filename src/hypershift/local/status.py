"""The report of `local status`: every unit and machine with its process, age, restarts and cost."""

import time
from typing import Any

from hypershift.kit import UsageError
from hypershift.local.cluster import state
from hypershift.local.cluster.plan import node_names
from hypershift.local.cluster.state import Layout, Spec
from hypershift.local.host.shared import socket_path
from hypershift.local.machine import Machine
from hypershift.local.supervise import control, daemon, process
from hypershift.local.supervise.machines import hosted
from hypershift.local.supervise.machines import seen as machine_seen
from hypershift.local.units import CATALOG

MIB = 1 << 20


async def report(where: Layout, spec: Spec) -> dict[str, Any]:
    """The whole picture, as JSON would have it."""
    head = {
        "name": spec.name,
        "kubernetes": spec.kubernetes,
        "nodes": spec.nodes,
        "zones": spec.zones,
        "network": str(spec.plan.network),
        "api": spec.plan.api_url,
        "kubeconfig": str(where.admin),
    }
    try:
        found = await control.ask(socket_path(spec.index), "status")
    except control.NotRunning:
        return {**head, **unsupervised(where, spec, time.time())}
    guardian = process.recall(where.units / daemon.GUARDIAN_RECORD)
    return {
        **head,
        "state": "up" if is_up(found) else "starting",
        **found,
        "guardian": guardian.cost(time.time()) if guardian else process.NO_COST,
    }


def unsupervised(where: Layout, spec: Spec, now: float) -> dict[str, Any]:
    """The state from the records on disk when no supervisor answers: down, or running by itself."""
    units = []
    for module, _ in CATALOG:
        running = process.recall(where.units / f"{module.NAME}.json")
        cost = running.cost(now) if running else process.NO_COST
        word = "unsupervised" if running else "down"
        units.append({"name": module.NAME, "state": word, "restarts": 0, **cost})
    places = [where.machines / name for name in node_names(spec.name, spec.nodes)]
    nodes = {place.name: Machine.load(place) for place in places if (place / "spec.json").exists()}
    machines = [machine_seen(name, each) for name, each in {**nodes, **hosted(where)}.items()]
    alive = any(each["pid"] for each in (*units, *machines))
    return {"state": "unsupervised" if alive else "down", "units": units, "machines": machines}


def seen(where: Layout) -> dict[str, Any]:
    """One cluster of a list; one that cannot be read is listed too."""
    place = {"name": where.name, "directory": str(where.root)}
    try:
        spec = state.load(where)
    except UsageError:
        spec = None
    if spec is None:
        return {**place, **dict.fromkeys(("nodes", "zones", "kubernetes", "network"), "-"),
                "state": "broken"}  # fmt: skip
    return {
        **place,
        "state": "up" if daemon.running(where) else "down",
        "nodes": spec.nodes,
        "zones": spec.zones,
        "kubernetes": spec.kubernetes,
        "network": str(spec.plan.network),
    }


def is_up(seen: dict[str, Any]) -> bool:
    """Whether everything serves that should."""
    return all(unit["state"] == "ready" for unit in seen["units"])


def rows(found: dict[str, Any]) -> list[tuple[str, ...]]:
    """The picture as a table."""
    table: list[tuple[str, ...]] = [
        ("UNIT", "STATE", "PID", "AGE", "RESTARTS", "MEMORY", "CPU"),
    ]
    table += [_row(each) for each in (*found["units"], *found["machines"])]
    for role in ("supervisor", "guardian"):
        if own := found.get(role):
            # An older supervisor that still runs reports less.
            known = {"name": role, "state": "ready", "restarts": 0, **process.NO_COST}
            table.append(_row({**known, **own}))
    return table


def machine_rows(found: dict[str, Any]) -> list[tuple[str, ...]]:
    """The machines alone, with where they are."""
    head = ("MACHINE", "STATE", "ZONE", "ADDRESS", "RESTARTS", "MEMORY", "CPU")
    return [head, *(_machine(each) for each in found["machines"])]


def _row(each: dict[str, Any]) -> tuple[str, ...]:
    pid = str(each["pid"] or "-")
    numbers = (pid, age(each["age"]), str(each["restarts"]))
    return each["name"], each["state"], *numbers, _memory(each), _cpu(each)


def _machine(each: dict[str, Any]) -> tuple[str, ...]:
    place = (each["zone"], each["address"], str(each["restarts"]))
    return each["name"], each["state"], *place, _memory(each), _cpu(each)


def _memory(each: dict[str, Any]) -> str:
    return f"{each['memory'] / MIB:.0f}Mi" if each["memory"] else "-"


def _cpu(each: dict[str, Any]) -> str:
    return f"{each['cpuSeconds']:.1f}s"


def age(seconds: float) -> str:
    """As kubectl writes it."""
    if not seconds:
        return "-"
    whole = int(seconds)
    for size, letter in ((86400, "d"), (3600, "h"), (60, "m")):
        if whole >= 2 * size:
            return f"{whole // size}{letter}"
    return f"{whole}s"
