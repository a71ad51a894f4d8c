"""How long etcd's disks take to write, as its members' own metrics tell; a slow one is named.

etcd answers nobody before its log is on the disk: above 10 ms it falls behind, and above 100 ms
its members lose sight of their leader.
"""

import asyncio
import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from hypershift.component import View
from hypershift.controlplane.etcd.members import count, managed, member_host

METRIC = re.compile(
    r'^etcd_disk_wal_fsync_duration_seconds_bucket\{le="([^"]+)"\} (\S+)$', re.MULTILINE
)
PORT = 2381

#: The bound, the one beyond it, the share of writes that must keep them, and how many make a
#: judgement.
BOUND = 0.010
GRAVE = 0.100
SHARE = 0.99
LEAST = 20
#: The part of a bound below which a slow disk is fast again.
RECOVERED = 0.5

#: How often a cluster's disks are looked at, and how soon after the very first time.
LOOK = timedelta(minutes=5)
SECOND_LOOK = timedelta(seconds=50)

#: Writes so far, by how long each took at most.
Histogram = Mapping[float, float]
#: A member's metrics by its host; raises OSError where nobody answers.
Fetch = Callable[[str, int], Awaitable[str]]


def histogram(text: str) -> dict[float, float]:
    """Read the histogram out of a member's metrics; empty when it is not there."""
    return {float(bound): float(number) for bound, number in METRIC.findall(text)}


def between(before: Histogram, after: Histogram) -> dict[float, float]:
    """The writes between two looks; a member that started anew counts from nothing again."""
    fresh = any(after.get(bound, 0) < number for bound, number in before.items())
    return {bound: n - (0 if fresh else before.get(bound, 0)) for bound, n in after.items()}


def passed_bound(writes: Histogram, known: float = 0.0) -> float:
    """The bound that too many writes pass; nothing where the disk is fast.

    It lies inside one of etcd's buckets, whose writes count as spread evenly over it. A disk that
    was `known` to pass a bound has to stay well below it: one that hovers is not told every time.
    """
    total = writes.get(float("inf"), 0)
    if total < LEAST:
        return 0.0
    needed = SHARE * total
    upper = next(bound for bound in sorted(writes) if writes[bound] >= needed)
    lower = max((bound for bound in writes if bound < upper), default=0.0)
    below = writes.get(lower, 0)
    quantile = lower + (upper - lower) * (needed - below) / (writes[upper] - below)
    passed = (
        bound
        for bound in (BOUND, GRAVE)
        if quantile > (bound * RECOVERED if bound <= known else bound)
    )
    return max(passed, default=0.0)


@dataclass(slots=True)
class DiskWatch:
    """Remembers what each member said last; a judgement takes two looks."""

    fetch: Fetch
    _next: dict[str, datetime] = field(default_factory=dict)
    _said: dict[tuple[str, int], Histogram] = field(default_factory=dict)
    _passed: dict[tuple[str, int], float] = field(default_factory=dict)

    async def visit(self, view: View, now: datetime) -> dict[int, float] | None:
        """The slow members and what they pass, when it is time and somebody answered; else None."""
        place = view.namespace
        if not managed(view) or view.openshift or now < self._next.get(place, now):
            return None
        self._next[place] = now + (LOOK if place in self._next else SECOND_LOOK)
        said = await asyncio.gather(*(self._ask(view, index) for index in range(count(view))))
        judged: dict[int, float] = {}
        for index, after in enumerate(said):
            member = place, index
            before = self._said.get(member)
            self._said[member] = after
            done = between(before or {}, after)
            if before and done.get(float("inf"), 0) >= LEAST:
                judged[index] = passed_bound(done, self._passed.get(member, 0.0))
                self._passed[member] = judged[index]
        return {index: bound for index, bound in judged.items() if bound} if judged else None

    def forget(self, namespace: str) -> None:
        """A cluster is gone."""
        self._next.pop(namespace, None)
        for memory in (self._said, self._passed):
            for key in [key for key in memory if key[0] == namespace]:
                del memory[key]

    async def _ask(self, view: View, index: int) -> Histogram:
        try:
            return histogram(await self.fetch(member_host(view, index), PORT))
        except (OSError, TimeoutError):
            return {}
