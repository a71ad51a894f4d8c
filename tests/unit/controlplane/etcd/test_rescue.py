"""What helps an etcd without a quorum: a table of what is seen, and what follows."""

from typing import Any

import pytest

from hypershift.controlplane.etcd.replacement import Member
from hypershift.controlplane.etcd.rescue import (
    EMPTIED,
    RESCUED,
    Finding,
    Known,
    Seen,
    State,
    finding,
    seen,
)
from hypershift.kit import Manifest

CORRUPT = "panic: wal: crc mismatch"
OLD, NEW = Known(term=3, index=90, revision=70), Known(term=3, index=99, revision=75)


def one(index: int, state: str = "silent", known: Known | None = None, **marks: str) -> Seen:
    """A member: `ready`, `silent`, `lost` or `corrupt`."""
    ended = {"terminated": {"message": CORRUPT if state == "corrupt" else ""}}
    pod: Manifest = {
        "status": {
            "conditions": [{"type": "Ready", "status": "True" if state == "ready" else "False"}],
            "containerStatuses": [{"name": "etcd", "lastState": ended}],
        }
    }
    named = {RESCUED: marks.get("rescued"), EMPTIED: marks.get("emptied")}
    claim: Manifest = {"metadata": {"annotations": {k: v for k, v in named.items() if v}}}
    member = Member(f"etcd-{index}", pod, claim, frozenset({f"node-{index}"}))
    nodes: dict[str, Manifest] = {} if state == "lost" else {f"node-{index}": {}}
    return seen(member, nodes, known, ())


TABLE: dict[str, tuple[tuple[Seen, ...], Finding]] = {
    "all serve": (tuple(one(i, "ready") for i in range(3)), Finding(State.WHOLE)),
    "a quorum serves": (
        (one(0, "ready"), one(1, "ready"), one(2)),
        Finding(State.SERVES),
    ),
    "a quorum serves, one is lost": (
        (one(0, "ready"), one(1, "ready"), one(2, "lost")),
        Finding(State.SERVES, rebuilt=("etcd-2",)),
    ),
    "two are away and may come back": (
        (one(0, known=NEW), one(1), one(2)),
        Finding(State.WAITS, awaited=("etcd-1", "etcd-2")),
    ),
    "one is lost, one may come back": (
        (one(0, known=NEW), one(1, "lost"), one(2)),
        Finding(State.WAITS, awaited=("etcd-2",)),
    ),
    "two answer and have not found each other": (
        (one(0, known=NEW), one(1, known=OLD), one(2, "lost")),
        Finding(State.WAITS),
    ),
    "two are lost for good": (
        (one(0, "corrupt"), one(1, known=OLD), one(2, "lost")),
        Finding(State.RESCUABLE, "etcd-1", ("etcd-0", "etcd-2")),
    ),
    "two are lost, the third does not answer": (
        (one(0, "corrupt"), one(1), one(2, "lost")),
        Finding(State.WAITS, awaited=("etcd-1",)),
    ),
    "all are lost": (tuple(one(i, "lost") for i in range(3)), Finding(State.HOPELESS)),
    "three of five are lost: the newer of two": (
        (
            one(0, "lost"),
            one(1, known=OLD),
            one(2, "lost"),
            one(3, known=NEW),
            one(4, "corrupt"),
        ),
        Finding(State.RESCUABLE, "etcd-3", ("etcd-0", "etcd-1", "etcd-2", "etcd-4")),
    ),
    "a rescue was interrupted before the disks were emptied": (
        (one(0, emptied="x"), one(1, rescued="x"), one(2, "lost", emptied="x")),
        Finding(State.RESCUABLE, "etcd-1", ("etcd-0", "etcd-2")),
    ),
    "a rescue was interrupted after one disk was": (
        (one(0), one(1, rescued="x"), one(2, "lost", emptied="x")),
        Finding(State.RESCUABLE, "etcd-1", ("etcd-2",)),
    ),
    "a rescue was interrupted before the mark was taken away": (
        (one(0, "ready"), one(1, "ready", rescued="x"), one(2, "ready")),
        Finding(State.RESCUABLE, "etcd-1", ()),
    ),
}


@pytest.mark.parametrize("case", TABLE)
def test_what_helps(case: str) -> None:
    members, wanted = TABLE[case]
    assert finding(members) == wanted


def test_what_the_user_gives_up_is_lost_unless_it_serves() -> None:
    silent, ready = one(0).member, one(1, "ready").member
    nodes: dict[str, Any] = {"node-0": {}, "node-1": {}}
    both = ("etcd-0", "etcd-1")
    assert seen(silent, nodes, None, both).lost == "you gave it up"
    assert seen(ready, nodes, None, both).lost == ""


def test_members_are_described() -> None:
    assert str(one(0, "ready")) == "etcd-0: serves"
    assert str(one(1, known=OLD)) == "etcd-1: answers without a quorum, at revision 70"
    assert str(one(2)) == "etcd-2: does not answer (node node-2)"
    assert str(one(2, "corrupt")) == "etcd-2: lost, its data is corrupt"
