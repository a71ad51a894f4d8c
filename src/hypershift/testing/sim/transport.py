"""The way to the simulated server: latency, faults and a trace, one transport for each process."""

import asyncio
import random
from collections.abc import AsyncIterator
from contextlib import aclosing
from typing import Protocol, cast

from hypershift.kube import Request, Response, Unavailable
from hypershift.testing.sim.server import SimServer
from hypershift.testing.sim.trace import Trace


class Interference(Protocol):
    """What may happen to a request on its way; faults implement it."""

    async def before(self, request: Request, /) -> Response | None:
        """Called before the server sees the request; may raise, wait, or answer in its place."""
        ...

    async def after(self, request: Request, response: Response, /) -> None:
        """Called after the server acted; may raise or wait."""
        ...

    async def event(self, request: Request, line: bytes, /) -> int:
        """Called for each watch event: how often to deliver it; may raise or wait."""
        ...


class NoInterference:
    """A network without faults."""

    async def before(self, _request: Request, /) -> Response | None:
        return None

    async def after(self, _request: Request, _response: Response, /) -> None:
        return None

    async def event(self, _request: Request, _line: bytes, /) -> int:
        return 1


class SimTransport:
    """One process's connection to the server."""

    def __init__(
        self,
        server: SimServer,
        *,
        name: str = "client",
        rng: random.Random | None = None,
        latency: tuple[float, float] = (0.0, 0.0),
        interference: Interference | None = None,
        trace: Trace | None = None,
    ) -> None:
        """Speak as `name`; each way takes a random time between the two of `latency`."""
        self._server, self._name = server, name
        self._rng = rng or random.Random(0)  # noqa: S311 (a simulation repeats itself)
        self._latency = latency
        self._interference = interference or NoInterference()
        self._trace = trace if trace is not None else Trace()
        self._dead = False

    def die(self) -> None:
        """The process is gone: nothing leaves or reaches it any more."""
        self._dead = True

    async def request(self, request: Request) -> Response:
        await self._travel()
        early = await self._interference.before(request)
        self._check()
        if early is not None:
            self._trace.note(self._name, f"{_line(request)} -> {early.status} (fault)")
            return early
        response = self._server.handle(request)
        self._trace.note(self._name, f"{_line(request)} -> {response.status}")
        if response.lines is not None:
            return Response(
                response.status,
                response.headers,
                lines=self._events(request, response),
                close=response.close,
            )
        await self._interference.after(request, response)
        await self._travel()
        self._check()
        return response

    async def _events(self, request: Request, response: Response) -> AsyncIterator[bytes]:
        lines = cast("AsyncIterator[bytes]", response.lines)
        async with aclosing(lines):  # type: ignore[type-var]  # the server's lines are a generator
            async for line in lines:
                times = await self._interference.event(request, line)
                await self._travel()
                self._check()
                for _ in range(times):
                    yield line

    async def _travel(self) -> None:
        low, high = self._latency
        if high:
            await asyncio.sleep(self._rng.uniform(low, high))

    def _check(self) -> None:
        if self._dead:
            raise Unavailable(0, "Dead", "this process is gone")

    async def close(self) -> None:
        """Nothing is held open."""


def _line(request: Request) -> str:
    subject = f"{request.method} {request.path}"
    return f"{subject} watch" if request.parameter("watch") else subject
