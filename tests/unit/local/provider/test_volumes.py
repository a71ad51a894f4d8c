"""Volumes of a hosted cluster's claims, on its own machines alone."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

from tests.lib.memory import MemoryClient
from tests.unit.local.provider.test_balancer import a_scope

from hypershift.kit import Manifest
from hypershift.kube import kinds
from hypershift.local.controllers.storage import PROVISIONER, SELECTED_NODE
from hypershift.local.provider.fleet import Fleet
from hypershift.local.provider.volumes import provide_volumes, var_of

CLASS: Manifest = {
    "apiVersion": "storage.k8s.io/v1",
    "kind": "StorageClass",
    "metadata": {"name": "local"},
    "provisioner": PROVISIONER,
    "reclaimPolicy": "Delete",
}


def a_claim(node: str = "worker-1") -> Manifest:
    return {
        "apiVersion": "v1",
        "kind": "PersistentVolumeClaim",
        "metadata": {
            "name": "data",
            "namespace": "shop",
            "uid": "0123456789",
            "annotations": {SELECTED_NODE: node},
        },
        "spec": {
            "storageClassName": "local",
            "accessModes": ["ReadWriteOnce"],
            "resources": {"requests": {"storage": "1Gi"}},
        },
    }


def a_fleet(root: Path, *names: str) -> Fleet:
    """Machines by the names that they have on the host."""
    machines = []
    for name in names:
        var = root / name
        var.mkdir()
        metadata = SimpleNamespace(hostname=name.partition(".")[2])
        machines.append(
            SimpleNamespace(spec=SimpleNamespace(name=name, metadata=metadata), var=var)
        )
    return cast("Fleet", SimpleNamespace(all=lambda: iter(machines)))


async def settled(fleet: Fleet, guest: MemoryClient) -> None:
    scope = a_scope(MemoryClient(), guest)
    scope.fleet = fleet
    await provide_volumes(scope)


async def test_a_claim_gets_a_volume_on_the_disk_of_its_node(tmp_path: Path) -> None:
    fleet = a_fleet(tmp_path, "clusters-other.worker-1", "clusters-demo.worker-1")
    guest = MemoryClient(CLASS, a_claim())
    await settled(fleet, guest)
    (made,) = await guest.list(kinds.PERSISTENT_VOLUME)
    assert made["spec"]["claimRef"]["name"] == "data"
    here = tmp_path / "clusters-demo.worker-1/lib/hypershift/volumes"
    assert [found.name for found in here.iterdir()] == ["pvc-0123456789"]
    assert list((tmp_path / "clusters-other.worker-1").iterdir()) == []


async def test_a_released_volume_goes_with_its_content_and_without_its_machine(
    tmp_path: Path,
) -> None:
    fleet, guest = a_fleet(tmp_path, "clusters-demo.worker-1"), MemoryClient(CLASS, a_claim())
    await settled(fleet, guest)
    (made,) = await guest.list(kinds.PERSISTENT_VOLUME)
    guest.put({**made, "status": {"phase": "Released"}})
    await settled(a_fleet(tmp_path), guest)
    assert await guest.list(kinds.PERSISTENT_VOLUME) == []


async def test_a_claim_for_a_node_that_is_not_ours_is_told_so(tmp_path: Path) -> None:
    guest = MemoryClient(CLASS, a_claim(node="../clusters-other.worker-1"))
    await settled(a_fleet(tmp_path, "clusters-other.worker-1"), guest)
    assert await guest.list(kinds.PERSISTENT_VOLUME) == []
    events = cast("list[Any]", await guest.list(kinds.EVENT))
    assert [one["reason"] for one in events] == ["ProvisioningFailed"]


def test_a_machine_of_another_guest_is_never_found(tmp_path: Path) -> None:
    fleet = a_fleet(tmp_path, "clusters-demo-2.worker-1", "clusters.demo.worker-1")
    assert var_of(fleet, "clusters-demo", "worker-1") is None
