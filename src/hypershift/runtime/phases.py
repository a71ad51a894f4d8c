"""The steps of a pass and how each may end: `Done`, `Wait` or `Stop`; errors are surprises."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from typing import TypeVar

from hypershift.kit import TerminalError

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


@dataclass(frozen=True, slots=True)
class Stop:
    """The pass ends here; `after` asks for another look, else a change brings it back."""

    reason: str
    message: str = ""
    after: timedelta | None = None


Outcome = Done | Wait | Stop
Phase = Callable[[S], Awaitable[Outcome]]


@dataclass(slots=True)
class Report:
    """How one run of phases went."""

    waits: list[Wait] = field(default_factory=list)
    stop: Stop | None = None
    errors: list[Exception] = field(default_factory=list)

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
        """The errors wait for somebody to change the object: retrying cannot help."""
        return bool(self.errors) and all(isinstance(error, TerminalError) for error in self.errors)

    @property
    def error(self) -> BaseExceptionGroup[Exception] | None:
        """All errors of the pass as one."""
        return ExceptionGroup("phases failed", self.errors) if self.errors else None

    @property
    def message(self) -> str:
        """The errors in one line, for a condition."""
        return "; ".join(str(error) or type(error).__name__ for error in self.errors)


async def run(phases: Sequence[Phase[S]], scope: S, *, stop_on_error: bool = False) -> Report:
    """Run phases in order.

    An error is gathered and the next phase still runs, unless the error is terminal or
    `stop_on_error` says that later phases must not run without the earlier ones (deletion).
    """
    report = Report()
    for phase in phases:
        try:
            outcome = await phase(scope)
        except Exception as error:  # noqa: BLE001 (one phase's surprise is reported, not fatal)
            error.add_note(f"in phase {getattr(phase, '__name__', phase)}")
            report.errors.append(error)
            if stop_on_error or isinstance(error, TerminalError):
                return report
            continue
        match outcome:
            case Wait():
                report.waits.append(outcome)
            case Stop():
                report.stop = outcome
                return report
            case Done():
                pass
    return report
