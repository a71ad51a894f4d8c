"""Members are defragmented when it is worth it, in turn, the leader last."""

import json
from datetime import timedelta
from typing import Any

from tests.lib.memory import MemoryClient
from tests.unit.component.clusters import NAMESPACE, NOW, a_view

from hypershift.controlplane.etcd import Defragmenter
from hypershift.kit import Manifest
from hypershift.kit.fragmentation import Endpoint, next_to_defragment
from hypershift.kube import ExecResult

VIEW = a_view(controllerAvailabilityPolicy="HighlyAvailable")
BIG, DENSE, HOLLOW = 200_000_000, 150_000_000, 50_000_000


def endpoint(member: int, used: int, size: int = BIG, leader: int = 1) -> Endpoint:
    return Endpoint(f"https://etcd-{member}", member, leader, size, used)


def test_dense_or_small_files_are_left_alone() -> None:
    dense = [endpoint(member, DENSE) for member in (1, 2, 3)]
    small = [endpoint(member, 1_000, 50_000_000) for member in (1, 2, 3)]
    assert next_to_defragment(dense, 3) is None
    assert next_to_defragment(small, 3) is None


def test_the_leader_comes_last() -> None:
    hollow = [endpoint(member, HOLLOW) for member in (1, 2, 3)]
    chosen = next_to_defragment(hollow, 3)
    assert chosen is not None
    assert chosen.member == 2
    alone = [endpoint(1, HOLLOW), endpoint(2, DENSE), endpoint(3, DENSE)]
    chosen = next_to_defragment(alone, 3)
    assert chosen is not None
    assert chosen.leads


def test_nothing_is_done_while_a_member_is_away_or_they_disagree() -> None:
    assert next_to_defragment([endpoint(2, HOLLOW), endpoint(3, HOLLOW)], 3) is None
    torn = [endpoint(1, HOLLOW), endpoint(2, HOLLOW, leader=2), endpoint(3, HOLLOW)]
    assert next_to_defragment(torn, 3) is None


class Etcd(MemoryClient):
    """Three members, all with holes in their files."""

    def __init__(self) -> None:
        super().__init__()
        self.commands: list[list[str]] = []
        metadata = {"name": "etcd", "namespace": NAMESPACE}
        counts: Manifest = {"spec": {"replicas": 3}, "status": {"readyReplicas": 3}}
        self.put({"apiVersion": "apps/v1", "kind": "StatefulSet", "metadata": metadata, **counts})

    async def exec(
        self, name: str, namespace: str, command: Any, *, container: str = "", stdin: bytes = b""
    ) -> ExecResult:
        del name, namespace, container, stdin
        self.commands.append(list(command))
        status = [
            {
                "Endpoint": f"https://etcd-{member}",
                "Status": {
                    "header": {"member_id": member},
                    "leader": 1,
                    "dbSize": BIG,
                    "dbSizeInUse": HOLLOW,
                },
            }
            for member in (1, 2, 3)
        ]
        return ExecResult(json.dumps(status).encode())


async def test_a_cluster_is_looked_at_every_ten_minutes() -> None:
    kube, keeper = Etcd(), Defragmenter()
    assert await keeper.visit(VIEW, kube, NOW) == ""
    assert await keeper.visit(VIEW, kube, NOW + timedelta(minutes=9)) == ""
    assert kube.commands == []
    assert await keeper.visit(VIEW, kube, NOW + timedelta(minutes=10)) == "https://etcd-2"
    named = [word for word in kube.commands[-1] if word.startswith("--endpoints")]
    assert named == ["--endpoints=https://etcd-2"]


async def test_members_are_given_a_rest_between_them() -> None:
    kube, keeper = Etcd(), Defragmenter()
    await keeper.visit(VIEW, kube, NOW)
    first = NOW + timedelta(minutes=10)
    await keeper.visit(VIEW, kube, first)
    kube.commands.clear()
    assert await keeper.visit(VIEW, kube, first + timedelta(seconds=30)) == ""
    assert kube.commands == []
    assert await keeper.visit(VIEW, kube, first + timedelta(seconds=36)) == "https://etcd-2"
