"""What the server writes down about machines, without making a machine wait for it."""

import asyncio
from collections.abc import Coroutine
from typing import Any

import structlog

from hypershift.ignition import token
from hypershift.kit import Clock, Manifest, annotations_of, key_of
from hypershift.kube import ApiError, Client, kinds
from hypershift.runtime.events import Events, Memory

SOURCE = "ignition-server"
#: Events that may be on their way at a time: a flood of requests is not a flood of writes.
MOST = 100
log = structlog.get_logger()


class Notes:
    """Marks and events on token Secrets."""

    def __init__(self, kube: Client, clock: Clock) -> None:
        """Write with `kube`."""
        self._kube, self._clock = kube, clock
        self._memory = Memory()
        self._reached: set[str] = set()
        self._running: set[asyncio.Task[None]] = set()

    def reached(self, secret: Manifest) -> None:
        """A machine got its configuration."""
        self._later(self._tell(secret, "Normal", "GetPayload"))
        uid = secret["metadata"].get("uid", "")
        if token.REACHED not in annotations_of(secret) and uid not in self._reached:
            self._reached.add(uid)
            self._later(self._mark(secret, uid), needed=True)

    def refused(self, secret: Manifest) -> None:
        """A machine asked for a configuration and did not get it."""
        self._later(self._tell(secret, "Warning", "GetPayloadFailed"))

    def _later(self, what: Coroutine[Any, Any, None], *, needed: bool = False) -> None:
        if len(self._running) >= MOST and not needed:
            what.close()
            return
        task = asyncio.ensure_future(what)
        self._running.add(task)
        task.add_done_callback(self._running.discard)

    async def _tell(self, secret: Manifest, kind: str, reason: str) -> None:
        events = Events(self._kube, secret, source=SOURCE, clock=self._clock, memory=self._memory)
        if kind == "Normal":
            await events.normal(reason, "payload served")
        else:
            await events.warning(reason, "payload was asked for with another token, or is broken")

    async def _mark(self, secret: Manifest, uid: str) -> None:
        key = key_of(secret)
        patch = {"metadata": {"annotations": {token.REACHED: "True"}}}
        try:
            await self._kube.patch(kinds.SECRET, key.name, patch, key.namespace)
        except ApiError as error:
            self._reached.discard(uid)
            log.warning("reaching the server was not noted", secret=str(key), error=str(error))
