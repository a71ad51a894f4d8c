"""Operations that fail apart."""

from dataclasses import dataclass, field

import pytest

from hypershift.kit import InvalidSpec, TerminalError, TransientError
from hypershift.operators.hypershift.hosted_cluster.report import Report, Weight, operation
from hypershift.runtime import Done


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
    for number, (weight, step) in enumerate(steps):
        outcome = await operation(f"Step{number}", weight, step)(scope)  # type: ignore[arg-type]  # tests mix steps
        assert outcome == Done()
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


@pytest.mark.parametrize(
    ("steps", "kind"),
    [
        (((Weight.CRITICAL, refuses), (Weight.OPTIONAL, fails)), TerminalError),
        (((Weight.OPTIONAL, refuses), (Weight.OPTIONAL, fails)), TransientError),
        (((Weight.CRITICAL, refuses), (Weight.CRITICAL, fails)), TransientError),
    ],
)
async def test_only_what_waits_for_the_user_alone_is_not_tried_again(
    steps: tuple[tuple[Weight, object], ...], kind: type[Exception]
) -> None:
    scope = await run(*steps)
    assert isinstance(scope.report.error(), kind)


async def test_a_pass_without_failure_has_no_error() -> None:
    assert (await run((Weight.CRITICAL, works))).report.error() is None
