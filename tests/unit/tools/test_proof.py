"""The page of measured figures."""

import json
from pathlib import Path
from typing import Any

from tests.lib.stamp import Stamp
from tools import proof

RUN = {
    "commit": "0123456789ab",
    "changed": False,
    "date": "2026-01-02 03:04 UTC",
    "cores": 2,
    "memory_gib": 24,
    "kernel": "6.1.0",
    "load": 0.5,
}


def kept(tmp_path: Path, name: str, found: dict[str, Any]) -> str:
    (tmp_path / f"{name}.json").write_text(json.dumps({"run": RUN, **found}))
    return proof.page(tmp_path)


def test_a_stamp_says_what_the_page_tells() -> None:
    assert set(Stamp.now().as_json()) == set(RUN)


def test_a_run_that_was_not_kept_has_no_section(tmp_path: Path) -> None:
    assert proof.page(tmp_path) == proof.HEAD


def test_a_missed_budget_is_told(tmp_path: Path) -> None:
    figure = {
        "name": "no-op pass",
        "value": 3.0,
        "unit": "requests",
        "most": 0.0,
        "least": None,
        "within": False,
    }
    page = kept(tmp_path, "bench", {"figures": [figure]})
    assert "| no-op pass | 3 requests | at most 0 | missed |" in page
    assert "commit `0123456789ab`, 2 cores" in page


def test_a_choice_of_specs_is_not_called_the_suite(tmp_path: Path) -> None:
    runs = [{"name": "parallel", "passed": ["a"], "failed": [], "seconds": 120.0}]
    found = {"kubernetes": "1.35.8", "nodes": 2, "specs": 1, "passed": 1, "runs": runs}
    assert "a choice of" in kept(tmp_path, "conformance", {**found, "complete": False})
    assert "all conformance specs: **1 of 1**" in kept(
        tmp_path, "conformance", {**found, "complete": True}
    )


def test_what_did_not_hold_in_chaos_is_told(tmp_path: Path) -> None:
    client = {
        "acknowledged": 10,
        "failed": 1,
        "longest gap": 2.0,
        "commands": 3,
        "commands failed": 0,
    }
    blow = {"fault": "kill etcd", "gaps": {"single": 2.0}}
    found = {
        "seed": 7,
        "minutes": 5.0,
        "blows": [blow, {**blow, "gaps": {"single": 3.5}}],
        "clients": {"single": client},
        "problems": ["single: exec fails"],
    }
    page = kept(tmp_path, "chaos", found)
    assert "- single: exec fails" in page
    assert "| kill etcd | 2 | 3.5 s |" in page


def test_the_page_is_what_the_kept_results_say() -> None:
    if proof.PAGE.is_file():
        assert proof.PAGE.read_text() == proof.page(proof.KEPT)
