"""When a member's disk may be thrown away: a table of what is seen, and what follows."""

from typing import Any

import pytest

from hypershift.controlplane.etcd.replacement import REPLACING, Member, replacement
from hypershift.kit import Manifest

NODES: dict[str, Manifest] = {f"node-{i}": {"metadata": {"name": f"node-{i}"}} for i in range(3)}
OUT: Manifest = {"spec": {"taints": [{"key": "node.kubernetes.io/out-of-service"}]}}
UNREACHABLE: Manifest = {"spec": {"taints": [{"key": "node.kubernetes.io/unreachable"}]}}
CORRUPT = "panic: wal: crc mismatch"


def member(index: int, *, ready: bool = True, **seen: Any) -> Member:
    """A member on a disk of its own node; `seen` is what is special about it."""
    ended = {"terminated": {"message": seen.get("message", "")}}
    pod: Manifest = {
        "status": {
            "conditions": [{"type": "Ready", "status": "True" if ready else "False"}],
            "containerStatuses": [{"name": "etcd", "lastState": ended}],
        }
    }
    claim: Manifest = {
        "metadata": {"annotations": {REPLACING: "true"} if seen.get("begun") else {}}
    }
    return Member(
        f"etcd-{index}",
        None if seen.get("no_pod") else pod,
        None if seen.get("no_claim") else claim,
        frozenset() if seen.get("moves") else frozenset({f"node-{index}"}),
    )


def without(*names: str, **others: Manifest) -> dict[str, Manifest]:
    changed = {name.replace("_", "-"): node for name, node in others.items()}
    return {name: node for name, node in {**NODES, **changed}.items() if name not in names}


GOOD = (member(0), member(1))
TABLE: dict[str, tuple[tuple[Member, ...], dict[str, Manifest], str]] = {
    "all are well": ((*GOOD, member(2)), NODES, ""),
    "not ready, node is there": ((*GOOD, member(2, ready=False)), NODES, ""),
    "node does not answer": (
        (*GOOD, member(2, ready=False)),
        without(node_2=UNREACHABLE),
        "",
    ),
    "node is deleted": ((*GOOD, member(2, ready=False)), without("node-2"), "etcd-2"),
    "node is out of service": ((*GOOD, member(2, ready=False)), without(node_2=OUT), "etcd-2"),
    "node is deleted, pod is gone": (
        (*GOOD, member(2, ready=False, no_pod=True)),
        without("node-2"),
        "etcd-2",
    ),
    "node is deleted, the disk moves": (
        (*GOOD, member(2, ready=False, moves=True)),
        without("node-2"),
        "",
    ),
    "node is deleted, the pod serves": ((*GOOD, member(2)), without("node-2"), ""),
    "data is corrupt": ((*GOOD, member(2, ready=False, message=CORRUPT)), NODES, "etcd-2"),
    "data was corrupt, it serves again": ((*GOOD, member(2, message=CORRUPT)), NODES, ""),
    "crashed for another reason": (
        (*GOOD, member(2, ready=False, message="bind: address in use")),
        NODES,
        "",
    ),
    "two are lost: no quorum": (
        (member(0), member(1, ready=False), member(2, ready=False)),
        without("node-1", "node-2"),
        "",
    ),
    "one is lost, one is away: no quorum": (
        (member(0), member(1, ready=False), member(2, ready=False, message=CORRUPT)),
        NODES,
        "",
    ),
    "no claim, nothing to delete": (
        (*GOOD, member(2, ready=False, no_claim=True)),
        without("node-2"),
        "",
    ),
    "a rebuild that was begun goes on": (
        (member(0), member(1, ready=False, begun=True), member(2)),
        NODES,
        "etcd-1",
    ),
    "one at a time: the one that was begun": (
        (member(0), member(1, begun=True), member(2, ready=False, message=CORRUPT)),
        NODES,
        "",
    ),
    "the only member": ((member(0, ready=False, message=CORRUPT),), NODES, ""),
}


@pytest.mark.parametrize(("members", "nodes", "chosen"), TABLE.values(), ids=TABLE.keys())
def test_the_member_to_rebuild(
    members: tuple[Member, ...], nodes: dict[str, Manifest], chosen: str
) -> None:
    found = replacement(members, nodes)
    assert (found[0].name if found else "") == chosen


@pytest.mark.parametrize(
    "said",
    [
        '{"msg":"discovery failed","error":"proto: negative length found during unmarshaling"}',
        '{"msg":"failed to read WAL, cannot be repaired","error":"unexpected EOF"}',
        '{"msg":"failed to repair WAL"}',
        '{"msg":"discovery failed","error":"proto: wrong wireType = 5 for field Crc"}',
        '{"msg":"discovery failed","error":"proto: Record: illegal tag 0 (wire type 0)"}',
        '{"msg":"discovery failed","error":"unexpected block type 7"}',
    ],
)
def test_whatever_changed_bytes_of_a_log_make_etcd_say_the_data_is_corrupt(said: str) -> None:
    assert member(2, ready=False, message=said).corrupt
