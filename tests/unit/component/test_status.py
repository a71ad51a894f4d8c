"""What a ControlPlaneComponent says, in the original's words."""

from typing import Any

import pytest
from tests.unit.component.clusters import a_view

from hypershift.component import (
    component_status,
    dependencies,
    rolled_out,
    runs,
    status_manifest,
)
from hypershift.controlplane import etcd, kube_apiserver, kube_scheduler
from hypershift.kit import Manifest

EVERY = frozenset({"etcd", "kube-apiserver", "kube-scheduler"})


def live(kind: str, name: str, wanted: int, **status: Any) -> dict[tuple[str, str], Manifest]:
    metadata = {"name": name, "generation": 2}
    manifest = {"kind": kind, "metadata": metadata, "spec": {"replicas": wanted}}
    return {(kind, name): {**manifest, "status": status}}


def full(wanted: int, **rest: Any) -> Manifest:
    counts = ("replicas", "readyReplicas", "updatedReplicas", "availableReplicas")
    return {**dict.fromkeys(counts, wanted), "observedGeneration": 2, **rest}


def test_a_stateful_set_that_was_just_created() -> None:
    status = component_status(etcd.KUBERNETES, a_view(objects=live("StatefulSet", "etcd", 3)))
    assert status.available.message == "StatefulSet etcd is not available: 0/3 replicas ready"
    assert status.rollout.message == (
        "Waiting for statefulset etcd rollout to finish: 0 out of 3 new replicas have been updated"
    )


def test_one_member_makes_etcd_available_and_all_make_it_complete() -> None:
    some = live("StatefulSet", "etcd", 3, availableReplicas=1)
    every = live("StatefulSet", "etcd", 3, **full(3))
    assert component_status(etcd.KUBERNETES, a_view(objects=some)).available.status
    status = component_status(etcd.KUBERNETES, a_view(objects=every))
    assert status.ready
    assert (status.rollout.reason, status.version) == ("AsExpected", "1.35.8")


@pytest.mark.parametrize(
    ("condition", "reason", "message"),
    [
        (None, "NotFound", "kube-scheduler Deployment Available condition not found"),
        ("True", "AsExpected", "Deployment kube-scheduler is available"),
        ("False", "WaitingForAvailable", "Deployment kube-scheduler is not available: why"),
    ],
)
def test_a_deployments_own_condition_decides(
    condition: str | None, reason: str, message: str
) -> None:
    found = [{"type": "Available", "status": condition, "message": "why"}] if condition else []
    objects = live("Deployment", "kube-scheduler", 1, conditions=found)
    status = component_status(kube_scheduler.KUBERNETES, a_view(objects=objects))
    assert (status.available.reason, status.available.message) == (reason, message)


def test_a_workload_that_does_not_exist_is_not_found() -> None:
    status = component_status(kube_scheduler.KUBERNETES, a_view())
    assert status.available.reason == "NotFound"
    assert status.rollout.message == 'deployments.apps "kube-scheduler" not found'


def test_an_old_generation_or_an_extra_pod_is_no_complete_rollout() -> None:
    def is_complete(status: Manifest) -> bool:
        return rolled_out(live("Deployment", "x", 2, **status)["Deployment", "x"])

    assert is_complete(full(2))
    assert not is_complete(full(2, observedGeneration=1))
    assert not is_complete(full(2, replicas=3))
    assert not is_complete(full(2, unavailableReplicas=1))


def test_the_version_stays_that_of_the_last_complete_rollout() -> None:
    before = {"kind": "ControlPlaneComponent", "status": {"version": "1.34.0"}}
    view = a_view(objects={("ControlPlaneComponent", "kube-scheduler"): before})
    assert component_status(kube_scheduler.KUBERNETES, view).version == "1.34.0"


def test_dependencies_that_the_cluster_does_without_count_as_met() -> None:
    assert dependencies(kube_apiserver.OPENSHIFT, EVERY) == ["etcd"]
    assert dependencies(kube_scheduler.KUBERNETES, EVERY) == ["kube-apiserver"]
    assert dependencies(etcd.KUBERNETES, EVERY) == []
    assert dependencies(kube_apiserver.KUBERNETES, EVERY - {"etcd"}) == []
    assert not runs(etcd.KUBERNETES, a_view(etcd={"managementType": "Unmanaged"}))


def test_the_manifest_lists_the_objects_and_the_generation_seen() -> None:
    view = a_view()
    manifest = status_manifest(component_status(kube_scheduler.KUBERNETES, view), view)
    names = {(one["kind"], one["name"]) for one in manifest["status"]["resources"]}
    assert ("Secret", "kube-scheduler-kubeconfig") in names
    assert manifest["status"]["observedGeneration"] == 3
