"""Copies of what kubelets are told, inside a cluster of OpenShift."""

from hypershift.kit import Manifest
from hypershift.operators.guest_config.openshift.rules import kubelet

PREFIX = "hypershift.openshift.io"


def original(name: str, pool: str = "workers") -> Manifest:
    marks = {f"{PREFIX}/kubeletconfig-config": "true"}
    if pool:
        marks[f"{PREFIX}/nodePool"] = pool
    metadata = {"name": name, "namespace": "clusters-demo", "uid": "1", "labels": marks}
    return {"metadata": metadata, "data": {"config": "kind: KubeletConfig"}, "immutable": True}


def test_a_copy_has_the_data_and_says_whose_it_is() -> None:
    (copy,) = kubelet.copies([original("small-pods-workers")])
    assert copy == {
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "metadata": {
            "name": "small-pods-workers",
            "namespace": "openshift-config-managed",
            "labels": {
                f"{PREFIX}/kubeletconfig-config": "true",
                f"{PREFIX}/mirrored-config": "true",
                f"{PREFIX}/nodePool": "workers",
            },
        },
        "data": {"config": "kind: KubeletConfig"},
    }


def test_a_copy_goes_with_the_last_original_of_its_pool() -> None:
    live = [original("a"), original("b", "gone"), original("c", "")]
    dropped = kubelet.unwanted([original("new")], live)
    assert [one["metadata"]["name"] for one in dropped] == ["b"]


def test_a_copy_stays_while_its_original_stays() -> None:
    assert not list(kubelet.unwanted([original("a")], [original("a")]))
