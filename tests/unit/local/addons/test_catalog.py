from importlib.resources import files

import yaml

from hypershift.kit import Manifest
from hypershift.local import addons
from hypershift.local.addons import catalog, cluster_api
from hypershift.local.cluster.plan import Plan

IMAGES = {
    name: f"registry.example/{name}@sha256:0"
    for name in ("kube-proxy", "kube-router", "coredns", "cluster-api", "busybox")
}
VALUES = addons.Values(Plan(2), 3, IMAGES)


def found(kind: str, name: str) -> Manifest:
    return next(
        each
        for each in addons.addons(VALUES).all
        if each["kind"] == kind and each["metadata"]["name"] == name
    )


def test_assets_on_disk_are_the_declared_ones() -> None:
    folder = files("hypershift.local.addons") / "assets"
    found = {each.name.removesuffix(".yaml") for each in folder.iterdir()}
    assert found == {*catalog.ASSETS, catalog.ACCESS}


def test_every_object_has_a_kind_and_a_name() -> None:
    for each in (*addons.addons(VALUES).all, *addons.access()):
        assert each["apiVersion"]
        assert each["kind"]
        assert each["metadata"]["name"]


def test_containers_run_images_of_the_payload() -> None:
    for workload in addons.workloads(addons.addons(VALUES).all):
        for container in workload["spec"]["template"]["spec"]["containers"]:
            assert container["image"] in IMAGES.values()


def test_rendering_twice_gives_the_same_objects() -> None:
    assert addons.addons(VALUES) == addons.addons(VALUES)


def test_what_a_node_waits_for_is_installed_first() -> None:
    stages = addons.addons(VALUES)
    names = [
        [each["metadata"]["name"] for each in addons.workloads(stage)]
        for stage in (stages.network, stages.basics, stages.controllers)
    ]
    assert names == [["kube-router"], ["kube-proxy", "coredns"], ["capi-controller-manager"]]


def test_who_makes_services_reachable_needs_none() -> None:
    for name in ("kube-proxy", "kube-router"):
        container = found("DaemonSet", name)["spec"]["template"]["spec"]["containers"][0]
        env = {each["name"]: each.get("value") for each in container["env"]}
        assert env["KUBERNETES_SERVICE_HOST"] == "10.82.0.1"


def test_names_are_asked_at_the_bridge_and_answered_at_the_planned_address() -> None:
    assert found("Service", "kube-dns")["spec"]["clusterIP"] == "10.82.64.10"
    assert "forward . 10.82.0.1" in found("ConfigMap", "coredns")["data"]["Corefile"]
    assert found("Deployment", "coredns")["spec"]["replicas"] == 2


def test_cluster_api_offers_its_stored_version_alone() -> None:
    text = """
    apiVersion: apiextensions.k8s.io/v1
    kind: CustomResourceDefinition
    metadata: {name: machines.cluster.x-k8s.io, creationTimestamp: null}
    spec:
      group: cluster.x-k8s.io
      versions:
      - {name: v1beta1, served: true, storage: false}
      - {name: v1beta2, served: true, storage: true}
    """
    made = cluster_api.one_version(yaml.safe_load(text))
    assert [each["name"] for each in made["spec"]["versions"]] == ["v1beta2"]
    assert made["metadata"] == {"name": "machines.cluster.x-k8s.io"}
