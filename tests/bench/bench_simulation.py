"""How many schedules of the sample operator a core plays in a minute."""

import time
from collections.abc import Iterator

from tests.bench.figure import Figure

from hypershift.testing.sim import schedule

SCHEDULES = 100


def figures() -> Iterator[Figure]:
    schedule.run(0)
    started = time.process_time()
    for seed in range(SCHEDULES):
        assert schedule.run(seed).passed, f"seed {seed} failed"
    spent = time.process_time() - started
    yield Figure("schedules per core minute", SCHEDULES / spent * 60, "", least=1000)
