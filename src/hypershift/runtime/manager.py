"""Runs controllers against a cluster: caches, leadership, workers, probes, and an orderly end.

watch ──► lead ──► compare caches with the server ──► work ──► passes end, lease given back
"""

import asyncio
import random
import signal
from collections import Counter
from collections.abc import AsyncIterator, Iterable
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from typing import Any

from hypershift.kit import Clock, Manifest, SystemClock
from hypershift.kube import Client, Transport
from hypershift.kube.informers import Informers, Listeners
from hypershift.kube.reflector import Timeouts
from hypershift.runtime import health
from hypershift.runtime.applied import Ledger
from hypershift.runtime.cached import CachedClient
from hypershift.runtime.controller import Controller
from hypershift.runtime.leader import Elector, Leadership, LeadershipLost
from hypershift.runtime.logs import logger
from hypershift.runtime.metrics import Metrics
from hypershift.runtime.queue import WorkQueue
from hypershift.runtime.reconciler import Reconciler
from hypershift.runtime.remotes import Clusters, Factory, Remotes, client_of
from hypershift.runtime.runner import Runner
from hypershift.runtime.sharding import Sharding, Shards

GRACE = 20.0
#: Caches that are not full by then are of kinds that the server may never serve.
FILLING = 60.0


class Manager:
    """A process full of controllers."""

    def __init__(
        self,
        client: Client,
        controllers: Iterable[Controller[Any]] = (),
        *,
        leadership: Leadership | None = None,
        sharding: Sharding | None = None,
        probes: tuple[str, int] | None = None,
        clock: Clock | None = None,
        rng: random.Random | None = None,
        patience: Timeouts | None = None,
        watch_list: bool = True,
        remote_client: Factory = client_of,
        grace: float = GRACE,
    ) -> None:
        """Manage the cluster of `client`; without `leadership` or `sharding` all of it is ours."""
        self.client = client
        self.clock: Clock = clock or SystemClock()
        self.metrics = Metrics()
        self._rng = rng or random.Random()  # noqa: S311 (jitter and ids only)
        self._patience, self._watch_list = patience, watch_list
        self._probes, self._grace = probes, grace
        self.informers = self._new_informers(client, Listeners.ALL)
        self.shards = self._new_shards(sharding) if sharding else None
        self.elector: Elector | Shards | None = self.shards
        if leadership and not sharding:
            self.elector = Elector(client, leadership, clock=self.clock, rng=self._rng)
        self.clusters = Clusters(
            lambda other: self._new_informers(other, Listeners.ONE), remote_client
        )
        self._controllers = list(controllers)
        self.runners: dict[str, Runner] = {}
        self._passes: dict[str, Reconciler[Any]] = {}
        self._working = False
        self._stop = asyncio.Event()
        self._log = logger()

    # Life

    async def run(self) -> None:
        """Run until `stop` is called; `LeadershipLost` when another replica became the leader."""
        async with AsyncExitStack() as stack:
            led = self.elector is None or await self.elector.attempt()
            await stack.enter_async_context(self._everything())
            if self._probes:
                await stack.enter_async_context(health.serve(self._answers(), *self._probes))
            stopped = asyncio.create_task(self._stop.wait(), name="stop")
            main = asyncio.create_task(self._lead(led=led), name="lead")
            try:
                await asyncio.wait({stopped, main}, return_when=asyncio.FIRST_COMPLETED)
                if main.done():
                    main.result()
            finally:
                for task in (main, stopped):
                    task.cancel()
                await asyncio.gather(main, stopped, return_exceptions=True)

    def stop(self) -> None:
        """Ask for the orderly end."""
        self._stop.set()

    async def _lead(self, *, led: bool) -> None:
        if self.elector is None:
            self.metrics.leader.set(1)
            self._work()
            await self._stop.wait()
            return
        if not led:
            await self.elector.acquire()
            # The last leader wrote until a moment ago: what we cached while waiting may be older.
            await self.informers.refresh()
        self.metrics.leader.set(1)
        keeping = asyncio.create_task(self.elector.keep(), name="keep the lease")
        filling = asyncio.create_task(self._announce(), name="fill the caches")
        self._work()
        try:
            await keeping
        except LeadershipLost:
            self._grace = -1.0  # passes that still run can write no more
            raise
        finally:
            self.metrics.leader.set(0)
            for task in (keeping, filling):
                task.cancel()
            await asyncio.gather(keeping, filling, return_exceptions=True)

    @asynccontextmanager
    async def _everything(self) -> AsyncIterator[None]:
        """Watches open before leadership, so that a new leader starts with full caches."""
        try:
            for controller in self._controllers:
                self._open(controller)
            yield
        finally:
            for runner in tuple(self.runners.values()):
                await runner.stop(self._grace)
            if self.elector is not None:
                await self.elector.release()
            await self.clusters.close()
            await self.informers.close()

    def _work(self) -> None:
        self._working = True
        for name, runner in self.runners.items():
            runner.work(self._passes[name])

    # Sharing with other replicas

    def _new_shards(self, sharding: Sharding) -> Shards:
        shards = Shards(
            self.client, sharding, informers=self.informers, clock=self.clock, rng=self._rng
        )
        shards.connect(gaining=self.informers.refresh, changed=self._shared)
        return shards

    async def _announce(self) -> None:
        """Others hand over to us once our caches are full, or will not be for a long time."""
        if self.shards is None:
            return
        with suppress(TimeoutError):
            async with asyncio.timeout(FILLING):
                for runner in tuple(self.runners.values()):
                    await runner.wait()
        self.shards.announce()

    def covers(self, controller: str, manifest: Manifest) -> bool:
        """Whether an object of that controller is this replica's at this moment."""
        if self.elector is None or self.shards is None:
            return self.elector is None or self.elector.leading
        passes = self._passes.get(controller)
        return passes is not None and self.shards.owned.covers(passes.cluster(manifest))

    async def _shared(self) -> None:
        """Look at every object that may be newly ours, and let go of what belongs to others."""
        assert self.shards is not None  # noqa: S101 (narrows the type; only shards call this)
        self.metrics.shards.set(len(self.shards.owned.held))
        for name, runner in self.runners.items():
            runner.resync(self.shards.owned.covers)
            await self._passes[name].remotes.drop_others(self.shards.owned.covers)

    # Controllers

    def add(self, controller: Controller[Any]) -> None:
        """Start one more controller while the others run."""
        self._open(controller)
        if self._working:
            self.runners[controller.name].work(self._passes[controller.name])

    async def remove(self, name: str) -> None:
        """Stop one controller while the others run."""
        runner = self.runners.pop(name)
        self._passes.pop(name)
        await runner.stop(self._grace)

    def _open(self, controller: Controller[Any]) -> None:
        if controller.name in self.runners:
            raise ValueError(f"two controllers named {controller.name}: a name is a field manager")
        pace = controller.pace.total_seconds()
        queue = WorkQueue(
            group=controller.group, rng=self._rng, pace=pace, at_once=controller.workers
        )
        runner = Runner(controller, self.informers, queue, self.metrics)
        remotes = Remotes(self.clusters, controller.name, runner.listen, self._cached)
        self._passes[controller.name] = Reconciler(
            controller,
            self._cached(self.client, self.informers, controller.name),
            Client(self._gated(self.client), manager=controller.name, rng=self._rng),
            remotes,
            clock=self.clock,
            rng=self._rng,
            owned=self.shards.owned if self.shards else None,
        )
        self.runners[controller.name] = runner
        runner.watch()

    # Clients

    def _gated(self, client: Client) -> Transport:
        return self.elector.gate(client.transport) if self.elector else client.transport

    def _cached(self, client: Client, informers: Informers, manager: str) -> CachedClient:
        return CachedClient(
            self._gated(client),
            informers,
            manager=manager,
            ledger=Ledger(self.clock),
            clock=self.clock,
            metrics=self.metrics,
            log=logger(controller=manager),
        )

    def reader(self, name: str) -> Client:
        """A client for servers of this process, in every replica: it reads from the caches.

        What machines or guests ask then costs no request; writes do not wait for leadership.
        """
        return CachedClient(
            self.client.transport,
            self.informers,
            manager=name,
            ledger=Ledger(self.clock),
            clock=self.clock,
            metrics=self.metrics,
            log=logger(server=name),
        )

    def _new_informers(self, client: Client, listeners: Listeners) -> Informers:
        return Informers(
            client,
            rng=self._rng,
            patience=self._patience,
            watch_list=self._watch_list,
            listeners=listeners,
        )

    # Probes

    def _answers(self) -> health.Probes:
        return health.Probes(healthy=list, ready=self._missing, metrics=self._measure)

    def _missing(self) -> list[str]:
        return [
            f"{name}: cache of {kind} is not filled"
            for name, runner in self.runners.items()
            for kind in runner.unsynced
        ]

    def _measure(self) -> bytes:
        now = asyncio.get_running_loop().time()
        for name, runner in self.runners.items():
            self.metrics.queue_depth.labels(controller=name).set(len(runner.queue))
        # Names of hosted clusters are private to their owners, so metrics show the kind alone.
        hosted = [one.informers for one in self.clusters]
        for cluster, servers in (("management", [self.informers]), ("hosted", hosted)):
            self._measure_caches(cluster, servers, now)
        return self.metrics.text()

    def _measure_caches(self, cluster: str, servers: Iterable[Informers], now: float) -> None:
        """Objects and lists in all, and the age of the cache that was heard of longest ago."""
        objects, lists, ages = Counter[str](), Counter[str](), dict[str, float]()
        for informers in servers:
            for informer in informers:
                resource = str(informer.selection.resource)
                objects[resource] += len(informer.cache)
                lists[resource] += informer.reflector.relists
                age = now - informers.heard_at(informer)
                ages[resource] = max(age, ages.get(resource, 0.0))
        for resource, age in ages.items():
            labels = {"cluster": cluster, "resource": resource}
            self.metrics.cache_objects.labels(**labels).set(objects[resource])
            self.metrics.relists.labels(**labels).set(lists[resource])
            self.metrics.cache_age.labels(**labels).set(age)


async def run_until_signal(manager: Manager) -> None:
    """Run a manager as a process does: SIGTERM and SIGINT ask for the orderly end."""
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        with suppress(NotImplementedError):
            loop.add_signal_handler(number, manager.stop)
    await manager.run()
