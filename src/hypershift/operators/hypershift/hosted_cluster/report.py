"""Operations by what their failure means: critical ones block others, the rest are gathered.

critical    its failure is the cluster's failure, and blocks what needs it
blockable   does not run after a critical failure
optional    runs whatever happened; its failure is told, and stops nothing
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from enum import Enum
from typing import Protocol, TypeVar

from hypershift.kit import TerminalError, TransientError, aggregate
from hypershift.runtime import Done, Outcome, Phase


class Weight(Enum):
    """What a failure means."""

    CRITICAL = "critical"
    BLOCKABLE = "blockable"
    OPTIONAL = "optional"


@dataclass(slots=True)
class Report:
    """How the operations of one pass went."""

    critical: list[Exception] = field(default_factory=list)
    others: list[Exception] = field(default_factory=list)
    blocked: list[str] = field(default_factory=list)

    @property
    def failed(self) -> bool:
        """Whether anything went wrong."""
        return bool(self.critical or self.others)

    @property
    def message(self) -> str:
        """What went wrong, in one line; critical failures alone when there are any."""
        if not self.critical:
            return aggregate(describe(error) for error in self.others)
        errors = aggregate(describe(error) for error in self.critical)
        blocked = f"; blocked operations: [{', '.join(sorted(set(self.blocked)))}]"
        return f"critical error: {errors}{blocked if self.blocked else ''}"

    def error(self) -> Exception | None:
        """The failure as the runtime takes it: one that waits for the user is not retried."""
        errors = self.critical or self.others
        if not errors:
            return None
        patient = all(isinstance(error, TerminalError) for error in errors)
        return (TerminalError if patient else TransientError)(self.message)


class HasReport(Protocol):
    """A scope whose operations are reported."""

    report: Report


S = TypeVar("S", bound=HasReport)
Operation = Callable[[S], Awaitable[Outcome | None]]


def operation(name: str, weight: Weight, run: Operation[S]) -> Phase[S]:
    """A phase that never ends the pass: its failure goes into the report."""

    async def phase(scope: S) -> Outcome:
        if weight is Weight.BLOCKABLE and scope.report.critical:
            scope.report.blocked.append(name)
            return Done()
        try:
            return await run(scope) or Done()
        except Exception as error:  # noqa: BLE001 - an operation's surprise is reported
            errors = scope.report.critical if weight is Weight.CRITICAL else scope.report.others
            errors.append(error)
            return Done()

    phase.__name__ = phase.__qualname__ = name
    return phase


def describe(error: BaseException) -> str:
    """An error in one line; a group shows its members."""
    if isinstance(error, BaseExceptionGroup):
        return aggregate(describe(inner) for inner in error.exceptions)
    return str(error) or type(error).__name__
