"""What runs of CI met, out of the JUnit files that pytest left; kept beside the cache of parts.

A clone of CI is thrown away after a run, the cache is not: so the record of a run lies there, one
line of JSON each.
"""

import os
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree as ET

import msgspec
from tests.lib.stamp import Stamp

from hypershift.parts.settings import cache_directory

JUNIT = Path("build/junit")
#: The step whose suite bears the name of the story that it ran.
STORY = "story"


@dataclass(frozen=True, slots=True)
class Step:
    """One call of pytest."""

    name: str
    suite: str
    passed: int
    skipped: int
    seconds: float
    #: Tests that failed, or whose setup or teardown did.
    failed: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Run:
    """One run of CI."""

    stamp: Stamp
    steps: tuple[Step, ...]
    #: The command that ended the run before its end; empty when all of them were green.
    ended_in: str = ""

    @property
    def failed(self) -> Iterator[tuple[str, str]]:
        """Yield step and name of what failed; the command where no test did."""
        yield from ((step.name, name) for step in self.steps for name in step.failed)
        if self.ended_in and not any(step.failed for step in self.steps):
            yield "", self.ended_in

    @property
    def story(self) -> Step | None:
        """The story of this run, if it came to one."""
        return next((step for step in self.steps if step.name == STORY), None)


def record() -> Path:
    """Where runs are kept."""
    return cache_directory(os.environ) / "runs.jsonl"


def keep(run: Run, path: Path) -> None:
    """Add a run to those that are kept."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("ab") as file:
        file.write(msgspec.json.encode(run) + b"\n")


def kept(path: Path) -> list[Run]:
    """The runs that were kept, oldest first, but for what another version or half a write left."""
    found = []
    for line in path.read_bytes().splitlines() if path.is_file() else ():
        with suppress(msgspec.DecodeError):
            found.append(msgspec.json.decode(line, type=Run))
    return found


def steps(folder: Path) -> tuple[Step, ...]:
    """The steps whose results lie in a folder, in the order in which they ended."""
    files = sorted(folder.glob("*.xml"), key=lambda path: path.stat().st_mtime)
    return tuple(_step(path) for path in files)


def _step(path: Path) -> Step:
    (suite,) = ET.parse(path).getroot().iter("testsuite")  # noqa: S314 - pytest wrote it here
    cases = list(suite.iter("testcase"))
    failed = {_name(case): None for case in cases if _is(case, "failure", "error")}
    skipped = sum(_is(case, "skipped") for case in cases)
    return Step(
        path.stem,
        suite.get("name", ""),
        len({_name(case) for case in cases}) - len(failed) - skipped,
        skipped,
        float(suite.get("time", "0")),
        tuple(failed),
    )


def _is(case: ET.Element, *kinds: str) -> bool:
    return any(case.find(kind) is not None for kind in kinds)


def _name(case: ET.Element) -> str:
    return f"{case.get('classname')}::{case.get('name')}"
