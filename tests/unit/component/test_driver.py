"""The driver writes what is rendered, in order, and removes what is not wanted."""

from dataclasses import replace
from datetime import datetime

from tests.lib.memory import MemoryClient
from tests.unit.component.clusters import NAMESPACE, NOW, a_view, certificates

from hypershift.component import ComponentStatus, View, apply_components, with_objects
from hypershift.component.driver import waves
from hypershift.controlplane import catalog
from hypershift.kit import Manifest
from hypershift.kube import kinds
from hypershift.release import Product

CATALOG = catalog(Product.KUBERNETES)


def a_cluster() -> tuple[View, MemoryClient]:
    return a_view(), MemoryClient(*certificates().values())


async def reconciled(
    view: View, kube: MemoryClient, now: datetime = NOW
) -> dict[str, ComponentStatus]:
    seen = await with_objects(view, kube)
    return {found.name: found for found in await apply_components(CATALOG, seen, kube, now)}


async def roll_out(kube: MemoryClient) -> None:
    """Let every workload come up."""
    for resource in (kinds.DEPLOYMENT, kinds.STATEFUL_SET):
        for live in await kube.list(resource, NAMESPACE):
            wanted = live["spec"]["replicas"]
            counts = ("replicas", "readyReplicas", "updatedReplicas", "availableReplicas")
            status: Manifest = dict.fromkeys(counts, wanted)
            status["conditions"] = [{"type": "Available", "status": "True"}]
            kube.put({**live, "status": status})


async def test_components_come_up_in_the_order_of_their_dependencies() -> None:
    view, kube = a_cluster()
    first = await reconciled(view, kube)
    assert not first["etcd"].ready
    assert first["kube-apiserver"].rollout.message == "Waiting for Dependencies: etcd"
    assert first["kube-scheduler"].rollout.message == "Waiting for Dependencies: kube-apiserver"
    for name in ("etcd", "kube-apiserver", "kube-scheduler"):
        await roll_out(kube)
        found = await reconciled(view, kube)
        assert found[name].ready, name
        assert found[name].version == "1.35.8"


def test_components_that_do_not_need_each_other_come_together() -> None:
    found = [
        {component.name for component in wave}
        for wave in waves(CATALOG, frozenset(component.name for component in CATALOG))
    ]
    assert [wave for wave in found if wave & {"etcd", "kube-apiserver"}] == found[:2]
    assert "etcd" in found[0]
    assert "kube-apiserver" in found[1]
    assert {"kube-controller-manager", "kube-scheduler"} <= found[2]
    assert sorted(name for wave in found for name in wave) == sorted(one.name for one in CATALOG)


def test_components_in_a_circle_have_their_turn_all_the_same() -> None:
    one, other = CATALOG[0], CATALOG[1]
    circle = [replace(one, depends_on=(other.name,)), replace(other, depends_on=(one.name,))]
    present = frozenset({one.name, other.name})
    assert list(waves(circle, present)) == [circle]


async def settled() -> tuple[View, MemoryClient]:
    view, kube = a_cluster()
    for _ in range(4):
        await reconciled(view, kube)
        await roll_out(kube)
    await reconciled(view, kube)
    return view, kube


async def test_a_settled_cluster_publishes_no_new_status() -> None:
    view, kube = await settled()
    kube.writes.clear()
    await reconciled(view, kube)
    assert not [write for write in kube.writes if write[1] == "ControlPlaneComponent"]


async def test_an_upgrade_rolls_etcd_before_the_api_server() -> None:
    view, kube = await settled()
    newer = replace(view, release=replace(view.release, version="1.36.0"))
    etcd = await kube.get(kinds.STATEFUL_SET, "etcd", NAMESPACE)
    kube.put({**etcd, "status": {**etcd["status"], "updatedReplicas": 0}})
    found = await reconciled(newer, kube)
    assert found["etcd"].rollout.reason == "WaitingForRolloutComplete"
    assert found["kube-apiserver"].rollout.reason == "WaitingForDependencies"
    assert found["kube-apiserver"].version == "1.35.8"
    await roll_out(kube)
    found = await reconciled(newer, kube)
    assert found["etcd"].version == found["kube-apiserver"].version == "1.36.0"


async def test_what_the_pods_of_a_new_component_need_is_there_before_its_turn() -> None:
    view, kube = a_cluster()
    await reconciled(view, kube)
    assert await kube.find(kinds.SECRET, "kube-scheduler-kubeconfig", NAMESPACE)
    assert await kube.find(kinds.DEPLOYMENT, "kube-apiserver", NAMESPACE) is None
    kube.writes.clear()
    await roll_out(kube)
    await reconciled(view, kube)
    made = [(kind, key.name) for _, kind, key in kube.writes if kind != "ControlPlaneComponent"]
    assert made == [("Deployment", "kube-apiserver")]


async def test_what_a_component_has_stays_as_it_is_until_its_turn() -> None:
    view, kube = a_cluster()
    theirs = await kube.apply(
        {
            "apiVersion": "v1",
            "kind": "ConfigMap",
            "metadata": {"name": "kube-scheduler", "namespace": NAMESPACE},
            "data": {"config.yaml": "old"},
        }
    )
    await reconciled(view, kube)
    assert await kube.get(kinds.CONFIG_MAP, "kube-scheduler", NAMESPACE) == theirs
    await kube.delete(kinds.SECRET, "kube-scheduler-kubeconfig", NAMESPACE)
    await reconciled(view, kube)
    assert await kube.find(kinds.SECRET, "kube-scheduler-kubeconfig", NAMESPACE) is None


async def test_what_the_predicate_leaves_out_is_removed() -> None:
    view, kube = await settled()
    own = {"managementType": "Unmanaged", "unmanaged": {"endpoint": "https://mine:2379"}}
    unmanaged = replace(view, plane=a_view(etcd=own).plane)
    found = await reconciled(unmanaged, kube)
    assert not found["etcd"].enabled
    assert await kube.find(kinds.STATEFUL_SET, "etcd", NAMESPACE) is None
    assert await kube.find(kinds.SERVICE, "etcd-client", NAMESPACE) is None
    assert await kube.find(kinds.CONTROL_PLANE_COMPONENT, "etcd", NAMESPACE) is None
    assert await kube.find(kinds.SECRET, "etcd-signer", NAMESPACE) is not None
    assert found["kube-apiserver"].rollout.reason != "WaitingForDependencies"


async def test_an_object_whose_condition_no_longer_holds_is_removed() -> None:
    view, kube = await settled()
    named = replace(view, plane=a_view(kubeAPIServerDNSName="api.example.org").plane)
    await reconciled(named, kube)
    assert await kube.find(kinds.SECRET, "custom-admin-kubeconfig", NAMESPACE)
    await reconciled(view, kube)
    assert await kube.find(kinds.SECRET, "custom-admin-kubeconfig", NAMESPACE) is None


async def test_what_others_own_is_never_removed() -> None:
    view, kube = await settled()
    kube.put(
        {
            "apiVersion": "v1",
            "kind": "Secret",
            "metadata": {"name": "custom-admin-kubeconfig", "namespace": NAMESPACE},
        }
    )
    await reconciled(view, kube)
    assert await kube.find(kinds.SECRET, "custom-admin-kubeconfig", NAMESPACE)


async def test_a_missing_certificate_is_waited_for_by_name() -> None:
    view, kube = a_cluster()
    await kube.delete(kinds.SECRET, "etcd-peer-tls", NAMESPACE)
    found = await reconciled(view, kube)
    assert found["etcd"].rollout.reason == "ReconciliationError"
    assert "Secret/etcd-peer-tls" in found["etcd"].rollout.message


async def test_one_broken_component_does_not_stop_the_others() -> None:
    view, kube = await settled()
    broken = replace(
        view,
        plane=a_view(
            secretEncryption={"type": "aescbc", "aescbc": {"activeKey": {"name": "absent"}}}
        ).plane,
    )
    found = await reconciled(broken, kube)
    assert found["kube-apiserver"].rollout.reason == "ReconciliationError"
    assert "absent" in found["kube-apiserver"].rollout.message
    assert found["etcd"].ready


async def test_the_time_of_a_condition_is_that_of_its_change() -> None:
    view, kube = a_cluster()
    await reconciled(view, kube)
    await reconciled(view, kube)
    await reconciled(view, kube, NOW.replace(year=2027))
    found = await kube.get(kinds.CONTROL_PLANE_COMPONENT, "etcd", NAMESPACE)
    assert found["status"]["conditions"][0]["lastTransitionTime"] == "2026-01-02T03:04:05Z"
    assert found["status"]["observedGeneration"] == 3


async def test_a_workload_that_was_just_made_is_told_about_by_the_next_pass() -> None:
    view, kube = a_cluster()
    found = await reconciled(view, kube)
    assert found["etcd"].new
    assert not found["kube-apiserver"].new
    assert await kube.find(kinds.CONTROL_PLANE_COMPONENT, "etcd", NAMESPACE) is None
    assert await kube.find(kinds.CONTROL_PLANE_COMPONENT, "kube-apiserver", NAMESPACE)
    assert not (await reconciled(view, kube))["etcd"].new
    told = await kube.get(kinds.CONTROL_PLANE_COMPONENT, "etcd", NAMESPACE)
    assert told["status"]["conditions"][1]["reason"] == "WaitingForRolloutComplete"
