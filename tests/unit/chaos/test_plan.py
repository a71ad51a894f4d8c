"""A seed's faults."""

from itertools import islice

from hypothesis import given
from hypothesis import strategies as st
from tests.chaos.plan import FAULTS, PROCESSES, Action, Fault, Target, faults
from tests.chaos.target import COMPONENTS, PROGRAMS, UNITS

SEEDS = st.integers(0, 2**32 - 1)


@given(SEEDS)
def test_a_seed_gives_the_same_faults_again(seed: int) -> None:
    assert list(islice(faults(seed), 100)) == list(islice(faults(seed), 100))


@given(SEEDS)
def test_every_pair_happens_once_before_one_happens_twice(seed: int) -> None:
    first = [(one.action, one.target) for one in islice(faults(seed), len(FAULTS))]
    assert sorted(first) == sorted(FAULTS)


@given(SEEDS)
def test_what_takes_a_moment_has_no_length(seed: int) -> None:
    moments = {Action.KILL, Action.DELETE, Action.EDIT}
    for one in islice(faults(seed), len(FAULTS)):
        assert (one.seconds == 0.0) == (one.action in moments)


def test_every_process_can_be_found_somewhere() -> None:
    in_pods = {Target.OPERATOR, Target.CLUSTER_API}
    assert in_pods | {*COMPONENTS, *UNITS, *PROGRAMS} == set(PROCESSES)


def test_the_choice_falls_on_one_of_the_candidates() -> None:
    fault = Fault(Action.KILL, Target.OPERATOR, 0.0, 1.0, 7)
    assert fault.chosen(["a", "b", "c"]) == "b"
