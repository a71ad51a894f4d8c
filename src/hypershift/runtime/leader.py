"""Leadership by Lease, and the gate that no write passes without it.

The lease is ours for `renew_deadline` seconds of the monotonic clock, counted from the moment the
last successful renewal was *sent*; others take it only `duration` seconds after they saw it move.
The gate asks that clock before each write, so a process that was frozen wakes up deposed.
"""

import random
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from hypershift.kit import Clock, Manifest, TransientError
from hypershift.kube import (
    AlreadyExists,
    ApiError,
    Client,
    Conflict,
    NotFound,
    Request,
    Response,
    Transport,
    kinds,
)
from hypershift.kube.transport import WRITES
from hypershift.kube.websocket import Socket, socket_of
from hypershift.runtime.logs import logger


class NotLeader(TransientError):
    """A write was not sent: another replica may be the leader by now."""


class LeadershipLost(TransientError):
    """The lease could not be renewed in time; the process starts over as a follower."""


@dataclass(frozen=True, slots=True)
class Leadership:
    """Which lease, who we are, and the three times of an election in seconds."""

    name: str
    namespace: str
    identity: str
    duration: float = 15.0
    renew_deadline: float = 10.0
    retry: float = 2.0
    labels: tuple[tuple[str, str], ...] = ()
    private: bool = False
    """This process alone ever wants the lease: a holder is an earlier life of it. A lease that was
    ours and is deleted or another's is lost."""
    attempts: int = 1
    """How often to write again after a conflict: often where several replicas share the lease."""


class Elector:
    """Acquires the lease, keeps it, gives it back.

    Invariant: two replicas never write under one lease; at most the request that was on the wire
    when a process froze is executed late.
    Interleaving: a renewal is sent, the answer is delayed, and the process counts from the answer:
    others already count from the renewal. So `_until` counts from the moment of sending.
    Held by tests/unit/runtime/test_leader.py::test_a_frozen_leader_sends_nothing_when_it_wakes
    Held by tests/unit/runtime/test_leader.py::test_no_write_passes_the_gate_of_a_deposed_leader
    """

    def __init__(
        self, client: Client, settings: Leadership, *, clock: Clock, rng: random.Random
    ) -> None:
        """`client` must not pass our own gate."""
        self._client, self._settings = client, settings
        self._clock, self._rng = clock, rng
        self._until = float("-inf")
        self._seen: tuple[str, str, str] = ("", "", "")
        self._seen_at = float("-inf")
        self._held: Manifest | None = None
        self._had = False
        self.predecessor = ""
        self.notes: dict[str, str] = {}
        self._log = logger(lease=f"{settings.namespace}/{settings.name}", me=settings.identity)

    @property
    def leading(self) -> bool:
        """Whether the lease is certainly ours at this moment."""
        return self._clock.monotonic() < self._until

    def gate(self, transport: Transport) -> Transport:
        """A transport that holds writes back while we do not lead."""
        return GatedTransport(transport, self)

    def check(self) -> None:
        """Raise unless we lead."""
        if not self.leading:
            raise NotLeader("a write was held back: the lease is not ours at this moment")

    async def attempt(self) -> bool:
        """Take or renew the lease if that is possible; whether it is ours now."""
        return await self._try()

    async def acquire(self) -> None:
        """Return when the lease is ours."""
        while not await self._try():
            await self._clock.sleep(self._settings.retry * self._rng.uniform(1.0, 1.2))
        self._log.info("leading")

    async def keep(self) -> None:
        """Renew for ever; `LeadershipLost` when that did not work in time."""
        while True:
            await self._clock.sleep(self._settings.retry * self._rng.uniform(0.8, 1.0))
            if not self.leading:
                raise LeadershipLost("the lease was not renewed in time")
            if not await self._try() and self._seen[0] not in {self._settings.identity, ""}:
                self._until = float("-inf")
                raise LeadershipLost(f"the lease is held by {self._seen[0]}")

    async def release(self) -> None:
        """Give the lease back, so that the next leader need not wait for its end."""
        if not self.leading:
            return
        self.resign()
        try:
            lease = await self._client.get(
                kinds.LEASE, self._settings.name, self._settings.namespace
            )
            if lease["spec"].get("holderIdentity") == self._settings.identity:
                lease["spec"] |= {"holderIdentity": "", "leaseDurationSeconds": 1}
                await self._client.replace(lease)
                self._log.info("lease released")
        except ApiError as error:
            self._log.warning("lease not released", error=str(error))

    def resign(self) -> None:
        """Write nothing more; the lease stays as it is."""
        self._until = float("-inf")

    async def _try(self) -> bool:
        sent, held = self._clock.monotonic(), False
        for _ in range(self._settings.attempts):
            try:
                held = await self._write()
            except (Conflict, AlreadyExists):
                continue
            except ApiError as error:
                self._log.warning("lease not reached", error=str(error))
                return False
            break
        if held:
            self._until = sent + self._settings.renew_deadline
        return held

    async def _write(self) -> bool:
        if self._held is not None and self.leading:
            try:
                return await self._renew(self._held)
            except (Conflict, NotFound):
                self._held = None  # another replica wrote it: read the Lease before the next step
        lease = await self._client.find(kinds.LEASE, self._settings.name, self._settings.namespace)
        if lease is None:
            if self._had and self._settings.private:
                self._seen = ("nobody", "", "")
                return False
            self._held = await self._client.create(self._lease())
            self._had = True
            return True
        spec = lease.get("spec") or {}
        self._look(lease, spec)
        holder = spec.get("holderIdentity") or ""
        if holder not in {"", self._settings.identity}:
            if not (self._inherits if self._settings.private else self._expired(spec)):
                return False
            self.predecessor = holder
        return await self._renew(lease)

    @property
    def _inherits(self) -> bool:
        return self._settings.private and not self._had

    async def _renew(self, lease: Manifest) -> bool:
        spec = lease.get("spec") or {}
        moved = (spec.get("holderIdentity") or "") != self._settings.identity
        transitions = int(spec.get("leaseTransitions") or 0) + moved
        self._held = await self._client.replace(self._lease(lease, transitions=transitions))
        self._had = True
        return True

    def _look(self, lease: Manifest, spec: Manifest) -> None:
        """Note when the lease last moved, by our own clock: wall clocks of others may be wrong."""
        version = lease["metadata"].get("resourceVersion", "")
        seen = (spec.get("holderIdentity") or "", str(spec.get("renewTime")), version)
        if seen != self._seen:
            self._seen, self._seen_at = seen, self._clock.monotonic()

    def _expired(self, spec: Manifest) -> bool:
        duration = float(spec.get("leaseDurationSeconds") or self._settings.duration)
        return self._clock.monotonic() >= self._seen_at + duration

    def _lease(self, known: Manifest | None = None, *, transitions: int = 0) -> Manifest:
        spec = dict((known or {}).get("spec") or {})
        now = micro_time(self._clock.now())
        if spec.get("holderIdentity") != self._settings.identity:
            spec["acquireTime"] = now
        spec |= {
            "holderIdentity": self._settings.identity,
            "leaseDurationSeconds": int(self._settings.duration),
            "renewTime": now,
            "leaseTransitions": transitions,
        }
        metadata: Manifest = {"name": self._settings.name, "namespace": self._settings.namespace}
        if self._settings.labels:
            metadata["labels"] = dict(self._settings.labels)
        if self.notes:
            metadata["annotations"] = dict(self.notes)
        if known is not None:
            metadata["resourceVersion"] = known["metadata"]["resourceVersion"]
        return {
            "apiVersion": kinds.LEASE.api_version,
            "kind": kinds.LEASE.kind,
            "metadata": metadata,
            "spec": spec,
        }


class GatedTransport:
    """A transport that lets a write pass only while we lead."""

    def __init__(self, inner: Transport, elector: Elector) -> None:
        """Ask `elector` before each write."""
        self._inner, self._elector = inner, elector

    async def request(self, request: Request) -> Response:
        if request.method in WRITES:
            self._elector.check()
            request = replace(request, permit=self._elector.check)
        return await self._inner.request(request)

    def socket(self, request: Request, protocol: str) -> Socket:
        """Commands change things too: they need the lease as writes do."""
        self._elector.check()
        return socket_of(self._inner, request, protocol)

    async def close(self) -> None:
        await self._inner.close()


def micro_time(moment: datetime) -> str:
    """A moment as the fields of a Lease want it."""
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
