import json
from dataclasses import replace
from importlib.resources import files

import pytest

from hypershift import addons
from hypershift.kit import Manifest

VALUES = addons.Values(
    pod_networks=("10.1.0.0/16",),
    dns_addresses=("10.2.0.10",),
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
    values = replace(VALUES, nodes=nodes)
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


DUAL = replace(
    VALUES,
    pod_networks=("10.1.0.0/16", "fd01::/48"),
    dns_addresses=("10.2.0.10", "fd02::a"),
    service_networks=("10.2.0.0/16", "fd02::/112"),
)
V6 = replace(
    VALUES,
    pod_networks=("fd01::/48",),
    dns_addresses=("fd02::a",),
    service_networks=("fd02::/112",),
)


def router_of(values: addons.Values) -> tuple[list[str], dict[str, str]]:
    router = found("DaemonSet", "kube-router", values)
    container = router["spec"]["template"]["spec"]["containers"][0]
    return container["args"], {each["name"]: each.get("value", "") for each in container["env"]}


def test_kube_router_has_the_families_of_the_pods() -> None:
    for values, flags, sets in (
        (VALUES, ("ipv4=true", "ipv6=false"), "kube-router-node-ips"),
        (DUAL, ("ipv4=true", "ipv6=true"), "kube-router-node-ips inet6:kube-router-node-ips"),
        (V6, ("ipv4=false", "ipv6=true"), "inet6:kube-router-node-ips"),
    ):
        args, env = router_of(values)
        assert {f"--enable-{flag}" for flag in flags} <= set(args)
        assert env["NODE_SETS"] == sets
        assert env["UNROUTED"] == " ".join(values.pod_networks)
    assert "--router-id=$(NODE_IP)" in router_of(DUAL)[0]
    assert "--router-id=generate" in router_of(V6)[0]
    assert "--service-cluster-ip-range=10.2.0.0/16,fd02::/112" in router_of(DUAL)[0]


def test_the_name_service_has_an_address_in_each_range() -> None:
    service = found("Service", "kube-dns", DUAL)["spec"]
    assert service["clusterIP"] == "10.2.0.10"
    assert service["clusterIPs"] == ["10.2.0.10", "fd02::a"]
    assert service["ipFamilyPolicy"] == "PreferDualStack"
    assert "ipFamilyPolicy" not in found("Service", "kube-dns", V6)["spec"]


def test_kube_proxy_prefers_the_family_of_the_first_range() -> None:
    for values, bound in ((VALUES, "0.0.0.0"), (DUAL, "0.0.0.0"), (V6, "::")):  # noqa: S104
        config = json.loads(found("ConfigMap", "kube-proxy", values)["data"]["config.json"])
        assert config["bindAddress"] == bound
