from typing import Any

from hypershift.kit import Manifest
from hypershift.local.controllers.storage import (
    PROVISIONED_BY,
    PROVISIONER,
    SELECTED_NODE,
    released,
    volume,
    waiting,
    why_not,
)

CLASS = {"metadata": {"name": "local"}, "provisioner": PROVISIONER, "reclaimPolicy": "Delete"}


def a_claim(*, node: str = "n1", **spec: Any) -> Manifest:
    return {
        "metadata": {
            "name": "data",
            "namespace": "default",
            "uid": "1234",
            "annotations": {SELECTED_NODE: node} if node else {},
        },
        "spec": {
            "storageClassName": "local",
            "accessModes": ["ReadWriteOnce"],
            "resources": {"requests": {"storage": "1Gi"}},
            **spec,
        },
    }


def test_a_claim_waits_until_its_node_is_chosen() -> None:
    assert waiting([a_claim(node="")], [CLASS]) == []
    assert len(waiting([a_claim()], [CLASS])) == 1


def test_claims_of_other_classes_and_bound_ones_are_left_alone() -> None:
    other = {"metadata": {"name": "local"}, "provisioner": "example.com/other"}
    assert waiting([a_claim()], [other]) == []
    assert waiting([a_claim(volumeName="pv")], [CLASS]) == []


def test_a_volume_stays_on_its_node_and_names_its_claim() -> None:
    made = volume(a_claim(), CLASS, "n1")
    terms = made["spec"]["nodeAffinity"]["required"]["nodeSelectorTerms"]
    assert terms[0]["matchExpressions"][0]["values"] == ["n1"]
    assert made["spec"]["local"]["path"].endswith("/pvc-1234")
    assert made["spec"]["claimRef"]["uid"] == "1234"
    assert made["metadata"]["annotations"] == {PROVISIONED_BY: PROVISIONER}


def test_only_our_released_volumes_are_deleted() -> None:
    made = volume(a_claim(), CLASS, "n1")
    assert released([{**made, "status": {"phase": "Bound"}}]) == []
    gone = {**made, "status": {"phase": "Released"}}
    assert released([gone]) == [gone]
    kept = {**gone, "spec": {**gone["spec"], "persistentVolumeReclaimPolicy": "Retain"}}
    foreign = {**gone, "metadata": {"name": "x"}}
    assert released([kept, foreign]) == []


def test_what_a_disk_cannot_give_is_said() -> None:
    assert "block" in why_not(a_claim(volumeMode="Block"))
    assert "ReadWriteMany" in why_not(a_claim(accessModes=["ReadWriteMany"]))
    assert why_not(a_claim()) == ""
