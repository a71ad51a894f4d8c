"""Machines of spot instances that AWS takes back are deleted, and no others."""

import asyncio
from typing import Any

from tests.lib.memory import MemoryClient
from tests.unit.operators.guest_config.scopes import a_node, a_scope

from hypershift.api import annotations, labels
from hypershift.kit import Manifest
from hypershift.kube import kinds
from hypershift.operators.guest_config.reclaimed import replace_reclaimed

NOTICE = "aws-node-termination-handler/spot-itn"
SPOT = {labels.INTERRUPTIBLE_INSTANCE: ""}


def tainted(name: str, key: str = NOTICE) -> Manifest:
    return a_node(name=name) | {"spec": {"taints": [{"key": key, "effect": "NoSchedule"}]}}


def machine(name: str, **metadata: Any) -> Manifest:
    return {
        "apiVersion": kinds.MACHINE.api_version,
        "kind": "Machine",
        "metadata": {"name": f"m-{name}", "namespace": "clusters-demo", "uid": name} | metadata,
        "status": {"nodeRef": {"name": name}},
    }


def left(kube: MemoryClient, *nodes: Manifest, platform: str = "AWS") -> set[str]:
    scope = a_scope(kube, MemoryClient(), *nodes)
    scope.object["spec"]["platform"] = {"type": platform}
    asyncio.run(replace_reclaimed(scope))
    found = asyncio.run(kube.list(kinds.MACHINE, "clusters-demo"))
    return {each["metadata"]["name"] for each in found}


def test_a_spot_instance_with_a_notice_is_replaced() -> None:
    kube = MemoryClient(machine("n1", labels=SPOT), machine("n2", labels=SPOT))
    assert left(kube, tainted("n1"), a_node(name="n2")) == {"m-n2"}


class Held(MemoryClient):
    """Machines stay while their instances are shut down."""

    async def delete(self, *_: Any, **__: Any) -> None:
        return None


def test_the_machine_says_why_it_goes() -> None:
    kube = Held(machine("n1", labels=SPOT))
    assert left(kube, tainted("n1")) == {"m-n1"}
    [found] = asyncio.run(kube.list(kinds.MACHINE, "clusters-demo"))
    assert found["metadata"]["annotations"] == {annotations.SPOT_INTERRUPTION_SIGNAL: NOTICE}


def test_a_machine_that_goes_already_is_left_alone() -> None:
    kube = Held(machine("n1", labels=SPOT, deletionTimestamp="2026-01-01T00:00:00Z"))
    assert left(kube, tainted("n1")) == {"m-n1"}
    [found] = asyncio.run(kube.list(kinds.MACHINE, "clusters-demo"))
    assert "annotations" not in found["metadata"]


def test_an_instance_on_demand_stays_whatever_its_node_says() -> None:
    kube = MemoryClient(machine("n1"))
    assert left(kube, tainted("n1")) == {"m-n1"}


def test_other_taints_and_other_clouds_change_nothing() -> None:
    kube = MemoryClient(machine("n1", labels=SPOT))
    assert left(kube, tainted("n1", "node.kubernetes.io/unreachable")) == {"m-n1"}
    assert left(kube, tainted("n1"), platform="Local") == {"m-n1"}
