import json
from dataclasses import replace
from importlib.resources import files

import pytest

from hypershift import addons
from hypershift.kit import Manifest

VALUES = addons.Values(
    pod_networks=("10.1.0.0/16",),
    dns_address="10.2.0.10",
    upstream="10.0.0.1",
    api_address="10.0.0.1",
    api_port=6443,
    nodes=3,
)


def found(kind: str, name: str, values: addons.Values = VALUES) -> Manifest:
    made = addons.manifests(values)
    return next(one for one in made if (one["kind"], one["metadata"]["name"]) == (kind, name))


def test_declared_assets_are_the_files_on_disk() -> None:
    folder = files("hypershift.addons") / "assets"
    assert {one.name for one in folder.iterdir()} == {f"{name}.yaml" for name in addons.ASSETS}


def test_kube_proxy_changes_no_limits_of_the_shared_kernel() -> None:
    config = json.loads(found("ConfigMap", "kube-proxy")["data"]["config.json"])
    assert config["conntrack"] == {"maxPerCore": 0, "min": 0}
    assert (config["mode"], config["clusterCIDR"]) == ("nftables", "10.1.0.0/16")


def test_who_makes_services_reachable_needs_none() -> None:
    for name in (addons.KUBE_PROXY, addons.KUBE_ROUTER):
        container = found("DaemonSet", name)["spec"]["template"]["spec"]["containers"][0]
        env = {each["name"]: each.get("value") for each in container["env"]}
        assert env["KUBERNETES_SERVICE_HOST"] == "10.0.0.1"
        assert env["KUBERNETES_SERVICE_PORT"] == "6443"


def test_kube_router_knows_the_networks_that_nobody_else_routes() -> None:
    for values, networks in ((VALUES, "10.1.0.0/16"), (replace(VALUES, routed=True), "")):
        router = found("DaemonSet", "kube-router", values)
        container = router["spec"]["template"]["spec"]["containers"][0]
        assert {"name": "UNROUTED", "value": networks} in container["env"]


def test_the_pod_network_leaves_the_range_to_kube_router() -> None:
    config = json.loads(found("ConfigMap", "kube-router")["data"]["10-kuberouter.conflist"])
    assert config["plugins"][0]["ipam"] == {"type": "host-local"}


def test_names_are_answered_at_the_given_address_and_asked_upstream() -> None:
    service = found("Service", "kube-dns")["spec"]
    assert (service["clusterIP"], service["clusterIPs"]) == ("10.2.0.10", ["10.2.0.10"])
    assert "forward . 10.0.0.1\n" in found("ConfigMap", "coredns")["data"]["Corefile"]


@pytest.mark.parametrize(("nodes", "replicas"), [(0, 1), (1, 1), (2, 2), (6, 2)])
def test_names_have_a_second_server_when_there_is_a_second_node(nodes: int, replicas: int) -> None:
    values = addons.Values(("10.1.0.0/16",), "10.2.0.10", "10.0.0.1", "10.0.0.1", 6443, nodes)
    assert found("Deployment", "coredns", values)["spec"]["replicas"] == replicas


def test_an_addon_that_is_not_wanted_leaves_nothing() -> None:
    made = addons.manifests(VALUES, (addons.KUBE_PROXY, addons.COREDNS))
    assert made
    assert not [one for one in made if "kube-router" in one["metadata"]["name"]]


def test_images_are_filled_in_by_their_tag() -> None:
    tags = addons.image_tags(addons.manifests(VALUES))
    assert tags == {"kube-router", "kube-proxy", "coredns"}
    images = {tag: f"registry.example/{tag}@sha256:0" for tag in tags}
    made = [addons.with_images(images, each) for each in addons.manifests(VALUES)]
    assert addons.image_tags(made) == set(images.values())
