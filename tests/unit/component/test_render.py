"""Rendering a component: names, owners, and what the payload has to carry."""

from dataclasses import replace

from tests.unit.component.clusters import NAMESPACE, a_view, container

from hypershift.component import Management, images, render, rendered, runs
from hypershift.controlplane import catalog, etcd, kube_scheduler
from hypershift.release import Product


def test_the_workload_comes_last_and_is_ours() -> None:
    workload = render(kube_scheduler.KUBERNETES, a_view())[-1]
    assert workload["kind"] == "Deployment"
    labels = workload["metadata"]["labels"]
    assert labels["hypershift.openshift.io/managed-by"] == "control-plane-operator"


def test_a_components_objects_may_live_without_an_owner() -> None:
    for manifest in render(replace(kube_scheduler.KUBERNETES, owned=False), a_view()):
        assert "ownerReferences" not in manifest["metadata"]


def test_kinds_that_the_management_cluster_lacks_are_left_out() -> None:
    kinds = {m["kind"] for m in render(kube_scheduler.KUBERNETES, a_view())}
    everything = {
        m["kind"] for m in render(kube_scheduler.KUBERNETES, a_view(management=Management()))
    }
    assert everything - kinds == {"ServiceMonitor"}


def test_service_accounts_can_pull_and_bindings_name_their_namespace() -> None:
    view = a_view(product=Product.OPENSHIFT)
    found = {(m["kind"], m["metadata"]["name"]): m for m in render(etcd.OPENSHIFT, view)}
    assert found["ServiceAccount", "etcd"]["imagePullSecrets"] == [{"name": "pull-secret"}]
    subjects = found["RoleBinding", "etcd-self-register"]["subjects"]
    assert subjects[0]["namespace"] == NAMESPACE


def test_what_a_condition_leaves_out_is_named_for_removal() -> None:
    result = rendered(etcd.OPENSHIFT, a_view(product=Product.OPENSHIFT))
    assert ("Role", "etcd-defrag-controller") in {
        (found["kind"], found["metadata"]["name"]) for found in result.absent
    }


def test_images_come_from_the_payload() -> None:
    workload = render(kube_scheduler.KUBERNETES, a_view())[-1]
    image = container(workload, "kube-scheduler")["image"]
    assert image.startswith("registry.example/kubernetes/kube-scheduler@sha256:")


def test_images_that_the_payload_lacks_are_named() -> None:
    view = a_view()
    poor = replace(view.release, images={"etcd": "e"})
    running = [one for one in catalog(Product.KUBERNETES) if runs(one, view)]
    asked = {name for one in running for name in images(one, view)}
    missing = poor.missing(asked)
    assert view.release.missing(asked) == []
    assert "kube-apiserver" in missing
    assert "etcd" not in missing


def test_a_product_without_its_images_goes_without_a_component() -> None:
    optional = replace(kube_scheduler.KUBERNETES, images=("cluster-autoscaler",))
    assert not runs(optional, a_view())
    assert runs(kube_scheduler.KUBERNETES, a_view())
