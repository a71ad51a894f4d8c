"""Operations that fail apart."""

from dataclasses import dataclass, field

import pytest

from hypershift.kit import InvalidSpec
from hypershift.runtime import Report, Weight, operation, phases
from hypershift.runtime.phases import Operation


@dataclass
class Scope:
    report: Report = field(default_factory=Report)
    ran: list[str] = field(default_factory=list)


async def works(scope: Scope) -> None:
    scope.ran.append("works")


async def fails(scope: Scope) -> None:
    del scope
    raise RuntimeError("no")


async def refuses(scope: Scope) -> None:
    del scope
    raise InvalidSpec("bad")


async def run(*steps: tuple[Weight, object]) -> Scope:
    scope = Scope()
    named: list[Operation[Scope]] = [
        operation(f"Step{number}", weight, step)  # type: ignore[arg-type]  # tests mix steps
        for number, (weight, step) in enumerate(steps)
    ]
    scope.report = await phases.run(named, scope)
    return scope


async def test_a_critical_failure_blocks_what_needs_it_and_names_it() -> None:
    scope = await run((Weight.CRITICAL, fails), (Weight.BLOCKABLE, works))
    assert scope.ran == []
    assert scope.report.message == "critical error: no; blocked operations: [Step1]"


async def test_an_optional_failure_stops_nothing() -> None:
    scope = await run((Weight.OPTIONAL, fails), (Weight.BLOCKABLE, works))
    assert scope.ran == ["works"]
    assert scope.report.message == "no"


async def test_optional_and_critical_steps_run_after_a_critical_failure() -> None:
    scope = await run((Weight.CRITICAL, fails), (Weight.OPTIONAL, works), (Weight.CRITICAL, works))
    assert scope.ran == ["works", "works"]


async def test_an_operation_without_a_name_is_blocked_unsaid() -> None:
    steps = [operation("", Weight.CRITICAL, fails), operation("", Weight.BLOCKABLE, works)]
    scope = Scope()
    assert (await phases.run(steps, scope)).message == "critical error: no"
    assert scope.ran == []


@pytest.mark.parametrize(
    ("steps", "waits"),
    [
        (((Weight.CRITICAL, refuses), (Weight.OPTIONAL, refuses)), True),
        (((Weight.OPTIONAL, refuses), (Weight.OPTIONAL, fails)), False),
        (((Weight.CRITICAL, refuses), (Weight.CRITICAL, fails)), False),
    ],
)
async def test_only_what_waits_for_the_user_alone_is_not_tried_again(
    steps: tuple[tuple[Weight, object], ...], *, waits: bool
) -> None:
    assert (await run(*steps)).report.terminal is waits


async def test_each_failure_is_an_error_of_the_pass_and_names_its_operation() -> None:
    report = (await run((Weight.CRITICAL, fails), (Weight.OPTIONAL, refuses))).report
    assert [error.__notes__ for error in report.errors] == [["in phase Step0"], ["in phase Step1"]]


async def test_a_pass_without_failure_has_no_error() -> None:
    assert (await run((Weight.CRITICAL, works))).report.error is None
