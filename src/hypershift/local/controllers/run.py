"""Runs the supervisor's controllers against the cluster's API server, on shared caches."""

import asyncio
from collections.abc import Collection
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Protocol

from hypershift.kube import ApiError, Client, Resource, kinds
from hypershift.kube.informers import Informers
from hypershift.local.cluster.plan import Plan
from hypershift.local.cluster.state import Layout
from hypershift.local.controllers import balancer, names, nodes, routes, storage
from hypershift.local.controllers.balancer import Balancer
from hypershift.local.controllers.disk import Disks
from hypershift.local.controllers.loop import Caches, Loop
from hypershift.local.controllers.names import Names
from hypershift.local.controllers.routes import Routes
from hypershift.local.controllers.watchman import INTERVAL, Watchman
from hypershift.local.host.names import HostNames
from hypershift.local.supervise.journal import Journal

RIGHTS_INTERVAL = 0.3


class Dead(Protocol):
    """Who knows which nodes' machines are off."""

    @property
    def dead(self) -> Collection[str]:
        """The names of the nodes."""
        ...


async def await_rights(client: Client, wanted: tuple[Resource, ...]) -> None:
    """Return when we may look at these kinds: in a new cluster our rights come a moment late."""
    while True:
        try:
            for kind in wanted:
                await client.list(kind)
        except ApiError:
            await asyncio.sleep(RIGHTS_INTERVAL)
        else:
            return


@dataclass(slots=True)
class Controllers:
    """All of them."""

    where: Layout
    plan: Plan
    nft: tuple[str, ...]
    machines: Dead
    journal: Journal
    watchman: Watchman = field(default_factory=Watchman)
    loops: dict[str, Loop] = field(default_factory=dict)

    def wake(self) -> None:
        """A machine came or went: look again at once."""
        for name in ("nodes", "balancer"):
            if name in self.loops:
                self.loops[name].wake.set()

    async def run(self) -> None:
        """Control until cancelled."""
        path = self.where.kubeconfigs / "supervisor.kubeconfig"
        async with (
            Client.connect(path, manager="hypershift-local-supervisor") as client,
            Informers(client) as informers,
            asyncio.TaskGroup() as tasks,
        ):
            await await_rights(client, (kinds.NODE, kinds.ENDPOINT_SLICE, kinds.STORAGE_CLASS))
            self.loops = {loop.name: loop for loop in self._loops(client)}
            for loop in self.loops.values():
                tasks.create_task(loop.run(informers), name=loop.name)
            tasks.create_task(self._watch(informers), name="watchman")

    def _loops(self, client: Client) -> tuple[Loop, ...]:
        balancing = Balancer(self.plan, self.nft, client)

        async def balance(caches: Caches) -> None:
            await balancing.sync(self.watchman.dead | frozenset(self.machines.dead), caches)

        async def provide(caches: Caches) -> None:
            await storage.sync(client, Disks(self._var), caches)

        async def mark(caches: Caches) -> None:
            await nodes.sync(client, self.machines.dead, datetime.now(UTC), caches)

        called = Names(self.plan, self.where.config / "hosts", HostNames(self.plan.index))
        return (
            Loop("names", names.RESOURCES, called.sync, self.journal),
            Loop("routes", routes.RESOURCES, Routes(self.plan).sync, self.journal),
            Loop("balancer", balancer.RESOURCES, balance, self.journal),
            Loop("storage", storage.RESOURCES, provide, self.journal),
            Loop("nodes", nodes.RESOURCES, mark, self.journal),
        )

    def _var(self, node: str) -> Path | None:
        """Where the host sees a node's /var, which is on its disk."""
        machines = {found.name: found for found in self.where.machines.glob("*/")}
        return machines[node] / "disk" / "var" if node in machines else None

    async def _watch(self, informers: Informers) -> None:
        while True:
            informer = informers.find(kinds.NODE)
            known = informer.cache.values() if informer else ()
            found = {each["metadata"]["name"]: routes.address_of(each) for each in known}
            if await self.watchman.round({name: at for name, at in found.items() if at}):
                self.journal.say("watchman", "changed", dead=sorted(self.watchman.dead))
                self.loops["balancer"].wake.set()
            await asyncio.sleep(INTERVAL)
