"""What runs of CI met, by name."""

import os
from dataclasses import replace
from pathlib import Path

import pytest
from tests.history import failures, page
from tests.lib.runs import Run, Step, keep, kept, steps
from tests.lib.stamp import Stamp

STAMP = Stamp("0123456789ab", changed=False, date="", cores=2, memory_gib=24, kernel="", load=0.0)
OTHER = replace(STAMP, commit="ba9876543210")
UNIT, TEST = Step("unit", "pytest", 9, 1, 60.0), "tests.unit.test_a::test_b"
RED = replace(UNIT, passed=8, failed=(TEST,))
JUNIT = """<?xml version="1.0" encoding="utf-8"?>
<testsuites><testsuite name="tenants" errors="1" failures="1" skipped="1" tests="5" time="12.500">
<testcase classname="tests.a" name="test_good" time="1"/>
<testcase classname="tests.a" name="test_bad[1]" time="1"><failure message="no"/></testcase>
<testcase classname="tests.a" name="test_left" time="1"><skipped message="later"/></testcase>
<testcase classname="tests.a" name="test_torn" time="1"/>
<testcase classname="tests.a" name="test_torn" time="1"><error message="left"/></testcase>
</testsuite></testsuites>
"""


def test_a_step_is_read_from_what_pytest_wrote(tmp_path: Path) -> None:
    (tmp_path / "story.xml").write_text(JUNIT)
    (step,) = steps(tmp_path)
    assert step == Step(
        "story", "tenants", 1, 1, 12.5, ("tests.a::test_bad[1]", "tests.a::test_torn")
    )


def test_steps_come_in_the_order_in_which_they_ended(tmp_path: Path) -> None:
    for second, name in enumerate(("unit", "integration", "e2e")):
        (tmp_path / f"{name}.xml").write_text(JUNIT)
        os.utime(tmp_path / f"{name}.xml", (second, second))
    assert [step.name for step in steps(tmp_path)] == ["unit", "integration", "e2e"]


def test_what_is_kept_is_read_again(tmp_path: Path) -> None:
    path, runs = tmp_path / "new" / "runs.jsonl", [Run(STAMP, (UNIT,)), Run(OTHER, (), "make demo")]
    assert kept(path) == []
    for run in runs:
        keep(run, path)
    assert kept(path) == runs


def test_a_line_of_another_version_is_passed_over(tmp_path: Path) -> None:
    path = tmp_path / "runs.jsonl"
    path.write_bytes(b'{"stamp": 1}\n{"half')
    assert kept(path) == []
    path.write_bytes(b'{"stamp": 1}\n')
    keep(Run(STAMP, (UNIT,)), path)
    assert kept(path) == [Run(STAMP, (UNIT,))]


def test_failures_are_counted_by_name() -> None:
    runs = [Run(STAMP, (RED,), "make test"), Run(OTHER, (RED,), "make test"), Run(OTHER, (UNIT,))]
    (one,) = failures(runs)
    assert (one.name, one.times, one.flaky) == (TEST, 2, 1)


@pytest.mark.parametrize(
    "other",
    [
        Run(OTHER, (UNIT,)),
        Run(replace(STAMP, changed=True), (UNIT,)),
        Run(STAMP, (replace(UNIT, name="e2e"),)),
        Run(STAMP, (RED,), "make test"),
    ],
    ids=["another commit", "a changed tree", "another step", "failed again"],
)
def test_only_the_same_test_of_the_same_commit_makes_a_failure_flaky(other: Run) -> None:
    runs = [Run(STAMP, (RED,), "make test"), other]
    assert sum(one.flaky for one in failures(runs)) == 0


def test_a_command_without_tests_is_counted_by_its_name() -> None:
    runs = [Run(STAMP, (UNIT,), "make demo"), Run(STAMP, (UNIT,))]
    (one,) = failures(runs)
    assert (one.name, one.times, one.flaky) == ("make demo", 1, 1)


def test_the_page_tells_both() -> None:
    story = Step("story", "tenants", 7, 0, 240.0)
    told = page([Run(STAMP, (RED,), "make test"), Run(OTHER, (UNIT, story))])
    assert "2 runs, 1 of them green" in told
    assert f"1       0      {STAMP.date} {STAMP.commit}  {TEST}\n" in told
    assert any(
        line.split() == ["tenants", "1", OTHER.commit, "240", "s", "green"]
        for line in told.splitlines()
    )
    assert "zones" in told
