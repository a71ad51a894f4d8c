"""A restored cluster says when it works again."""

from typing import Any

import pytest
from tests.lib.memory import MemoryClient
from tests.unit.operators.guest_config.scopes import VALUES, a_node, a_scope

from hypershift.api import annotations
from hypershift.api.conditions import ControlPlaneCondition
from hypershift.kit import Key, Manifest
from hypershift.operators.guest_config.recovery import follow_recovery
from hypershift.operators.guest_config.scope import GuestScope
from hypershift.release import Product, Release
from hypershift.runtime import Wait

READY = {"status": {"conditions": [{"type": "Ready", "status": "True"}]}}
SPACE = "openshift-monitoring"


def restored(guest: MemoryClient, *nodes: Manifest) -> GuestScope:
    scope = a_scope(MemoryClient(), guest, *nodes)
    scope.object["metadata"]["annotations"] = {annotations.RESTORED_FROM_BACKUP: ""}
    return scope


def told(scope: GuestScope) -> tuple[str, str]:
    found = scope.conditions.get(ControlPlaneCondition.RESTORED_FROM_BACKUP) or {}
    return found.get("status", ""), found.get("message", "")


def an_addon(ready: int, wanted: int = 1) -> Manifest:
    status = {
        "observedGeneration": 1,
        "desiredNumberScheduled": wanted,
        "updatedNumberScheduled": ready,
        "numberReady": ready,
        "numberAvailable": ready,
    }
    return {
        "kind": "DaemonSet",
        "metadata": {"name": "kube-proxy", "generation": 1},
        "spec": {},
        "status": status,
    }


async def test_a_cluster_that_was_not_restored_says_nothing() -> None:
    scope = a_scope(MemoryClient(), MemoryClient())
    await follow_recovery(scope)
    assert told(scope) == ("", "")


@pytest.mark.parametrize(
    ("node", "addon", "expected"),
    [
        (a_node(), an_addon(1), ("False", "nodes that are not ready: n1")),
        (a_node() | READY, an_addon(0), ("False", "the cluster's own software is not complete")),
        (a_node() | READY, an_addon(1), ("True", "")),
    ],
)
async def test_it_works_when_its_nodes_and_its_software_do(
    node: Manifest, addon: Manifest, expected: tuple[str, str]
) -> None:
    scope = restored(MemoryClient(node), node)
    scope.applied = [addon]
    await follow_recovery(scope)
    assert told(scope) == expected


def an_openshift(*objects: Manifest) -> tuple[GuestScope, MemoryClient]:
    guest = MemoryClient(*objects)
    scope = restored(guest)
    scope.release = Release("4.21.0", Product.OPENSHIFT, VALUES.images, "r")
    return scope, guest


def an_object(kind: str, name: str, **fields: Any) -> Manifest:
    version = {"StatefulSet": "apps/v1"}.get(kind, "v1")
    metadata = {"name": name, "namespace": SPACE}
    return {"apiVersion": version, "kind": kind, "metadata": metadata} | fields


def prometheus(ready: int) -> Manifest:
    fields = {"spec": {"replicas": 2}, "status": {"readyReplicas": ready}}
    return an_object("StatefulSet", "prometheus-k8s", **fields)


async def test_openshifts_monitoring_gets_new_volumes_once() -> None:
    scope, guest = an_openshift(
        prometheus(0),
        an_object("PersistentVolumeClaim", "data-0"),
        an_object("Pod", "prometheus-k8s-0"),
    )
    assert isinstance(await follow_recovery(scope), Wait)
    assert told(scope)[0] == "False"
    assert guest.writes == [
        ("delete", "PersistentVolumeClaim", Key(SPACE, "data-0")),
        ("delete", "Pod", Key(SPACE, "prometheus-k8s-0")),
    ]
    guest.put(an_object("Pod", "prometheus-k8s-0"))
    await follow_recovery(scope)
    assert len(guest.writes) == 2
    guest.put(prometheus(2))
    await follow_recovery(scope)
    assert told(scope) == ("True", "")
