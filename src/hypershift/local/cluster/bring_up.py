"""From a supervisor that runs to a whole cluster: units, machines, what is installed in it."""

import asyncio
from pathlib import Path
from typing import Any

from hypershift.kit import HypershiftError
from hypershift.kube import Client
from hypershift.local.cluster import installation, settings
from hypershift.local.cluster.state import Layout, Spec
from hypershift.local.cluster.tenants import Tenants
from hypershift.local.host.shared import socket_path
from hypershift.local.images import prepare
from hypershift.local.progress import Follower, Progress, sentence
from hypershift.local.supervise import control, process
from hypershift.local.supervise.probe import serves
from hypershift.local.units import Probe, apiserver

PATIENCE = 180.0
#: A unit that ends this often while it starts will not start.
HOPELESS = 4
INTERVAL = 0.1


class UnitFailed(HypershiftError):
    """A unit does not start."""


async def fill(
    where: Layout, spec: Spec, say: Progress, follower: Follower, tenants: Tenants
) -> None:
    """Images and machines, units, and what runs in the cluster: each as soon as it can."""
    async with asyncio.TaskGroup() as tasks, Client.connect(where.admin) as client:
        watching = tasks.create_task(_await_units(where, spec, say, follower))
        machines = tasks.create_task(_machines(where, spec, say))
        await serves_soon(apiserver.unit(where, spec.plan, Path()).probe, watching)
        await installation.prepare(client)
        await installation.install(client, await machines, say, tenants)


async def _machines(where: Layout, spec: Spec, say: Progress) -> installation.Site:
    made = await prepare.publish(where, spec, say)
    site = installation.Site(where, spec, settings.load(where), made)
    await installation.boot(site)
    return site


async def serves_soon(probe: Probe | None, watching: asyncio.Task[None]) -> None:
    """Return when the API server answers; the watch of the units raises if it never will."""
    while probe is not None and not watching.done() and not await serves(probe):  # noqa: ASYNC110
        await asyncio.sleep(INTERVAL)  # another process, so it has to be asked repeatedly


async def _await_units(where: Layout, spec: Spec, say: Progress, follower: Follower) -> None:
    async with asyncio.timeout(PATIENCE):
        while True:
            units = await control.ask(socket_path(spec.index), "units")
            for event in follower.news():
                if line := sentence(event):
                    say(line)
            _give_up_on_hopeless(where, units)
            if all(unit["state"] == "ready" for unit in units):
                return
            await asyncio.sleep(INTERVAL)


def _give_up_on_hopeless(where: Layout, units: list[dict[str, Any]]) -> None:
    for unit in units:
        if unit["state"] != "ready" and unit["restarts"] >= HOPELESS:
            raise UnitFailed(failure(where, unit["name"]))


def failure(where: Layout, unit: str) -> str:
    """What a user needs to help a unit that does not start."""
    lines = "\n  ".join(process.tail(where.logs / f"{unit}.log", 10))
    return (
        f"{unit} does not start. Its last lines:\n  {lines}\n"
        f"All of it: hypershift local logs {unit} --name {where.name}. "
        f"Then `local up` again, or `local reset` to start over."
    )
