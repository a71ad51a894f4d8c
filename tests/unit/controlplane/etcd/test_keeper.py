"""A lost member is rebuilt by itself, once, and only when nothing is at risk."""

import json
from typing import Any

import pytest
from tests.lib.memory import MemoryClient
from tests.unit.component.clusters import NAMESPACE, a_view

from hypershift.controlplane.etcd import EtcdctlFailed, keep_members
from hypershift.controlplane.etcd.replacement import REPLACING
from hypershift.kit import Manifest
from hypershift.kube import ExecResult, kinds

VIEW = a_view(controllerAvailabilityPolicy="HighlyAvailable")


def namespaced(kind: str, name: str, **rest: Any) -> Manifest:
    version = "apps/v1" if kind == "StatefulSet" else "v1"
    metadata = {"name": name, "namespace": NAMESPACE}
    return {"apiVersion": version, "kind": kind, "metadata": metadata, **rest}


class Etcd(MemoryClient):
    """Three members on three nodes, with a member list that etcdctl works on."""

    def __init__(self, down: dict[int, str]) -> None:
        super().__init__()
        self.entries = {
            index + 10: f"https://etcd-{index}.etcd-discovery.{NAMESPACE}.svc:2380"
            for index in range(3)
        }
        self.names = {index + 10: f"etcd-{index}" for index in range(3)}
        self.commands: list[tuple[str, ...]] = []
        self.failing = ""
        status = {"readyReplicas": 3 - len(down)}
        self.put(namespaced("StatefulSet", "etcd", spec={"replicas": 3}, status=status))
        for index in range(3):
            self.member(index, down.get(index))

    def member(self, index: int, last_words: str | None) -> None:
        ready = "True" if last_words is None else "False"
        ended = {"terminated": {"message": last_words}}
        status = {
            "conditions": [{"type": "Ready", "status": ready}],
            "containerStatuses": [{"name": "etcd", "lastState": ended}],
        }
        expression = {"key": "kubernetes.io/hostname", "operator": "In", "values": [f"n{index}"]}
        affinity = {"required": {"nodeSelectorTerms": [{"matchExpressions": [expression]}]}}
        self.put(namespaced("Pod", f"etcd-{index}", status=status))
        claim = {"volumeName": f"pv{index}"}
        self.put(namespaced("PersistentVolumeClaim", f"data-etcd-{index}", spec=claim))
        volume = {
            "kind": "PersistentVolume",
            "apiVersion": "v1",
            "metadata": {"name": f"pv{index}"},
        }
        self.put({**volume, "spec": {"nodeAffinity": affinity}})
        self.put({"kind": "Node", "apiVersion": "v1", "metadata": {"name": f"n{index}"}})

    async def exec(
        self,
        name: str,
        namespace: str,
        command: Any,
        *,
        container: str = "",
        stdin: bytes = b"",
    ) -> ExecResult:
        del namespace, container, stdin
        words = tuple(word for word in command[1:] if not word.startswith("--"))
        self.commands.append((name, *words))
        if self.failing and self.failing in words:
            return ExecResult(stderr=b"unhealthy cluster", exit_code=1)
        match words:
            case ("member", "list"):
                return ExecResult(json.dumps({"members": self.listed()}).encode())
            case ("member", "remove", identity):
                del self.entries[int(identity, 16)], self.names[int(identity, 16)]
            case ("member", "add", added):
                peer = command[-1].removeprefix("--peer-urls=")
                self.entries[99], self.names[99] = peer, ""
                assert added in peer
            case _:
                raise AssertionError(words)
        return ExecResult()

    def listed(self) -> list[Manifest]:
        return [
            {"ID": identity, "name": self.names[identity], "peerURLs": [peer]}
            for identity, peer in self.entries.items()
        ]

    async def claims(self) -> set[str]:
        found = await self.list(kinds.PERSISTENT_VOLUME_CLAIM, NAMESPACE)
        return {claim["metadata"]["name"] for claim in found}


async def lose_node(kube: Etcd, name: str) -> None:
    await kube.delete(kinds.NODE, name)


async def test_nothing_is_asked_while_all_members_are_ready() -> None:
    kube = Etcd({})
    assert await keep_members(VIEW, kube) is None
    assert kube.commands == []


async def test_a_member_whose_node_is_only_silent_is_waited_for() -> None:
    kube = Etcd({1: ""})
    assert await keep_members(VIEW, kube) is None
    assert kube.writes == []


async def test_a_member_whose_node_is_deleted_is_rebuilt() -> None:
    kube = Etcd({1: ""})
    await lose_node(kube, "n1")
    rebuilt = await keep_members(VIEW, kube)
    assert rebuilt is not None
    assert (rebuilt.member, rebuilt.why) == ("etcd-1", "its disk went with node n1")
    assert kube.commands == [
        ("etcd-0", "member", "list"),
        ("etcd-0", "member", "remove", "b"),
        ("etcd-0", "member", "add", "etcd-1"),
    ]
    assert await kube.claims() == {"data-etcd-0", "data-etcd-2"}
    assert await kube.find(kinds.POD, "etcd-1", NAMESPACE) is None


async def test_a_node_out_of_service_counts_as_deleted() -> None:
    kube = Etcd({2: ""})
    node = await kube.get(kinds.NODE, "n2")
    taint = {"key": "node.kubernetes.io/out-of-service", "effect": "NoExecute"}
    kube.put({**node, "spec": {"taints": [taint]}})
    rebuilt = await keep_members(VIEW, kube)
    assert rebuilt is not None
    assert rebuilt.member == "etcd-2"


async def test_a_corrupt_member_is_rebuilt() -> None:
    kube = Etcd({0: '{"level":"fatal","msg":"walpb: crc mismatch"}'})
    rebuilt = await keep_members(VIEW, kube)
    assert rebuilt is not None
    assert rebuilt.why == "its data is corrupt"


async def test_without_a_quorum_of_the_others_nothing_is_touched() -> None:
    kube = Etcd({0: "", 1: "walpb: crc mismatch"})
    await lose_node(kube, "n0")
    assert await keep_members(VIEW, kube) is None
    assert kube.commands == []
    assert len(await kube.claims()) == 3


@pytest.mark.parametrize("step", ["remove", "add"])
async def test_a_rebuild_that_failed_halfway_is_resumed(step: str) -> None:
    kube = Etcd({1: ""})
    await lose_node(kube, "n1")
    kube.failing = step
    with pytest.raises(EtcdctlFailed, match="unhealthy cluster"):
        await keep_members(VIEW, kube)
    claim = await kube.get(kinds.PERSISTENT_VOLUME_CLAIM, "data-etcd-1", NAMESPACE)
    assert REPLACING in claim["metadata"]["annotations"]
    kube.failing = ""
    assert await keep_members(VIEW, kube) is not None
    assert sorted(kube.names.values()) == ["", "etcd-0", "etcd-2"]
    assert len(await kube.claims()) == 2


async def test_one_member_is_its_own_quorum_and_is_never_rebuilt() -> None:
    kube = Etcd({0: "walpb: crc mismatch"})
    assert await keep_members(a_view(), kube) is None
