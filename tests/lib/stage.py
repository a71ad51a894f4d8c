"""A stage for tests of controllers: a simulated cluster in virtual time, with a manager on it."""

import asyncio
import random
from collections.abc import Callable, Coroutine, Iterable
from contextlib import suppress
from typing import Any

from tests.lib import virtual
from tests.lib.sim.garbage import Garbage
from tests.lib.sim.schedule import quiet_logs
from tests.lib.sim.server import SimServer
from tests.lib.sim.transport import SimTransport

from hypershift.kit import Manifest, rfc3339
from hypershift.kube import Client, Request, Resource, Response
from hypershift.kube.transport import WRITES
from hypershift.runtime import Controller, Leadership, Manager

LATENCY = (0.001, 0.01)


class Stage:
    """A server, a user, and managers that can be started and stopped."""

    def __init__(self, *, kinds: Iterable[Resource] = (), seed: int = 0) -> None:
        """Serve `kinds` beside the ones we know."""
        self.clock = virtual.VirtualClock()
        self.rng = random.Random(seed)  # noqa: S311 (tests repeat themselves)
        self.server = SimServer(rng=self.rng, now=lambda: rfc3339(self.clock.now()))
        for resource in kinds:
            self.server.catalog.add(resource)
        self.user = Client(SimTransport(self.server, name="user"), manager="user", rng=self.rng)
        self.requests: list[Request] = []
        self._running: dict[Manager, asyncio.Task[None]] = {}
        self._garbage = asyncio.create_task(Garbage(self.server, rng=self.rng).run())

    @property
    def writes(self) -> list[str]:
        """What managers wrote so far, leases aside."""
        return [
            str(one)
            for one in self.requests
            if one.method in WRITES and "/leases" not in one.path and "/events" not in one.path
        ]

    def client(self, manager: str = "manager", **options: Any) -> Client:
        """A client whose requests are counted."""
        transport = _Counted(self.server, self.requests, rng=self.rng, latency=LATENCY, **options)
        return Client(transport, manager=manager, rng=self.rng)

    def manage(self, *controllers: Controller[Any], **options: Any) -> Manager:
        """Start a manager; keywords go to it."""
        client = options.pop("client", None) or self.client()
        manager = Manager(client, controllers, clock=self.clock, rng=self.rng, **options)
        self._running[manager] = asyncio.create_task(manager.run(), name="manager")
        return manager

    async def stop(self, manager: Manager) -> None:
        """Stop a manager in good order."""
        manager.stop()
        await self._running.pop(manager)

    def forget(self, manager: Manager) -> None:
        """Have done with a manager that was killed."""
        self._running.pop(manager)

    def task(self, manager: Manager) -> asyncio.Task[None]:
        """The task that a manager runs in."""
        return self._running[manager]

    async def close(self) -> None:
        """End everything."""
        for task in (*self._running.values(), self._garbage):
            task.cancel()
            with suppress(asyncio.CancelledError, Exception):
                await task

    async def create(self, resource: Resource, name: str, **fields: Any) -> Manifest:
        """Create an object in the default namespace."""
        metadata = {"name": name, **fields.pop("metadata", {})}
        if resource.namespaced:
            metadata.setdefault("namespace", "default")
        identity = {"apiVersion": resource.api_version, "kind": resource.kind}
        return await self.user.create(identity | {"metadata": metadata} | fields)


class _Counted(SimTransport):
    def __init__(self, server: SimServer, requests: list[Request], **options: Any) -> None:
        super().__init__(server, **options)
        self._requests = requests

    async def request(self, request: Request) -> Response:
        self._requests.append(request)
        return await super().request(request)


def leadership(identity: str) -> Leadership:
    """An election among the managers of a test."""
    return Leadership("operator", "kube-system", identity)


def play(
    story: Callable[[Stage], Coroutine[Any, Any, None]], *, kinds: Iterable[Resource] = ()
) -> None:
    """Run a story on a stage in virtual time."""

    async def main() -> None:
        stage = Stage(kinds=kinds)
        try:
            await story(stage)
        finally:
            await stage.close()

    with quiet_logs():
        virtual.run(main())
