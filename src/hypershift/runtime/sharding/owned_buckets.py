"""What this replica may do at this moment: the buckets it holds and what is under way in them."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from contextvars import ContextVar
from dataclasses import replace
from typing import TypeVar

from hypershift.kube import Request, Response, Transport
from hypershift.kube.transport import WRITES
from hypershift.kube.websocket import Socket, socket_of
from hypershift.runtime.leader import NotLeader
from hypershift.runtime.sharding.assignment import bucket_of

T = TypeVar("T")

_CLUSTER: ContextVar[str] = ContextVar("cluster", default="")


def current_cluster() -> str:
    """The cluster that the pass around us is about; empty outside of a pass."""
    return _CLUSTER.get()


class OwnedBuckets:
    """The buckets of this replica and the passes in them.

    Invariant: when a bucket is given away, no write of ours is under way in it, and none begins.
    Interleaving: a pass has sent a write when its bucket has to go, and is cancelled. The server
    may still execute the request, so `send` shields it and `leave` waits for its answer as well.
    Held by tests/unit/runtime/sharding/test_one_writer.py::
      test_a_pass_ends_before_the_next_owner_begins
    Held by tests/unit/runtime/sharding/test_one_writer.py::
      test_a_pass_without_end_is_dropped_for_the_next_owner
    """

    def __init__(self) -> None:
        """Hold nothing yet."""
        self.held: frozenset[int] = frozenset()
        self._leaving: frozenset[int] = frozenset()
        self._passes: dict[asyncio.Timeout, int] = {}
        self._writes: dict[asyncio.Future[Response], int] = {}
        self._changed = asyncio.Event()

    def covers(self, cluster: str) -> bool:
        """Whether a pass over that cluster may begin here."""
        bucket = bucket_of(cluster)
        return bucket in self.held and bucket not in self._leaving

    def may_write(self) -> bool:
        """Whether the pass around us may still write."""
        cluster = current_cluster()
        return not cluster or bucket_of(cluster) in self.held

    def take(self, buckets: Iterable[int]) -> None:
        """Hold more buckets."""
        self.held |= frozenset(buckets)

    async def run_if_owned(self, cluster: str, work: Callable[[], Awaitable[T]]) -> T | None:
        """Do the work unless the cluster is another replica's; None when it was not done."""
        if not self.covers(cluster):
            return None
        token = _CLUSTER.set(cluster)
        limit = asyncio.timeout(None)
        try:
            async with limit:
                self._passes[limit] = bucket_of(cluster)
                return await work()
        except TimeoutError:
            if not limit.expired():
                raise
            return None  # the bucket had to go: its next owner does this pass again
        finally:
            self._passes.pop(limit, None)
            self._changed.set()
            _CLUSTER.reset(token)

    async def send(self, transport: Transport, request: Request) -> Response:
        """Send a write that a dropped pass does not take back: its answer is always awaited."""
        sending = asyncio.ensure_future(transport.request(request))
        self._writes[sending] = bucket_of(current_cluster()) if current_cluster() else -1
        sending.add_done_callback(self._sent)
        return await asyncio.shield(sending)

    def _sent(self, sending: "asyncio.Future[Response]") -> None:
        self._writes.pop(sending, None)
        self._changed.set()
        if not sending.cancelled():
            sending.exception()  # seen, also when the pass that asked for it is gone

    async def release(self, buckets: frozenset[int], patience: float) -> None:
        """Give up buckets: begin no pass, let those under way end, drop them after a while.

        On return no write of ours is under way in these buckets and none can begin.
        """
        self._leaving |= buckets
        try:
            if not await self._until_idle(buckets, patience):
                now = asyncio.get_running_loop().time()
                for limit, bucket in self._passes.items():
                    if bucket in buckets:
                        limit.reschedule(now)
                await self._until_idle(buckets, None)
            self.held -= buckets
        finally:
            self._leaving -= buckets

    async def _until_idle(self, buckets: frozenset[int], patience: float | None) -> bool:
        try:
            async with asyncio.timeout(patience):
                while buckets & {*self._passes.values(), *self._writes.values()}:
                    self._changed.clear()
                    await self._changed.wait()
        except TimeoutError:
            return False
        return True


class BucketTransport:
    """A transport that lets a write pass only while its cluster is ours."""

    def __init__(self, inner: Transport, owned: OwnedBuckets, check: Callable[[], None]) -> None:
        """`check` raises when our own lease is no longer certain."""
        self._inner, self._owned, self._check = inner, owned, check

    async def request(self, request: Request) -> Response:
        if request.method not in WRITES:
            return await self._inner.request(request)
        self._permit()
        return await self._owned.send(self._inner, replace(request, permit=self._permit))

    def socket(self, request: Request, protocol: str) -> Socket:
        """Commands change things too: they need what writes need."""
        self._permit()
        return socket_of(self._inner, request, protocol)

    def _permit(self) -> None:
        self._check()
        if not self._owned.may_write():
            raise NotLeader(f"a write was held back: {current_cluster()} has another owner")

    async def close(self) -> None:
        await self._inner.close()
