"""Seeds: the sample operator converges, rests, and leaves nothing behind, whatever happens."""

import os

import pytest
from tests.lib.sim import schedule

SEEDS = int(os.environ.get("HYPERSHIFT_SEEDS", "40"))
FIRST = int(os.environ.get("HYPERSHIFT_FIRST_SEED", "0"))
BATCH = 10


@pytest.mark.parametrize("first", range(FIRST, FIRST + SEEDS, BATCH))
def test_every_seed_converges(first: int) -> None:
    for seed in range(first, min(first + BATCH, FIRST + SEEDS)):
        result = schedule.run(seed)
        assert result.passed, schedule.explain(schedule.shrink(result))
