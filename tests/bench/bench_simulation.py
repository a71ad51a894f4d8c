"""How many schedules of the sample operator a core plays in a minute."""

import time
from collections.abc import Iterator

from tests.bench.figure import Figure
from tests.lib.sim import schedule

SCHEDULES = 100
BATCH = 20


def figures() -> Iterator[Figure]:
    """Time of the processor, batch by batch: what neighbours take away is not ours.

    Every batch is faster or slower by what else the machine does, never faster than the code is,
    so the best one is the figure and the mean stands beside it.
    """
    schedule.run(0)
    spent = [_batch(first) for first in range(0, SCHEDULES, BATCH)]
    rates = [BATCH / seconds * 60 for seconds in spent]
    yield Figure("schedules per core minute (best batch)", max(rates), "", least=1000)
    yield Figure("schedules per core minute (all)", SCHEDULES / sum(spent) * 60, "")
    started = time.process_time()
    for seed in range(BATCH):
        assert schedule.run(seed, sharded=True).passed, f"sharded seed {seed} failed"
    sharded = BATCH / (time.process_time() - started) * 60
    yield Figure("schedules with three sharing processes per core minute", sharded, "")


def _batch(first: int) -> float:
    started = time.process_time()
    for seed in range(first, first + BATCH):
        assert schedule.run(seed).passed, f"seed {seed} failed"
    return time.process_time() - started
