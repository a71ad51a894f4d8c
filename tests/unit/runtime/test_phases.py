"""How a run of phases goes on, waits, stops, and gathers its surprises."""

from collections.abc import Awaitable, Callable
from datetime import timedelta

from hypershift.kit import InvalidSpec
from hypershift.runtime import Done, Outcome, Stop, Wait
from hypershift.runtime.phases import run

Calls = list[str]


def phase(name: str, outcome: Outcome | Exception) -> Callable[[Calls], Awaitable[Outcome]]:
    async def step(calls: Calls) -> Outcome:
        calls.append(name)
        if isinstance(outcome, Exception):
            raise outcome
        return outcome

    step.__name__ = name
    return step


def wait(seconds: int) -> Wait:
    return Wait("Later", after=timedelta(seconds=seconds))


async def test_done_and_wait_let_the_next_phase_run() -> None:
    calls: Calls = []
    report = await run((phase("a", Done()), phase("b", wait(9)), phase("c", wait(4))), calls)
    assert calls == ["a", "b", "c"]
    assert report.after == timedelta(seconds=4)
    assert not report.finished


async def test_stop_ends_the_pass() -> None:
    calls: Calls = []
    stop = Stop("NotYet", after=timedelta(seconds=2))
    report = await run((phase("a", wait(9)), phase("b", stop), phase("c", Done())), calls)
    assert calls == ["a", "b"]
    assert report.stop == stop
    assert report.after == timedelta(seconds=2)


async def test_errors_are_gathered_and_name_their_phase() -> None:
    calls: Calls = []
    steps = (phase("a", ValueError("one")), phase("b", KeyError("two")), phase("c", Done()))
    report = await run(steps, calls)
    assert calls == ["a", "b", "c"]
    assert report.error is not None
    assert len(report.error.exceptions) == 2
    assert report.errors[0].__notes__ == ["in phase a"]
    assert "one" in report.message


async def test_an_invalid_spec_ends_the_pass() -> None:
    calls: Calls = []
    report = await run((phase("a", InvalidSpec("no")), phase("b", Done())), calls)
    assert calls == ["a"]
    assert report.terminal


async def test_in_deletion_the_first_error_ends_the_pass() -> None:
    calls: Calls = []
    steps = (phase("a", ValueError("one")), phase("b", Done()))
    report = await run(steps, calls, stop_on_error=True)
    assert calls == ["a"]
    assert not report.terminal


async def test_all_done_is_finished() -> None:
    report = await run((phase("a", Done()),), [])
    assert report.finished
    assert report.after is None


async def test_an_outcome_that_an_error_forced_counts_as_failed() -> None:
    error, calls = OSError("no route"), list[str]()
    forced = Wait("Unavailable", after=timedelta(seconds=5), error=error)
    report = await run((phase("a", forced), phase("b", Done())), calls)
    assert calls == ["a", "b"]
    assert (report.errors, report.after) == ([error], timedelta(seconds=5))


async def test_a_stop_that_an_error_forced_ends_the_pass_and_counts() -> None:
    error, calls = OSError("no route"), list[str]()
    stop = Stop("Unavailable", error=error)
    report = await run((phase("a", stop), phase("b", Done())), calls)
    assert calls == ["a"]
    assert report.errors == [error]
