"""How long first successes took."""

from datetime import UTC, datetime, timedelta
from typing import Any

from hypershift.kit import rfc3339
from hypershift.operators.hypershift.fleet_metrics import pools
from hypershift.operators.hypershift.fleet_metrics.transitions import Transitions

BEGAN = datetime(2026, 1, 1, 12, tzinfo=UTC)
HEALTHY = "AllNodesHealthy"


def at(seconds: float) -> datetime:
    return BEGAN + timedelta(seconds=seconds)


def a_pool(healthy_at: float, status: str = "True") -> dict[str, Any]:
    moment = rfc3339(at(healthy_at))
    condition = {"type": HEALTHY, "status": status, "lastTransitionTime": moment}
    return {
        "metadata": {"name": "demo", "creationTimestamp": rfc3339(BEGAN)},
        "status": {"conditions": [condition]},
    }


def observed(transitions: Transitions, pool: dict[str, Any], now: float) -> tuple[float, float]:
    """How many were counted so far, and their seconds."""
    values = {
        sample.name.rpartition("_")[2]: sample.value
        for family in transitions.families([pool], at(now))
        for sample in family.samples
        if sample.labels.get("condition") == HEALTHY and "le" not in sample.labels
    }
    return values.get("count", 0), values.get("sum", 0)


def test_a_transition_is_counted_in_the_scrape_after_it_and_never_again() -> None:
    transitions = Transitions(*pools.TRANSITIONS, BEGAN)
    assert observed(transitions, a_pool(40, "False"), 30) == (0, 0)
    assert observed(transitions, a_pool(40), 60) == (1, 40)
    assert observed(transitions, a_pool(40), 90) == (1, 40)


def test_what_happened_before_this_process_began_is_not_its_own() -> None:
    transitions = Transitions(*pools.TRANSITIONS, at(100))
    assert observed(transitions, a_pool(40), 130) == (0, 0)
