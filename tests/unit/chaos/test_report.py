"""The report of a run."""

from tests.chaos.report import Blow, Report


def test_the_longest_silence_of_each_kind_is_told_by_cluster() -> None:
    report = Report(7, 1.0)
    report.blows = [
        Blow("kill etcd", "etcd-0", 1.0, 0.0, {"single": 2.5, "available": 0.1}),
        Blow("kill etcd", "etcd-1", 9.0, 0.0, {"single": 0.2, "available": 0.4}),
    ]
    row = next(line for line in str(report).splitlines() if "kill etcd" in line)
    assert row.split() == ["kill", "etcd", "2", "0.4", "s", "2.5", "s"]


def test_what_did_not_hold_is_told_by_name() -> None:
    report = Report(7, 1.0, problems=["single: 2 acknowledged writes are lost"])
    assert "PROBLEM single: 2 acknowledged writes are lost" in str(report)
