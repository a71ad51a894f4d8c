"""Faults as values, drawn from a seed, and the network that brings them to a process."""

import asyncio
import math
import random
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

import msgspec

from hypershift.kube import Request, Response, Unavailable
from hypershift.kube.transport import WRITES

#: A server in trouble does not wait for whoever asks only once a minute.
TROUBLE = 30.0


class Kind(StrEnum):
    """What can go wrong."""

    ERROR = "error"  # requests of the next moments are answered 500 or 503, and not done
    BUSY = "busy"  # the next request is answered 429 with Retry-After
    CONFLICT = "conflict"  # the next write is answered 409, and not done
    LOST_ANSWER = "lost answer"  # the next write is done, and its answer is lost
    CUT = "cut"  # every watch is cut
    SILENCE = "silence"  # every watch says nothing more, though it stays open
    DELAY = "delay"  # one watch is late by some seconds: others overtake it
    DUPLICATE = "duplicate"  # the next events come twice
    EXPIRE = "expire"  # history is compacted and every watch cut: 410
    CRASH_BEFORE = "crash before"  # the process dies before its next write is done
    CRASH_AFTER = "crash after"  # the process dies after its next write was done
    PARTITION = "partition"  # nothing passes for some seconds
    JUMP = "jump"  # the wall clock jumps
    FREEZE = "freeze"  # the process stops for some seconds and goes on as if nothing had been
    LEAVE = "leave"  # the process ends in good order, and another begins


@dataclass(frozen=True, slots=True, order=True)
class Fault:
    """One thing that goes wrong: when, what, to which process, and how much of it."""

    at: float
    kind: Kind
    process: int = 0
    amount: float = 1.0

    def __str__(self) -> str:
        return f"{self.at:.3f}s {self.kind} process={self.process} amount={self.amount:.2f}"


#: What happens to requests, watches and processes; twice, that it is drawn twice as often.
USUAL = tuple(
    kind
    for kind in Kind
    if kind not in {Kind.FREEZE, Kind.LEAVE}
    for _ in range(1 if kind in {Kind.JUMP, Kind.EXPIRE} else 2)
)
#: What else happens where several processes share the work.
SHARED = (*USUAL, *[Kind.FREEZE, Kind.LEAVE, Kind.CRASH_BEFORE, Kind.PARTITION] * 3)


def drawn(
    rng: random.Random,
    *,
    until: float,
    processes: int,
    most: int,
    kinds: tuple[Kind, ...] = USUAL,
) -> tuple[Fault, ...]:
    """The faults of a schedule."""
    return tuple(
        sorted(
            Fault(
                rng.uniform(0.0, until),
                rng.choice(kinds),
                rng.randrange(processes),
                rng.uniform(0.5, 4.0),
            )
            for _ in range(rng.randint(0, most))
        )
    )


class Stream:
    """One open watch of a process."""

    def __init__(self, path: str, end: Callable[[], None]) -> None:
        """`end` makes the server end the watch."""
        self.path, self._end = path, end
        self._cut = False
        self._silent = False
        self._late_until = 0.0
        self._twice = False

    def cut(self) -> None:
        """Break the connection."""
        self._cut = True
        self._end()

    def silence(self) -> None:
        """Deliver nothing more, and stay open."""
        self._silent = True

    def delay(self, until: float) -> None:
        """Deliver nothing before that time."""
        self._late_until = until

    def duplicate(self) -> None:
        """Deliver the next event twice."""
        self._twice = True

    async def event(self) -> int:
        if self._silent:
            await asyncio.get_running_loop().create_future()
        late = self._late_until - asyncio.get_running_loop().time()
        if late > 0:
            await asyncio.sleep(late)
        twice, self._twice = self._twice, False
        return 2 if twice else 1

    def ended(self) -> None:
        if self._cut:
            raise Unavailable(0, "ConnectionLost", "the stream was cut")


def crashes(count: int, *, every: float, first: float = 0.0) -> tuple[Fault, ...]:
    """A process that dies again and again, by turns just before and just after a write."""
    sides = (Kind.CRASH_BEFORE, Kind.CRASH_AFTER)
    return tuple(Fault(first + index * every, sides[index % 2]) for index in range(count))


class Network:
    """One process's network: armed faults happen to what passes next."""

    def __init__(self, rng: random.Random, crash: Callable[[], None]) -> None:
        """`crash` kills the process."""
        self._rng, self._crash = rng, crash
        self._armed: list[tuple[Fault, float]] = []  # with the time at which it lapses
        self._healthy_at = 0.0
        self._streams: dict[str, Stream] = {}

    def arm(self, fault: Fault) -> None:
        """Let a fault happen from now on."""
        now = asyncio.get_running_loop().time()
        streams = tuple(self._streams.values())
        match fault.kind:
            case Kind.CUT | Kind.EXPIRE:
                for stream in streams:
                    stream.cut()
            case Kind.SILENCE:
                for stream in streams:
                    stream.silence()
            case Kind.PARTITION:
                self._healthy_at = now + fault.amount * 5
            case Kind.DELAY | Kind.DUPLICATE if not streams:
                pass
            case Kind.DELAY:
                self._rng.choice(streams).delay(now + fault.amount * 2)
            case Kind.DUPLICATE:
                self._rng.choice(streams).duplicate()
            case Kind.ERROR:
                self._armed += [(fault, now + TROUBLE)] * round(fault.amount)
            case _:
                self._armed.append((fault, math.inf))

    def opened(self, request: Request, end: Callable[[], None], /) -> Stream:
        stream = Stream(request.path, end)
        self._streams[request.path] = stream
        return stream

    async def before(self, request: Request, /) -> Response | None:
        if asyncio.get_running_loop().time() < self._healthy_at:
            await asyncio.sleep(0.5)
            raise Unavailable(0, "Partition", "nothing passes", attempt=str(request))
        if request.method in WRITES:
            if self._take(Kind.CRASH_BEFORE):
                self._crash()
                return None
            if self._take(Kind.CONFLICT):
                return _refusal(409, "Conflict", "somebody was faster")
        if self._take(Kind.BUSY):
            return _refusal(429, "TooManyRequests", "busy", {"Retry-After": "1"})
        if self._take(Kind.ERROR):
            code = self._rng.choice((500, 503))
            return _refusal(code, "InternalError", "something broke")
        return None

    async def after(self, request: Request, _response: Response, /) -> None:
        if request.method not in WRITES:
            return
        if self._take(Kind.CRASH_AFTER):
            self._crash()
        if self._take(Kind.LOST_ANSWER):
            await asyncio.sleep(1.0)
            raise Unavailable(0, "Timeout", "the answer was lost", attempt=str(request))

    def _take(self, kind: Kind) -> bool:
        now = asyncio.get_running_loop().time()
        for armed in self._armed:
            fault, lapses = armed
            if fault.kind is kind and now < lapses:
                self._armed.remove(armed)
                return True
        return False


def _refusal(
    code: int, reason: str, message: str, headers: dict[str, str] | None = None
) -> Response:
    status = {
        "kind": "Status",
        "apiVersion": "v1",
        "status": "Failure",
        "reason": reason,
        "message": message,
        "code": code,
    }
    return Response(code, headers or {}, msgspec.json.encode(status))
