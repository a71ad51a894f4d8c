"""Stories of users and hosted clusters in a world where everything goes wrong, and how they end.

A subclass says what users do, what must hold when the world has come to rest, and what may be left
once every cluster is deleted.
"""

import asyncio
import random
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import suppress
from typing import Any, ClassVar

from tests.lib import planes
from tests.lib.planes import Operator, prepare
from tests.lib.sim.faults import Fault, drawn
from tests.lib.sim.schedule import run_quietly
from tests.lib.sim.world import World, stream
from tests.lib.workloads import Workloads

from hypershift.kube import ApiError, Client, kinds
from hypershift.runtime import Controller

Act = Callable[[str], Awaitable[None]]


class User:
    """A user who changes their mind, and sometimes meddles."""

    names: ClassVar[Sequence[str]] = ("blue", "green")
    #: How often the user acts in a story.
    count: ClassVar[int] = 12

    def __init__(self, client: Client, rng: random.Random) -> None:
        """Act as `client`, on clusters of some names."""
        self._client, self._rng = client, rng

    def acts(self) -> Sequence[Act]:
        """What the user may do with the cluster of a name."""
        raise NotImplementedError

    async def live(self, until: float) -> None:
        """Do one thing after the other, whatever the server answers."""
        for moment in sorted(self._rng.uniform(0, until) for _ in range(self.count)):
            await asyncio.sleep(max(0.0, moment - asyncio.get_running_loop().time()))
            with suppress(ApiError):
                await self._rng.choice(self.acts())(self._rng.choice(self.names))

    async def delete(self, name: str) -> None:
        """Delete a cluster."""
        await self._client.delete(kinds.HOSTED_CLUSTER, name, "clusters")

    async def delete_all(self) -> None:
        """Delete what is left of the clusters."""
        for name in self.names:
            await self.delete(name)


class Story:
    """One seed: a process with operators, a user, what runs the workloads, and faults."""

    user_type: ClassVar[type[User]] = User
    #: How long the user acts, how long nothing may change at rest, and how long that may take.
    length: ClassVar[float] = 40.0
    quiet: ClassVar[float] = 100.0
    most: ClassVar[float] = 3000.0
    #: Whether load balancers have names, as on AWS.
    names_balancers: ClassVar[bool] = False

    def __init__(self, seed: int, faults: tuple[Fault, ...]) -> None:
        """Make the world without starting anything."""
        self.world = World(seed, list, faults)
        operator = Operator(self.world, 0)
        operator.make = self.controllers
        self.world.processes = [operator]
        self.user = self.user_type(self.world.client("user"), self.world.stream("user"))
        self.workloads = Workloads(
            self.world.client("player"),
            lambda: self.world.changes,
            names=self.names_balancers,
        )

    def controllers(self) -> list[Controller[Any]]:
        """What each life of the process runs."""
        return planes.controllers()

    def complaints(self) -> Iterator[str]:
        """Yield what is not as it should be, now that the world is quiet."""
        yield from ()

    def left_over(self) -> Iterator[str]:
        """Yield what remains of clusters that are gone."""
        yield from ()

    async def live(self) -> None:
        """Let the user act."""
        await self.user.live(self.length)

    async def end(self) -> None:
        """Let the user delete everything."""
        await self.user.delete_all()

    def beside(self) -> None:
        """Start what else runs beside the process."""

    async def play(self) -> list[str]:
        """Play it, and return what was wrong."""
        await prepare(self.world.client("owner"))
        self.world.start()
        self.world.spawn(self.workloads.run(), "player")
        self.beside()
        try:
            found = [text async for text in self._wrong()]
            return [*found, *dict.fromkeys(self.workloads.complaints)]
        finally:
            await self.world.stop()

    async def _wrong(self) -> AsyncIterator[str]:
        await self.live()
        if not await self._settle():
            yield "the world never came to rest"
            return
        for complaint in self.complaints():
            yield f"after the story: {complaint}"
        for name in self.world.processes[0].spoilt():
            yield f"a reader changed what a cache lent: {name}"
        if written := await self.world.second_look(self.quiet):
            yield f"a second look wrote {written} times"
        await self.end()
        if not await self._settle():
            yield "the deletion never came to rest"
        for complaint in self.left_over():
            yield f"after the deletion: {complaint}"

    async def _settle(self) -> bool:
        return await self.world.settle(quiet=self.quiet, most=self.most)


def tell(story: type[Story], seed: int, faults: tuple[Fault, ...] = ()) -> list[str]:
    """Play a story in virtual time, and return what was wrong."""

    async def main() -> list[str]:
        return await story(seed, faults).play()

    return run_quietly(main())


def tell_seed(story: type[Story], seed: int) -> list[str]:
    """Play a story with the faults of a seed."""
    faults = drawn(stream(seed, "faults"), until=story.length, processes=1, most=8)
    return tell(story, seed, faults)
