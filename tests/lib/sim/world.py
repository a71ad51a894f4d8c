"""One simulated world: a server, processes that crash and come back, a user, and what runs beside.

Everything random comes from the seed, in streams of their own, so that taking one fault away leaves
the rest of the schedule as it was.
"""

import asyncio
import random
from collections.abc import Callable, Coroutine, Iterator, Sequence
from contextvars import copy_context
from typing import Any

from tests.lib.sim.faults import Fault, Kind, Network
from tests.lib.sim.garbage import Garbage
from tests.lib.sim.server import SimServer
from tests.lib.sim.trace import Trace
from tests.lib.sim.transport import Calm, SimTransport
from tests.lib.virtual import PROCESS, VirtualClock, VirtualLoop

from hypershift.kit import Manifest, key_of, rfc3339
from hypershift.kube import Client, Request, Response
from hypershift.kube.reflector import Timeouts
from hypershift.runtime import Controller, Leadership, LeadershipLost, Manager, Sharding

LATENCY = (0.001, 0.03)
PATIENCE = Timeouts(silence=65.0, watch_for=300.0)
LEASES = "kube-system"
SHARDS = "shards"
#: So many changes after the last act of a user mean that the world will never rest.
RESTLESS = 1000


def stream(seed: int, purpose: str) -> random.Random:
    """Randomness for one purpose of one seed."""
    return random.Random(f"{seed}/{purpose}")  # noqa: S311 (a simulation repeats itself)


def _loop() -> VirtualLoop:
    loop = asyncio.get_running_loop()
    assert isinstance(loop, VirtualLoop)
    return loop


def _version(manifest: Manifest) -> str:
    return str(manifest["metadata"].get("resourceVersion") or "")


class Witness:
    """Sees every request that reaches the server; a subclass says what it must not be."""

    def __call__(self, process: str, request: Request, response: Response) -> None:
        """See one request of a process, just done."""

    def started(self, process: str, manager: Manager) -> None:
        """See a new life of a process."""


class Process:
    """One operator process: its manager runs until it crashes, then starts anew after a while."""

    def __init__(self, world: "World", number: int) -> None:
        """Belong to a world."""
        self._world, self.number = world, number
        self._life = 0
        self._rng = world.stream(f"process {number}")
        self._task: asyncio.Task[None] | None = None
        self.network = Network(world.stream(f"network {number}"), self.crash)
        self.calm = False
        self._manager: Manager | None = None

    def start(self) -> None:
        """Start the process, which from then on restarts itself."""
        context = copy_context()
        context.run(PROCESS.set, self.label)
        self._task = asyncio.create_task(
            self._live(), name=f"process {self.number}", context=context
        )

    def crash(self) -> None:
        """Kill it: nothing that it still does reaches the server."""
        self._world.trace.note(self.name, "crash")
        if self._transport is not None:
            self._transport.die()
        if self._running is not None:
            self._running.cancel()

    def suffer(self, fault: Fault) -> None:
        """Let a fault happen to it."""
        match fault.kind:
            case Kind.FREEZE:
                self.freeze(fault.amount * 10)
            case Kind.LEAVE:
                self.leave()
            case _:
                self.network.arm(fault)

    def leave(self) -> None:
        """Ask it to end in good order."""
        self._world.trace.note(self.name, "leave")
        if self._manager is not None:
            self._manager.stop()

    def freeze(self, seconds: float) -> None:
        """Stop it as SIGSTOP does, for a while."""
        self._world.trace.note(self.name, f"frozen for {seconds:.1f} s")
        loop = _loop()
        loop.freeze(self.label)
        loop.call_later(seconds, loop.thaw, self.label)

    def spoilt(self) -> Iterator[str]:
        """The cached objects that are not what the server said: whoever read them changed them."""
        for informer in self._manager.informers if self._manager else ():
            chosen = informer.selection
            for found in informer.cache.values() if not chosen.metadata_only else ():
                record = self._world.server.store.get(chosen.resource, key_of(found))
                same = record and _version(record.manifest) == _version(found)
                if record and same and record.manifest != found:
                    yield f"{chosen.resource.kind} {key_of(found)}"

    async def stop(self) -> None:
        """End it for good."""
        _loop().thaw(self.label)
        task, self._task = self._task, None
        if task is not None:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

    @property
    def label(self) -> str:
        """Who it is through all of its lives."""
        return f"p{self.number}"

    @property
    def name(self) -> str:
        """Who it is in the trace, with the number of its life."""
        return f"p{self.number}.{self._life}"

    _transport: SimTransport | None = None
    _running: asyncio.Task[None] | None = None

    async def _live(self) -> None:
        while True:
            self._life += 1
            self._running = asyncio.create_task(self._manage(), name=self.name)
            try:
                await asyncio.gather(self._running, return_exceptions=True)
            finally:
                self._running.cancel()
                await asyncio.gather(self._running, return_exceptions=True)
            await asyncio.sleep(self._rng.uniform(0.2, 3.0))

    async def _manage(self) -> None:
        world = self._world
        self._transport = SimTransport(
            world.server,
            name=self.name,
            rng=self._rng,
            latency=LATENCY,
            interference=Calm() if self.calm else self.network,
            trace=world.trace,
            witness=world.witness,
        )
        client = Client(self._transport, manager="shop", rng=self._rng)
        self._manager = Manager(
            client,
            world.controllers(),
            leadership=world.leadership(self.name),
            sharding=world.sharding(self.label),
            clock=world.clock,
            rng=self._rng,
            patience=PATIENCE,
            grace=0.0,
        )
        world.witness.started(self.name, self._manager)
        try:
            await self._manager.run()
        except LeadershipLost:
            world.trace.note(self.name, "leadership lost")


class World:
    """A seed's world."""

    def __init__(
        self,
        seed: int,
        controllers: Callable[[], Sequence[Controller[Any]]],
        faults: tuple[Fault, ...],
        *,
        processes: int = 1,
        sharded: bool = False,
        witness: "Witness | None" = None,
    ) -> None:
        """Make it, without starting anything; each life of a process makes its `controllers`.

        Several processes elect a leader, or share the clusters when the world is `sharded`.
        """
        self.sharded, self.witness = sharded, witness or Witness()
        self.seed, self.controllers, self.faults = seed, controllers, faults
        self.clock, self.trace = VirtualClock(), Trace()
        self.server = SimServer(
            rng=self.stream("server"),
            now=lambda: rfc3339(self.clock.now()),
            show_managed_fields=False,
        )
        self.garbage = Garbage(self.server, rng=self.stream("garbage"))
        self.processes = [Process(self, number) for number in range(processes)]
        self._tasks: list[asyncio.Task[None]] = []

    def stream(self, purpose: str) -> random.Random:
        """Randomness for one purpose."""
        return stream(self.seed, purpose)

    def leadership(self, identity: str) -> Leadership | None:
        """Several processes elect a leader; a single one needs none."""
        if len(self.processes) == 1 or self.sharded:
            return None
        return Leadership("operator", LEASES, identity, retry=4.5)

    def sharding(self, identity: str) -> Sharding | None:
        """How the processes share the clusters."""
        if not self.sharded:
            return None
        return Sharding(SHARDS, LEASES, identity, retry=4.5, patience=5.0, crew="operator")

    def client(self, name: str) -> Client:
        """A client without faults, for users and for what runs beside."""
        rng = self.stream(name)
        transport = SimTransport(self.server, name=name, rng=rng, latency=LATENCY, trace=self.trace)
        return Client(transport, manager=name, rng=rng)

    def spawn(self, work: Coroutine[Any, Any, None], name: str) -> asyncio.Task[None]:
        """Run something beside the processes."""
        task = asyncio.create_task(work, name=name)
        self._tasks.append(task)
        return task

    def start(self) -> None:
        """Start processes, faults and the garbage collector."""
        for process in self.processes:
            process.start()
        self.spawn(self.garbage.run(), "garbage")
        self.spawn(self._misfortune(), "faults")

    async def _misfortune(self) -> None:
        loop = asyncio.get_running_loop()
        for fault in self.faults:
            await asyncio.sleep(max(0.0, fault.at - loop.time()))
            if self._calm:
                return
            self.trace.note("fault", str(fault))
            if fault.kind is Kind.JUMP:
                self.clock.jump((fault.amount - 2.0) * 3600)
                self._clock_set = self.changes
                continue
            if fault.kind is Kind.EXPIRE:
                self.server.store.compact()
            self.processes[fault.process % len(self.processes)].suffer(fault)

    async def second_look(self, quiet: float) -> int:
        """What processes write that begin anew in a world at rest: nothing, if all is well.

        A clock that was set after the last change has been seen by nobody, and a clock that goes
        back makes certificates invalid that were issued meanwhile: then one look comes before.
        """
        if self._clock_set == self.changes:
            await self.restart_calmly()
            await asyncio.sleep(quiet)
        before = self.changes
        await self.restart_calmly()
        await asyncio.sleep(quiet)
        return self.changes - before

    #: How many changes there were when the clock was set for the last time.
    _clock_set = -1
    _calm = False

    async def restart_calmly(self) -> None:
        """Begin new lives, from here on without faults."""
        self._calm = True
        for process in self.processes:
            process.calm = True
            await process.stop()
            process.start()

    async def stop(self) -> None:
        """End everything; who played a part beside the processes must not have died of it."""
        for process in self.processes:
            await process.stop()
        for task in self._tasks:
            task.cancel()
        for ended in await asyncio.gather(*self._tasks, return_exceptions=True):
            if isinstance(ended, Exception):
                raise ended

    async def settle(self, *, quiet: float, most: float) -> bool:
        """Wait until nothing but leases changed for a while; False when that never happens."""
        loop = asyncio.get_running_loop()
        deadline, limit = loop.time() + most, self.changes + RESTLESS
        while loop.time() < deadline and self.changes < limit:
            before = self.changes
            await asyncio.sleep(quiet)
            if self.changes == before:
                return True
        return False

    @property
    def changes(self) -> int:
        """How many commits there were, leases aside."""
        return self.server.store.revision - self._leases

    _leases = 0

    def count_leases(self) -> None:
        """Leave lease renewals out of `changes`."""

        def count(change: Any) -> None:
            if change.resource.plural == "leases":
                self._leases += 1

        self.server.store.listen(count)
