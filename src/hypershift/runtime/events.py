"""Kubernetes Events: what a user should see beside the object it concerns."""

import structlog

from hypershift.kit import Clock, Manifest, rfc3339
from hypershift.kit.buckets import Buckets
from hypershift.kube import AlreadyExists, ApiError, Client, kinds
from hypershift.kube.compare import digest

REPEAT_AFTER = 600.0
#: As client-go's EventSourceObjectSpamFilter: so many at once about one object, then one each.
BURST, REFILL = 25, 300.0
_LONGEST = 1024


class Memory:
    """Remembers which events were sent and when, so that a repeated pass does not repeat them."""

    def __init__(self, limit: int = 10_000) -> None:
        """Remember the last `limit` events."""
        self._limit = limit
        self._told: dict[str, tuple[float, int]] = {}
        self.buckets = Buckets(BURST, REFILL)

    def count(self, name: str, now: float) -> int:
        """How often this event was sent, including now; 0 when it is too soon to repeat it."""
        told_at, times = self._told.pop(name, (float("-inf"), 0))
        if now - told_at < REPEAT_AFTER:
            self._told[name] = (told_at, times)
            return 0
        self._told[name] = (now, times + 1)
        while len(self._told) > self._limit:
            self._told.pop(next(iter(self._told)))
        return times + 1


class Events:
    """Sends events about one object in the name of one controller."""

    def __init__(
        self, client: Client, about: Manifest, *, source: str, clock: Clock, memory: Memory
    ) -> None:
        """Speak about `about`; `memory` is shared by all passes of a controller."""
        self._client, self._about, self._source = client, about, source
        self._clock, self._memory = clock, memory

    def inside(self, client: Client, about: Manifest) -> "Events":
        """The same teller about an object of another cluster."""
        return Events(client, about, source=self._source, clock=self._clock, memory=self._memory)

    async def normal(self, reason: str, message: str) -> None:
        """Something happened as it should."""
        await self._tell("Normal", reason, message)

    async def warning(self, reason: str, message: str) -> None:
        """Something needs a look."""
        await self._tell("Warning", reason, message)

    async def _tell(self, kind: str, reason: str, message: str) -> None:
        event = self._event(kind, reason, message[:_LONGEST])
        name, now = event["metadata"]["name"], self._clock.monotonic()
        count = self._memory.count(name, now)
        if not count or not self._memory.buckets.take(self._object, now):
            return
        try:
            await self._send(event, count)
        except ApiError as error:  # a pass does not fail because an event could not be sent
            log = structlog.get_logger()
            log.warning("event not recorded", reason=reason, error=str(error))

    @property
    def _object(self) -> str:
        """The object of an event and the controller that sends it."""
        metadata = self._about["metadata"]
        place = (metadata.get("namespace", ""), metadata["name"], metadata.get("uid", ""))
        return "/".join((self._source, self._about["kind"], *place))

    async def _send(self, event: Manifest, count: int) -> None:
        name, namespace = event["metadata"]["name"], event["metadata"]["namespace"]
        try:
            await self._client.create(event | {"count": count})
        except AlreadyExists:
            known = await self._client.get(kinds.EVENT, name, namespace)
            again = {"count": int(known.get("count") or 1) + 1, "lastTimestamp": self._now()}
            await self._client.patch(kinds.EVENT, name, again, namespace)

    def _event(self, kind: str, reason: str, message: str) -> Manifest:
        metadata = self._about["metadata"]
        unique = digest([metadata.get("uid"), self._source, kind, reason, message])
        return {
            "apiVersion": "v1",
            "kind": "Event",
            "metadata": {
                "name": f"{metadata['name'][:230]}.{unique}",
                "namespace": metadata.get("namespace") or "default",
            },
            "involvedObject": {
                "apiVersion": self._about["apiVersion"],
                "kind": self._about["kind"],
                "namespace": metadata.get("namespace", ""),
                "name": metadata["name"],
                "uid": metadata.get("uid", ""),
            },
            "type": kind,
            "reason": reason,
            "message": message,
            "source": {"component": self._source},
            "reportingComponent": self._source,
            "firstTimestamp": self._now(),
            "lastTimestamp": self._now(),
        }

    def _now(self) -> str:
        return rfc3339(self._clock.now())
