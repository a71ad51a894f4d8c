"""How long a network takes and what it asks of AWS: measured in calls that have to wait for others.

Each call takes the same time, so a run's time tells how many of its calls followed one another.
"""

import sys
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import replace

import pytest
from tests.cloud.aws.runs import WANTED, ZONES, accounts, create, destroy, with_domain
from tests.cloud.aws.server import Cloud

from hypershift.infra.aws import Accounts, planned

pytestmark = pytest.mark.integration

#: Seconds of each call: long beside what moto needs for one, on a machine with other work as well.
CALL = 2.0
BUDGET = 1.5
WANTED_HERE = replace(WANTED, zones=ZONES)


def test_a_network_takes_as_long_as_its_longest_chain_of_calls(aws: Cloud) -> None:
    """The chain: the look before, then the pieces that need each other."""
    before = aws.inventory()
    looking, making = chain(aws, accounts())
    aws.reset()
    with_domain(aws)
    both = accounts()
    planned(both, WANTED_HERE)  # clients are made once
    taken = timed(aws, lambda: create(WANTED_HERE, both))
    told(f"longest chain {looking} + {making} calls, taken {taken:.1f} calls")
    assert taken <= BUDGET * (looking + making)
    destroy(WANTED_HERE, both)
    assert aws.inventory() == before


def chain(aws: Cloud, both: Accounts) -> tuple[int, int]:
    """How many calls of a look, and of the pieces on the longest way of needs, have to follow."""
    _, _, plan = planned(both, WANTED_HERE)
    looking = int(timed(aws, lambda: planned(both, WANTED_HERE)))
    ids, longest = dict(plan.ids), dict.fromkeys(plan.ids, 0)
    for piece in plan.steps:
        asked = aws.calls.total()
        ids[piece.key] = piece.make(both, ids)
        own = aws.calls.total() - asked
        longest[piece.key] = own + max((longest[need] for need in piece.needs), default=0)
    return looking, max(longest.values())


def timed(aws: Cloud, work: Callable[[], object]) -> float:
    """How long a piece of work takes while every call takes its time, in calls."""
    aws.call_seconds, began = CALL, time.monotonic()
    work()
    taken, aws.call_seconds = time.monotonic() - began, 0.0
    return taken / CALL


@pytest.mark.parametrize("count", [1, 3])
def test_calls_are_as_many_as_there_are_objects(aws: Cloud, count: int) -> None:
    """A second run looks and changes nothing; a look asks once for each kind of object."""
    both, wanted = accounts(), replace(WANTED, zones=ZONES[:count])
    made = calls(aws, lambda: create(wanted, both))
    again = calls(aws, lambda: create(wanted, both))
    gone = calls(aws, lambda: destroy(wanted, both))
    for name, asked in (("create", made), ("create again", again), ("destroy", gone)):
        told(f"{count} zones, {name}: {asked.total()} calls, {changes(asked)} of them change")
    assert changes(again) == 0
    assert again.total() <= 22
    assert changes(made) == 17 + 8 * count
    assert made.total() <= changes(made) + 22


def calls(aws: Cloud, work: Callable[[], object]) -> Counter[str]:
    """What a piece of work asks of AWS."""
    aws.calls.clear()
    work()
    return Counter(aws.calls)


def changes(asked: Counter[str]) -> int:
    return sum(
        count for name, count in asked.items() if not name.startswith(("Describe", "Get", "GET "))
    )


def told(text: str) -> None:
    """Show a figure to who runs the test with `-s`."""
    sys.stdout.write(f"\n  {text}\n")
