"""A stage for tests of controllers: a simulated cluster in virtual time, with a manager on it."""

import asyncio
import inspect
import random
from collections.abc import Callable, Coroutine, Iterable
from contextlib import suppress
from functools import wraps
from typing import Any

from tests.lib import virtual
from tests.lib.sim.dying import Life, a_dying_client
from tests.lib.sim.garbage import Garbage
from tests.lib.sim.schedule import run_quietly
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
        self._beside: list[asyncio.Task[None]] = []
        self.spawn(Garbage(self.server, rng=self.rng).run())

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

    def spawn(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Run something beside the managers until the stage is closed."""
        task = asyncio.create_task(work)
        self._beside.append(task)
        return task

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

    def manage_until(self, writes: int, *controllers: Controller[Any]) -> Manager:
        """Start a manager whose process dies after so many writes."""
        life = Life(writes)
        client = a_dying_client(self.server, self.rng, life, manager="manager")
        return self.manage(*controllers, client=client)

    async def kill(self, manager: Manager) -> None:
        """End a manager as SIGKILL does."""
        task = self._running.pop(manager)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)

    def task(self, manager: Manager) -> asyncio.Task[None]:
        """The task that a manager runs in."""
        return self._running[manager]

    async def close(self) -> None:
        """End everything."""
        for task in (*self._running.values(), *self._beside):
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


def staged(story: Callable[..., Coroutine[Any, Any, None]]) -> Callable[..., None]:
    """A test of the story's name and parameters that plays it on a stage."""

    @wraps(story)
    def test(**parameters: Any) -> None:
        play(lambda stage: story(stage, **parameters))

    # What is left of the parameters is pytest's to fill.
    _, *parameters = inspect.signature(story).parameters.values()
    test.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    return test


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

    run_quietly(main())
