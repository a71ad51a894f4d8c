import json
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree as ET

import yaml
from tests.conformance.results import Run, Summary, merge, product, read_run

RUN = {"commit": "0123456789ab"}
REPORT = """\
<testsuites><testsuite name="Kubernetes e2e suite">
<testcase name="[It] one" status="passed" time="1.5"></testcase>
<testcase name="[It] two" status="failed" time="2"><failure message="no"></failure></testcase>
<testcase name="[It] left out" status="skipped" time="0"><skipped></skipped></testcase>
<testcase name="[SynchronizedBeforeSuite]" status="passed" time="1"></testcase>
</testsuite></testsuites>
"""


def report(tmp_path: Path, name: str = "junit.xml", text: str = REPORT) -> Path:
    path = tmp_path / name
    path.write_text(text)
    return path


def test_a_run_counts_the_specs_that_ran(tmp_path: Path) -> None:
    run = read_run("parallel", report(tmp_path), 12.34, 1)
    assert (run.passed, run.failed) == (("[It] one",), ("[It] two",))


def test_a_set_up_that_failed_counts(tmp_path: Path) -> None:
    text = REPORT.replace('Suite]" status="passed"', 'Suite]" status="failed"')
    assert "[SynchronizedBeforeSuite]" in read_run("a", report(tmp_path, text=text), 1, 1).failed


def test_reports_become_one(tmp_path: Path) -> None:
    merged = ET.fromstring(merge([report(tmp_path), report(tmp_path, "b.xml"), tmp_path / "no"]))  # noqa: S314 - ours
    (suite,) = merged
    assert [case.get("name") for case in suite] == ["[It] one", "[It] two"] * 2
    assert (merged.get("tests"), merged.get("failures"), merged.get("time")) == ("4", "2", "7.000")


def summary(*runs: Run, focus: str = "") -> Summary:
    return Summary("1.35.8", "0.1.0", 2, focus, "", RUN, runs)


def test_success_needs_specs_and_a_suite_that_ended_well() -> None:
    passed = Run("parallel", 1, 0, ("a",))
    assert summary(passed, Run("serial", 1, 0)).successful
    assert not summary(Run("parallel", 1, 0)).successful
    assert not summary(passed, Run("serial", 1, 197)).successful
    assert not summary(Run("parallel", 1, 1, ("a",), ("b",))).successful


def test_a_summary_says_whether_all_specs_were_asked_for() -> None:
    found = json.loads(summary(Run("parallel", 1, 0, ("a",)), focus="DNS").as_json())
    assert (found["specs"], found["passed"], found["complete"]) == (1, 1, False)


def test_other_specs_or_another_cluster_are_no_complete_run() -> None:
    run = Run("parallel", 1, 0, ("a",))
    plain = Summary("1.35.8", "0.1.0", 2, "", "", RUN, (run,))
    assert json.loads(plain.as_json())["complete"]
    assert not json.loads(replace(plain, labels="Feature:x").as_json())["complete"]
    assert not json.loads(replace(plain, cluster=("--default-dual",)).as_json())["complete"]


def test_the_product_is_described_as_certification_asks() -> None:
    required = {"vendor", "name", "version", "website_url", "documentation_url", "type"}
    assert required <= set(yaml.safe_load(product("0.1.0")))
