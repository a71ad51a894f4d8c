"""`python -m tests.history`: what runs of CI met here: failures by name, and which story ran when.

`keep` adds the run that has just ended, from build/junit, and `--ended-in` names the command that
ended it. A failure is flaky when another run of the very same commit had that test and was green:
it is counted, never repeated away.
"""

import argparse
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from tests.lib.runs import JUNIT, Run, keep, kept, record, steps
from tests.lib.stamp import Stamp
from tests.story import STORIES, WAITING


@dataclass(slots=True)
class Failure:
    """What failed under one name, over all runs."""

    name: str
    times: int = 0
    flaky: int = 0
    last: str = ""


@dataclass(slots=True)
class Story:
    """How often a story ran, and how it ended when it ran last."""

    name: str
    runs: list[Run] = field(default_factory=list)

    def row(self) -> tuple[object, ...]:
        if not self.runs:
            return (self.name, 0, "", "", "never")
        last = self.runs[-1]
        assert last.story is not None
        how = "failed" if last.story.failed else "green"
        return self.name, len(self.runs), _when(last), f"{last.story.seconds:.0f} s", how


def failures(runs: Sequence[Run]) -> list[Failure]:
    """What failed, most often first."""
    found: dict[str, Failure] = {}
    for run in runs:
        for step, name in run.failed:
            one = found.setdefault(name, Failure(name))
            one.times += 1
            one.flaky += any(_green(other, run, step, name) for other in runs)
            one.last = _when(run)
    return sorted(found.values(), key=lambda one: (-one.times, one.name))


def _green(other: Run, run: Run, step: str, name: str) -> bool:
    """Whether another run of the same tree did not fail where this one did."""
    if other is run or other.stamp.changed or other.stamp.commit != run.stamp.commit:
        return False
    if not step:
        return not other.ended_in
    return any(one.name == step and name not in one.failed for one in other.steps)


def stories(runs: Sequence[Run]) -> list[Story]:
    """Each story with its runs, those of the rotation first."""
    found = {name: Story(name) for name in (*sorted(STORIES), *sorted(WAITING))}
    for run in runs:
        if run.story is not None and run.story.suite in found:
            found[run.story.suite].runs.append(run)
    return list(found.values())


def page(runs: Sequence[Run]) -> str:
    """Both tables as text."""
    green = sum(not run.ended_in for run in runs)
    blocks = [f"{len(runs)} runs, {green} of them green\n"]
    if failed := failures(runs):
        rows = [(one.times, one.flaky, one.last, one.name) for one in failed]
        blocks.append(_table(("FAILED", "FLAKY", "LAST", "NAME"), rows))
    head = ("STORY", "RUNS", "LAST", "TOOK", "RESULT")
    blocks.append(_table(head, [one.row() for one in stories(runs)]))
    if runs:
        took = [(step.name, step.passed, len(step.failed), f"{step.seconds:.0f} s")
                for step in runs[-1].steps]  # fmt: skip
        blocks.append(_table(("STEP", "PASSED", "FAILED", "TOOK"), took))
    return "\n".join(blocks)


def _when(run: Run) -> str:
    return f"{run.stamp.date} {run.stamp.commit}"


def _table(head: tuple[str, ...], rows: Sequence[tuple[object, ...]]) -> str:
    lines = [head, *(tuple(map(str, row)) for row in rows)]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]

    def padded(line: tuple[str, ...]) -> Iterator[str]:
        return (word.ljust(width) for word, width in zip(line, widths, strict=True))

    return "".join("  ".join(padded(line)).rstrip() + "\n" for line in lines)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.history", description=__doc__)
    parser.add_argument("what", nargs="?", choices=("show", "keep"), default="show")
    parser.add_argument("--ended-in", default="", help="the command that ended the run")
    chosen = parser.parse_args()
    if chosen.what == "keep":
        keep(Run(Stamp.now(), steps(JUNIT), chosen.ended_in), record())
    sys.stdout.write(page(kept(record())))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
