"""Finds slow disks of etcd's members, from the members' own metrics.

etcd answers a write only when its log is on the disk: above 10 ms it falls behind.
"""

import asyncio
import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from hypershift.component import View
from hypershift.controlplane.etcd.shards import groups

METRIC = re.compile(
    r'^etcd_disk_wal_fsync_duration_seconds_bucket\{le="([^"]+)"\} (\S+)$', re.MULTILINE
)
PORT = 2381

#: The bound, the share of writes that must keep it, and how many make a judgement.
BOUND = 0.010
SHARE = 0.99
LEAST = 20
#: The part of the bound below which a slow disk is fast again.
RECOVERED = 0.5

#: How often a cluster's disks are looked at, and how soon after the very first time.
LOOK = timedelta(minutes=5)
SECOND_LOOK = timedelta(seconds=50)

#: Writes so far, by how long each took at most.
Histogram = Mapping[float, float]
ALL = float("inf")
#: A member's metrics by its host; raises OSError without an answer.
Fetch = Callable[[str, int], Awaitable[str]]


def histogram(text: str) -> dict[float, float]:
    """Read the histogram out of a member's metrics; empty when it is not there."""
    return {float(bound): float(number) for bound, number in METRIC.findall(text)}


def between(before: Histogram, after: Histogram) -> dict[float, float]:
    """The writes between two readings; a restarted member counts from 0 again."""
    fresh = any(after.get(bound, 0) < number for bound, number in before.items())
    return {bound: n - (0 if fresh else before.get(bound, 0)) for bound, n in after.items()}


def is_slow(writes: Histogram, *, known: bool = False) -> bool:
    """Whether too many writes pass the bound, which lies inside one of etcd's buckets.

    The writes of a bucket count as spread evenly over it. A disk that is known to be slow has to
    stay well below the bound, so that the condition does not flap.
    """
    needed = SHARE * writes[ALL]
    upper = next(bound for bound in sorted(writes) if writes[bound] >= needed)
    lower = max((bound for bound in writes if bound < upper), default=0.0)
    below = writes.get(lower, 0)
    quantile = lower + (upper - lower) * (needed - below) / (writes[upper] - below)
    return quantile > (BOUND * RECOVERED if known else BOUND)


@dataclass(slots=True)
class _Member:
    """A member's last reading and verdict; the verdict changes after two equal readings."""

    said: Histogram = field(default_factory=dict)
    slow: bool | None = None
    doubted: bool = False

    def look(self, after: Histogram) -> bool | None:
        """Judge by the writes since the last look, if there were enough."""
        before, self.said = self.said, after
        writes = between(before, after)
        if not before or writes.get(ALL, 0) < LEAST:
            return self.slow
        slow = is_slow(writes, known=bool(self.slow))
        if self.slow is None or (slow != self.slow and self.doubted):
            self.slow = slow
        self.doubted = slow != self.slow
        return self.slow


@dataclass(slots=True)
class DiskWatch:
    """Reads the members' metrics from time to time and keeps the last reading of each."""

    fetch: Fetch
    _next: dict[str, datetime] = field(default_factory=dict)
    _members: dict[str, dict[str, _Member]] = field(default_factory=dict)

    async def visit(self, view: View, now: datetime) -> set[str] | None:
        """The slow members; None if it is not time yet, or no member could be read."""
        place, found = view.namespace, groups(view)
        if not found or view.openshift or now < self._next.get(place, now):
            return None
        self._next[place] = now + (LOOK if place in self._next else SECOND_LOOK)
        hosts = {one: group.host(one, place) for group in found for one in group.members}
        said = await asyncio.gather(*map(self._ask, hosts.values()))
        members = self._members.setdefault(place, {})
        judged = {
            name: members.setdefault(name, _Member()).look(after)
            for name, after in zip(hosts, said, strict=True)
        }
        if all(slow is None for slow in judged.values()):
            return None
        return {name for name, slow in judged.items() if slow}

    def forget(self, namespace: str) -> None:
        """A cluster is gone."""
        self._next.pop(namespace, None)
        self._members.pop(namespace, None)

    async def _ask(self, host: str) -> Histogram:
        try:
            return histogram(await self.fetch(host, PORT))
        except (OSError, TimeoutError):
            return {}
