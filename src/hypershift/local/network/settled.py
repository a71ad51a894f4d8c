"""Remembers the state that was applied to the host, to save running programs without need.

Most changes that a controller sees, such as a pod that is not ready yet, change nothing on the
host.
"""

import time
from collections.abc import Awaitable, Callable, Hashable
from dataclasses import dataclass, field

#: How long the host is assumed to be unchanged by other programs.
BELIEVED = 30.0


@dataclass(slots=True)
class Settled:
    """The state that the host was brought to last."""

    clock: Callable[[], float] = time.monotonic
    _state: Hashable = field(default=None, init=False)
    _until: float = field(default=0.0, init=False)

    async def become(self, state: Hashable, act: Callable[[], Awaitable[None]]) -> None:
        """Bring the host to a state by `act`, unless that was the last thing that happened."""
        if state == self._state and self.clock() < self._until:
            return
        self._state = None  # half done is neither the old state nor the new one
        await act()
        self._state, self._until = state, self.clock() + BELIEVED
