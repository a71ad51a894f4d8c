"""Time as an argument, so that tests and the simulation own it."""

import asyncio
import time
from datetime import UTC, datetime
from typing import Protocol


class Clock(Protocol):
    """What our code may know about time."""

    def now(self) -> datetime:
        """The wall clock, in UTC: for what users and certificates see."""
        ...

    def monotonic(self) -> float:
        """Seconds that never jump: for leases, backoff and timeouts."""
        ...

    async def sleep(self, seconds: float) -> None:
        """Let `seconds` of this clock pass."""
        ...


class SystemClock:
    """The machine's own clock."""

    def now(self) -> datetime:
        return datetime.now(UTC)

    def monotonic(self) -> float:
        return time.monotonic()

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)


def rfc3339(moment: datetime) -> str:
    """Format a moment as Kubernetes writes it: whole seconds, UTC, `Z`."""
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def from_rfc3339(text: str) -> datetime:
    """Read a moment as Kubernetes writes it, with or without fractions."""
    return datetime.fromisoformat(text)
