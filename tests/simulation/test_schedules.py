"""Seeds: the sample operator converges, rests, and leaves nothing behind, whatever happens."""

import pytest
from tests.lib.seeds import seeds
from tests.lib.sim import schedule

BATCH, EVERY = 10, seeds()


@pytest.mark.parametrize("first", EVERY[::BATCH])
def test_every_seed_converges(first: int) -> None:
    for seed in range(first, min(first + BATCH, EVERY.stop)):
        result = schedule.run(seed)
        assert result.passed, schedule.explain(schedule.shrink(result))
