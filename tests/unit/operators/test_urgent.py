"""Which changes overtake the pace of the controllers that bring a control plane up."""

import pytest

from hypershift.kit import Manifest
from hypershift.kube.cache import Change
from hypershift.operators.controlplane.controller import ends_waiting, matters
from hypershift.operators.hypershift.hosted_cluster.controller import is_another_verdict
from hypershift.runtime import changes_metadata, changes_wish


def a_deployment(ready: int, *, message: str = "") -> Manifest:
    counts = ("replicas", "readyReplicas", "updatedReplicas", "availableReplicas")
    status = dict.fromkeys(counts, ready) | {"conditions": [{"type": "A", "message": message}]}
    return {"kind": "Deployment", "metadata": {}, "spec": {"replicas": 1}, "status": status}


def a_service(address: str = "", **labels: str) -> Manifest:
    ingress = [{"ip": address}] if address else []
    status = {"loadBalancer": {"ingress": ingress}}
    return {"kind": "Service", "metadata": {"labels": labels}, "spec": {}, "status": status}


def a_plane(available: str, generation: int = 1) -> Manifest:
    conditions = [{"type": "Available", "status": available}]
    return {
        "kind": "HostedControlPlane",
        "metadata": {"generation": generation},
        "status": {"conditions": conditions},
    }


A_SECRET = {"kind": "Secret", "metadata": {}, "data": {"a": "b"}}


@pytest.mark.parametrize(
    ("old", "new", "urgent"),
    [
        (a_deployment(0), a_deployment(1), True),
        (a_deployment(1), a_deployment(0), True),
        (a_deployment(0), a_deployment(0, message="almost"), False),
        (None, a_deployment(0), False),
        (a_service(), a_service("192.0.2.1"), True),
        (a_service("192.0.2.1"), a_service("192.0.2.1", some="label"), False),
        (A_SECRET, A_SECRET | {"data": {}}, False),
    ],
)
def test_a_control_plane_goes_on_when_what_it_waits_for_is_there(
    old: Manifest | None, new: Manifest, *, urgent: bool
) -> None:
    assert ends_waiting(Change(old, new)) is urgent


def a_budget(allowed: int, version: str = "1", **metadata: int | str) -> Manifest:
    return {
        "kind": "PodDisruptionBudget",
        "metadata": {"resourceVersion": version, **metadata},
        "spec": {"minAvailable": 1},
        "status": {"disruptionsAllowed": allowed},
    }


@pytest.mark.parametrize(
    ("old", "new", "heard"),
    [
        (a_budget(0), a_budget(1, version="2"), False),
        (a_budget(0), a_budget(0, version="2", generation=2), True),
        (a_budget(0), a_budget(0, version="2", ownerReferences="none"), True),
        (None, a_budget(0), True),
        (a_budget(0), None, True),
        (a_deployment(0), a_deployment(0, message="almost"), True),
    ],
)
def test_how_many_pods_may_be_evicted_wakes_nobody(
    old: Manifest | None, new: Manifest | None, *, heard: bool
) -> None:
    assert matters(Change(old, new)) is heard


@pytest.mark.parametrize(
    ("old", "new", "urgent"),
    [
        (a_plane("False"), a_plane("True"), True),
        (a_plane("True"), a_plane("False"), True),
        (a_plane("True"), None, True),
        (a_plane("False"), a_plane("False", generation=2), False),
        (None, a_plane("False"), False),
    ],
)
def test_a_cluster_tells_at_once_whether_it_is_available(
    old: Manifest | None, new: Manifest | None, *, urgent: bool
) -> None:
    assert is_another_verdict(Change(old, new)) is urgent


@pytest.mark.parametrize(
    ("old", "new", "urgent"),
    [
        (None, a_plane("False"), True),
        (a_plane("False"), None, True),
        (a_plane("False"), a_plane("False", generation=2), True),
        (a_plane("False"), a_plane("True"), False),
    ],
)
def test_a_status_is_no_declaration(
    old: Manifest | None, new: Manifest | None, *, urgent: bool
) -> None:
    assert changes_metadata(Change(old, new)) is urgent
    assert changes_wish(Change(old, new)) is urgent


def test_nobody_waits_for_labels_and_owners() -> None:
    kept = a_plane("False")
    kept["metadata"] |= {"labels": {"a": "b"}, "ownerReferences": [{"uid": "c"}]}
    assert changes_metadata(Change(a_plane("False"), kept))
    assert not changes_wish(Change(a_plane("False"), kept))
