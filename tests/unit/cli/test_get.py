"""What `get` prints."""

from typing import Any

import pytest

from hypershift.cli.get import COMMAND
from hypershift.cli.get.listings import LISTINGS, rows
from hypershift.cli.get.releases import gathered
from hypershift.cli.get.show import Printed

[CLUSTERS] = [each for each in LISTINGS if each.word == "clusters"]


def a_cluster(name: str = "demo", *, available: str = "False") -> dict[str, Any]:
    state = {"type": "Available", "status": available, "reason": "EtcdWaiting"}
    conditions = [state | {"message": "Waiting for etcd"}]
    history = [{"image": "r:1", "version": "1.35.8", "state": "Completed"}]
    return {
        "metadata": {
            "name": name,
            "namespace": "clusters",
            "creationTimestamp": "2026-01-01T00:00:00Z",
        },
        "spec": {"platform": {"type": "Local"}, "release": {"image": "r:1"}},
        "status": {"conditions": conditions, "version": {"history": history}},
    }


def test_a_wide_table_says_what_is_waited_for() -> None:
    header, [row] = rows(CLUSTERS, [a_cluster()], "wide")
    assert row[header.index("MESSAGE")] == "Waiting for etcd"
    assert "MESSAGE" not in rows(CLUSTERS, [a_cluster()], "table")[0]


def test_a_watch_prints_a_change_once(capsys: pytest.CaptureFixture[str]) -> None:
    printed = Printed(CLUSTERS, "table")
    for available in ("False", "False", "True"):
        printed.one("MODIFIED", a_cluster(available=available))
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 2
    assert "True" in lines[1]


def test_a_watch_says_what_was_deleted(capsys: pytest.CaptureFixture[str]) -> None:
    Printed(CLUSTERS, "table").one("DELETED", a_cluster())
    assert capsys.readouterr().out.endswith("(deleted)\n")


def test_a_watch_can_be_read_by_programs(capsys: pytest.CaptureFixture[str]) -> None:
    Printed(CLUSTERS, "yaml").one("ADDED", a_cluster())
    assert capsys.readouterr().out.startswith("---\n")


def test_releases_are_those_offered_and_those_in_use() -> None:
    pool = {
        "metadata": {"name": "old", "namespace": "clusters"},
        "spec": {"release": {"image": "r:0"}},
        "status": {"version": "1.34.10"},
    }
    found = gathered([a_cluster()], [pool], {"r:2": "1.36.0"})
    assert [(each.image, each.version) for each in found] == [
        ("r:0", "1.34.10"),
        ("r:1", "1.35.8"),
        ("r:2", "1.36.0"),
    ]
    assert found[1].clusters == ["clusters/demo"]
    assert found[0].pools == ["clusters/old"]


def test_a_wide_table_names_the_reason() -> None:
    header, [row] = rows(CLUSTERS, [a_cluster()], "wide")
    assert row[header.index("REASON")] == "EtcdWaiting"


@pytest.mark.parametrize(
    ("word", "meant"), [("hc", "clusters"), ("cluster", "clusters"), ("np", "nodepools")]
)
def test_a_kind_is_known_by_its_singular_and_its_short_name(word: str, meant: str) -> None:
    found = COMMAND.child(word)
    assert found is not None
    assert found.name == meant
