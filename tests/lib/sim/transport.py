"""The way to the simulated server: latency, faults and a trace, one transport for each process."""

import asyncio
import random
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from contextlib import aclosing
from typing import Protocol, cast

from tests.lib.sim.server import SimServer, Watched
from tests.lib.sim.trace import Trace

from hypershift.kube import Request, Response, Unavailable

Witness = Callable[[str, Request, Response], None]


def _nobody(_name: str, _request: Request, _response: Response) -> None:
    """Nobody looks."""


class Interference(Protocol):
    """What may happen to a request on its way; faults implement it."""

    async def before(self, request: Request, /) -> Response | None:
        """Called before the server sees the request; may raise, wait, or answer in its place."""
        ...

    async def after(self, request: Request, response: Response, /) -> None:
        """Called after the server acted; may raise or wait."""
        ...

    def opened(self, request: Request, end: Callable[[], None], /) -> "Stream":
        """Called when a watch opens; `end` makes the server end it."""
        ...


class Stream(Protocol):
    """What may happen to one watch."""

    async def event(self) -> int:
        """Called for each event: how often to deliver it; may wait."""
        ...

    def ended(self) -> None:
        """Called when the watch ended; raises when that was a break and no orderly end."""
        ...


class CalmStream:
    """A watch to which nothing happens."""

    async def event(self) -> int:
        return 1

    def ended(self) -> None:
        return None


class Calm:
    """A network without faults."""

    async def before(self, _request: Request, /) -> Response | None:
        return None

    async def after(self, _request: Request, _response: Response, /) -> None:
        return None

    def opened(self, _request: Request, _end: Callable[[], None], /) -> CalmStream:
        return CalmStream()


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
        witness: Witness = _nobody,
    ) -> None:
        """Speak as `name`; each way takes a random time between the two of `latency`.

        `witness` is told of every request at the moment when the server has acted on it.
        """
        self._server, self._name = server, name
        self._rng = rng or random.Random(0)  # noqa: S311 (a simulation repeats itself)
        self._latency = latency
        self._interference = interference or Calm()
        self._trace = trace if trace is not None else Trace()
        self._witness = witness
        self._dead = False

    def die(self) -> None:
        """The process is gone: nothing leaves or reaches it any more."""
        self._dead = True

    async def request(self, request: Request) -> Response:
        early = await self._interference.before(request)
        self._check()
        if early is not None:
            await self._travel()
            self._trace.note(self._name, f"{_line(request)} -> {early.status} (fault)")
            return early
        response = await self._answer(request)
        if isinstance(response, Watched):
            return Response(
                response.status,
                response.headers,
                lines=self._events(request, response),
                close=response.close,
            )
        await self._interference.after(request, response)
        self._check()
        return response

    def _answer(self, request: Request) -> "asyncio.Future[Response]":
        """The answer, later: what is on the wire arrives, whatever becomes of the sender."""
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[Response] = loop.create_future()
        if self._latency[1]:
            loop.call_later(self._way(), self._arrive, request, answer)
        else:
            self._arrive(request, answer)
        return answer

    def _arrive(self, request: Request, answer: "asyncio.Future[Response]") -> None:
        response = self._server.handle(request)
        self._trace.note(self._name, f"{_line(request)} -> {response.status}")
        self._witness(self._name, request, response)
        if isinstance(response, Watched) and answer.done():
            response.leave()
        elif isinstance(response, Watched) or not self._latency[1]:
            _deliver(answer, response)
        else:
            loop = asyncio.get_running_loop()
            loop.call_later(self._way(), _deliver, answer, response)

    async def _events(self, request: Request, response: Watched) -> AsyncIterator[bytes]:
        stream = self._interference.opened(request, response.end)
        lines = cast("AsyncGenerator[bytes, None]", response.lines)
        async with aclosing(lines):
            async for line in lines:
                times = await stream.event()
                await self._travel()
                self._check()
                for _ in range(times):
                    yield line
        stream.ended()

    async def _travel(self) -> None:
        if self._latency[1]:
            await asyncio.sleep(self._way())

    def _way(self) -> float:
        low, high = self._latency
        return low + (high - low) * self._rng.random()

    def _check(self) -> None:
        if self._dead:
            raise Unavailable(0, "Dead", "this process is gone")

    async def close(self) -> None:
        """Nothing is held open."""


def _deliver(answer: "asyncio.Future[Response]", response: Response) -> None:
    if not answer.done():  # else nobody waits for it any more
        answer.set_result(response)


def _line(request: Request) -> str:
    subject = f"{request.method} {request.path}"
    return f"{subject} watch" if request.parameter("watch") else subject
