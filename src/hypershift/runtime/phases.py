"""The steps of a pass and how each may end: `Done`, `Wait` or `Stop`; errors are surprises.

A phase that fails raises, or returns an outcome with the `error` that forced it. Every error counts
in the metrics, and the pass is made again with backoff unless all errors wait for a user. What an
error means for later phases is declared: by the outcome, by a weight for an operation, by
`stop_on_error` for a controller.
"""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from enum import Enum
from typing import Generic, TypeVar

from hypershift.kit import TerminalError, aggregate

S = TypeVar("S")


@dataclass(frozen=True, slots=True)
class Done:
    """This phase has nothing left to do."""


@dataclass(frozen=True, slots=True)
class Wait:
    """The world needs time: look again after a while; the next phase runs."""

    reason: str
    after: timedelta
    message: str = ""
    error: Exception | None = None


@dataclass(frozen=True, slots=True)
class Stop:
    """The pass ends here; `after` asks for another look, else a change brings it back."""

    reason: str
    message: str = ""
    after: timedelta | None = None
    error: Exception | None = None


Outcome = Done | Wait | Stop
Phase = Callable[[S], Awaitable[Outcome]]


class Weight(Enum):
    """What the failure of an operation means for the others."""

    CRITICAL = "critical"  # it is the failure of the whole, and blocks what needs it
    BLOCKABLE = "blockable"  # it does not run after a critical failure
    OPTIONAL = "optional"  # it runs after any failure, and its own failure stops nothing


@dataclass(frozen=True, slots=True)
class Operation(Generic[S]):
    """A phase with a name for users, whose failure ends no pass, not even a terminal one."""

    name: str
    weight: Weight
    run: Callable[[S], Awaitable[Outcome | None]]

    @property
    def __name__(self) -> str:
        return self.name

    async def __call__(self, scope: S) -> Outcome:
        return await self.run(scope) or Done()


def operation(
    name: str, weight: Weight, run: Callable[[S], Awaitable[Outcome | None]]
) -> Operation[S]:
    """An operation, as tuples of phases write it; without a name it is blocked unsaid."""
    return Operation(name, weight, run)


@dataclass(slots=True)
class Report:
    """How one run of phases went."""

    waits: list[Wait] = field(default_factory=list)
    stop: Stop | None = None
    errors: list[Exception] = field(default_factory=list)
    critical: list[Exception] = field(default_factory=list)
    blocked: list[str] = field(default_factory=list)

    @property
    def finished(self) -> bool:
        """Every phase ran and none has anything left to do."""
        return not self.waits and self.stop is None and not self.errors

    @property
    def after(self) -> timedelta | None:
        """When to look again: the shortest of what the phases asked for."""
        asked = [wait.after for wait in self.waits]
        if self.stop is not None and self.stop.after is not None:
            asked.append(self.stop.after)
        return min(asked, default=None)

    @property
    def terminal(self) -> bool:
        """The object has to be changed before these errors go away: retrying cannot help."""
        return bool(self.errors) and all(isinstance(error, TerminalError) for error in self.errors)

    @property
    def error(self) -> BaseExceptionGroup[Exception] | None:
        """All errors of the pass as one."""
        return ExceptionGroup("phases failed", self.errors) if self.errors else None

    @property
    def message(self) -> str:
        """The errors in one line, for a condition; critical ones alone when there are any."""
        told = aggregate(describe(error) for error in self.critical or self.errors)
        if not self.critical:
            return told
        names = sorted({name for name in self.blocked if name})
        return f"critical error: {told}" + (
            f"; blocked operations: [{', '.join(names)}]" if names else ""
        )

    def add(self, phase: Phase[S], error: Exception) -> None:
        """Gather the error of a phase."""
        error.add_note(f"in phase {getattr(phase, '__name__', phase)}")
        self.errors.append(error)
        if isinstance(phase, Operation) and phase.weight is Weight.CRITICAL:
            self.critical.append(error)


def describe(error: BaseException) -> str:
    """An error in one line; a group shows its members."""
    if isinstance(error, BaseExceptionGroup):
        return aggregate(describe(inner) for inner in error.exceptions)
    return str(error) or type(error).__name__


async def run(phases: Sequence[Phase[S]], scope: S, *, stop_on_error: bool = False) -> Report:
    """Run phases in order.

    An error is gathered and the next phase still runs, unless the error is terminal or
    `stop_on_error` says that later phases must not run without the earlier ones (deletion). The
    error of an operation ends nothing; a critical one keeps blockable operations from running.
    """
    report = Report()
    for phase in phases:
        weight = phase.weight if isinstance(phase, Operation) else None
        if weight is Weight.BLOCKABLE and report.critical:
            report.blocked.append(getattr(phase, "__name__", ""))
            continue
        try:
            outcome = await phase(scope)
        except Exception as error:  # noqa: BLE001 (one phase's surprise is reported, not fatal)
            report.add(phase, error)
            if stop_on_error or (isinstance(error, TerminalError) and weight is None):
                return report
            continue
        if not isinstance(outcome, Done) and outcome.error is not None:
            report.add(phase, outcome.error)
        match outcome:
            case Wait():
                report.waits.append(outcome)
            case Stop():
                report.stop = outcome
                return report
            case Done():
                pass
    return report
