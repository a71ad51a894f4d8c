"""A simulated management cluster for commands that work on AWS and on one."""

import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from tests.lib.sim.server import SimServer
from tests.lib.sim.transport import SimTransport

from hypershift.kit import Manifest
from hypershift.kube import Client


class Management:
    """A management cluster of the tests; every command gets a client of its own."""

    def __init__(self) -> None:
        """Begin empty."""
        rng = random.Random(1)  # noqa: S311 (tests repeat themselves)
        self.server = SimServer(rng=rng, now=lambda: "2026-01-01T00:00:00Z")

    @property
    def client(self) -> Client:
        """The user's client."""
        return Client(SimTransport(self.server, name="user"), manager="user")

    @asynccontextmanager
    async def connect(self, _flag: str = "") -> AsyncIterator[Client]:
        """In the place of `management` of a command's module."""
        yield self.client

    async def find(self, resource: Any, name: str) -> Manifest | None:
        """An object of the namespace that clusters are in."""
        return await self.client.find(resource, name, "clusters")
