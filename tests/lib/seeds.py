"""How many seeds a test plays, and with which one it begins."""

import os

FIRST = int(os.environ.get("HYPERSHIFT_FIRST_SEED", "0"))


def seeds(share: int = 1, *, least: int = 1) -> range:
    """One in `share` of the seeds that were asked for."""
    count = max(least, int(os.environ.get("HYPERSHIFT_SEEDS", "40")) // share)
    return range(FIRST, FIRST + count)
