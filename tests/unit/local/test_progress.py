from pathlib import Path

from hypershift.local.progress import Follower, Progress, sentence
from hypershift.local.status import age, machine_rows, rows
from hypershift.local.supervise.journal import Journal


def test_lines_carry_the_seconds_since_the_start() -> None:
    lines: list[str] = []
    ticks = iter((10.0, 12.5))
    say = Progress(lines.append, lambda: next(ticks))
    say("etcd ready")
    assert lines == ["[   2.5 s] etcd ready\n"]


def test_a_follower_tells_only_what_is_new(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "events", lambda: 1.0)
    journal.say("etcd", "started")
    follower = Follower.from_now(journal.path)
    assert follower.news() == []
    journal.say("etcd", "ready", seconds=0.5)
    assert [event["event"] for event in follower.news()] == ["ready"]
    assert follower.news() == []


def test_a_half_written_line_waits_for_its_rest(tmp_path: Path) -> None:
    path = tmp_path / "events"
    path.write_text('{"event": "a"}\n{"eve')
    follower = Follower(path)
    assert len(follower.news()) == 1
    with path.open("a") as file:
        file.write('nt": "b"}\n')
    assert follower.news() == [{"event": "b"}]


def test_events_become_sentences() -> None:
    assert sentence({"subject": "etcd", "event": "ready", "seconds": 0.4}) == "etcd ready (0.4 s)"
    assert sentence({"subject": "x", "event": "failed", "error": "why"}) == "x failed: why"
    assert sentence({"subject": "x", "event": "started"}) == ""


def test_the_status_is_a_table() -> None:
    unit = {"name": "etcd", "state": "ready", "pid": 7, "age": 200, "restarts": 0}
    unit |= {"memory": 50 << 20, "cpuSeconds": 1.25}
    machine = {**unit, "name": "m", "zone": "zone-a", "address": "10.80.0.10", "pid": 0}
    found = {"units": [unit], "machines": [machine], "supervisor": {"pid": 9, "memory": 1 << 20}}
    assert rows(found)[1] == ("etcd", "ready", "7", "3m", "0", "50Mi", "1.2s")
    assert rows(found)[3][0] == "supervisor"
    assert machine_rows(found)[1][2:4] == ("zone-a", "10.80.0.10")


def test_ages_are_written_as_kubectl_writes_them() -> None:
    assert [age(each) for each in (0, 5, 119, 120, 7200, 172800)] == [
        "-",
        "5s",
        "119s",
        "2m",
        "2h",
        "2d",
    ]
