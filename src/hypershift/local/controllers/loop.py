"""A controller in its simplest form: whenever something it follows changes, look at everything.

The embedded cluster is small and its controllers decide over all objects at once (a whole table of
addresses, all routes), so one debounced pass over the caches is all they need.
"""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field

from hypershift.kube.cache import Cache
from hypershift.kube.informers import Informers
from hypershift.kube.reflector import Selection
from hypershift.kube.resource import Resource
from hypershift.local.supervise.journal import Journal

Caches = Mapping[Resource, Cache]
#: One pass; returns after how many seconds the next one runs even if nothing changes.
Pass = Callable[[Caches], Awaitable[float | None]]

DEBOUNCE = 0.02
FIRST_RETRY = 0.5
LONGEST_RETRY = 15.0


@dataclass(slots=True)
class Loop:
    """Runs a pass after every change, and again after a failure."""

    name: str
    resources: tuple[Resource, ...]
    sync: Pass
    journal: Journal
    wake: asyncio.Event = field(default_factory=asyncio.Event)

    async def run(self, informers: Informers) -> None:
        """Follow and act until cancelled."""
        acquired = {kind: informers.acquire(Selection(kind)) for kind in self.resources}
        for informer in acquired.values():
            await informer.wait()
        ends = [
            informer.subscribe(lambda _change: self.wake.set()) for informer in acquired.values()
        ]
        caches = {kind: informer.cache for kind, informer in acquired.items()}
        try:
            await self._turn(caches)
        finally:
            for end in ends:
                end()

    async def _turn(self, caches: Caches) -> None:
        failures, after = 0, 0.0
        while True:
            try:
                again = await self.sync(caches)
                failures, after = 0, again or 0.0
            except Exception as error:  # noqa: BLE001 - a controller that ends would be worse
                after = min(LONGEST_RETRY, FIRST_RETRY * 2**failures)
                failures += 1
                self.journal.say(self.name, "failed", error=str(error), retry=after)
            await self._sleep(after)

    async def _sleep(self, seconds: float) -> None:
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self.wake.wait(), seconds or None)
        await asyncio.sleep(DEBOUNCE)
        self.wake.clear()
