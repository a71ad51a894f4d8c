"""The line of a process that dies: after so many writes nothing of it reaches a server."""

import random
from dataclasses import dataclass

from tests.lib.sim.server import SimServer
from tests.lib.sim.transport import SimTransport

from hypershift.kube import Client, Request, Response
from hypershift.kube.transport import WRITES


@dataclass
class Life:
    """How many writes a process lives for, on all its lines together; events do not count."""

    writes: int


class Dying(SimTransport):
    """One line of the process."""

    life: Life

    async def request(self, request: Request) -> Response:
        if request.method in WRITES and "/events" not in request.path:
            self.life.writes -= 1
        if self.life.writes < 0:
            raise OSError("the process is dead")
        return await super().request(request)


def a_dying_client(
    server: SimServer, rng: random.Random, life: Life, *, manager: str = "operator"
) -> Client:
    """A client of a process that dies."""
    line = Dying(server, name="dying", rng=rng)
    line.life = life
    return Client(line, rng=rng, manager=manager)
