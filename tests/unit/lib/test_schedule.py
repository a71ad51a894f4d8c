"""Schedules repeat themselves, shrink, and name the command that plays them again."""

import pytest
from tests.lib.sim import mutants, schedule


@pytest.mark.parametrize("seed", [1, 4])
def test_the_same_seed_gives_the_same_trace_byte_for_byte(seed: int) -> None:
    first, second = schedule.run(seed), schedule.run(seed)
    assert first.trace == second.trace
    assert first.trace.count("\n") > 50


def test_another_seed_gives_another_trace() -> None:
    assert schedule.run(1).digest != schedule.run(2).digest


def test_a_failing_seed_shrinks_to_fewer_faults_and_names_its_replay() -> None:
    make = mutants.MUTANTS["no_finalizer"]
    failed = next(result for seed in range(20) if not (result := schedule.run(seed, make)).passed)
    shrunk = schedule.shrink(failed, make)
    assert not shrunk.passed
    assert shrunk.faults == ()
    text = schedule.explain(shrunk)
    assert f"python -m tests.lib.sim --seed {failed.seed}" in text


def test_the_command_line_plays_seeds(capsys: pytest.CaptureFixture[str]) -> None:
    assert schedule.main(["--seed", "3", "--trace"]) == 0
    assert "1 of 1 seeds passed" in capsys.readouterr().out
