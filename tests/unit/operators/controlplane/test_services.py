"""Services that publish a control plane, and the addresses that they tell."""

from typing import Any

import pytest

from hypershift.operators.controlplane.infrastructure import infra
from hypershift.operators.controlplane.services import services

NAMES = ("APIServer", "Konnectivity", "OAuthServer", "Ignition")


def a_spec(way: dict[str, Any], platform: str = "Local", **rest: Any) -> dict[str, Any]:
    published = [{"service": name, "servicePublishingStrategy": way} for name in NAMES]
    return {"platform": {"type": platform}, "services": published, **rest}


def made(spec: dict[str, Any], *, oauth: bool = False) -> dict[str, dict[str, Any]]:
    return {s["metadata"]["name"]: s for s in services(spec, "clusters-demo", oauth=oauth)}


BALANCED = {"type": "LoadBalancer"}


def test_a_load_balancer_publishes_api_and_konnectivity() -> None:
    found = made(a_spec(BALANCED))
    assert set(found) == {"kube-apiserver", "konnectivity-server"}
    assert {s["spec"]["type"] for s in found.values()} == {"LoadBalancer"}
    assert found["kube-apiserver"]["spec"]["ports"][0]["targetPort"] == "client"
    assert found["konnectivity-server"]["spec"]["ports"][0]["port"] == 8091


def test_only_allowed_ranges_reach_the_load_balancer() -> None:
    spec = a_spec(BALANCED, networking={"apiServer": {"allowedCIDRBlocks": ["192.0.2.0/24"]}})
    assert made(spec)["kube-apiserver"]["spec"]["loadBalancerSourceRanges"] == ["192.0.2.0/24"]


def test_a_fixed_node_port_is_kept() -> None:
    way = {"type": "NodePort", "nodePort": {"address": "192.0.2.1", "port": 30443}}
    assert made(a_spec(way))["kube-apiserver"]["spec"]["ports"][0]["nodePort"] == 30443


def test_a_private_api_server_has_no_public_load_balancer() -> None:
    spec = a_spec(BALANCED, "AWS")
    spec["platform"]["aws"] = {"endpointAccess": "Private"}
    assert made(spec)["kube-apiserver"]["spec"]["type"] == "ClusterIP"


def test_a_users_host_name_is_asked_of_external_dns() -> None:
    spec = a_spec({"type": "LoadBalancer", "loadBalancer": {"hostname": "api.example.com"}})
    annotations = made(spec)["kube-apiserver"]["metadata"]["annotations"]
    assert annotations["external-dns.alpha.kubernetes.io/hostname"] == "api.example.com"


def answered(spec: dict[str, Any], status: dict[str, Any], *, node_port: int = 0) -> Any:
    found = made(spec)
    for service in found.values():
        service["status"] = status
        if node_port:
            service["spec"]["ports"][0].setdefault("nodePort", node_port)
    return infra(spec, "clusters-demo", found, oauth=False)


def test_nothing_is_ready_before_the_load_balancer_has_an_address() -> None:
    result, waiting = answered(a_spec(BALANCED), {})
    assert result.api_host == ""
    assert "APIServer load balancer of Service kube-apiserver has no address yet" in waiting


@pytest.mark.parametrize("ingress", [{"ip": "192.0.2.7"}, {"hostname": "lb.example.com"}])
def test_the_address_is_what_the_load_balancer_says(ingress: dict[str, str]) -> None:
    result, waiting = answered(a_spec(BALANCED), {"loadBalancer": {"ingress": [ingress]}})
    assert waiting == ""
    assert (result.api_host, result.api_port) == (next(iter(ingress.values())), 6443)
    assert result.konnectivity_port == 8091


def test_a_users_host_name_wins_over_the_load_balancers() -> None:
    spec = a_spec({"type": "LoadBalancer", "loadBalancer": {"hostname": "api.example.com"}})
    result, _ = answered(spec, {"loadBalancer": {"ingress": [{"ip": "192.0.2.7"}]}})
    assert result.api_host == "api.example.com"


def test_a_node_port_is_ready_once_it_is_allocated() -> None:
    spec = a_spec({"type": "NodePort", "nodePort": {"address": "192.0.2.1"}})
    assert answered(spec, {})[1] != ""
    result, waiting = answered(spec, {}, node_port=31000)
    assert waiting == ""
    assert (result.api_host, result.api_port) == ("192.0.2.1", 31000)


def test_a_route_is_a_reason_and_not_silence() -> None:
    _, waiting = answered(a_spec({"type": "Route"}), {})
    assert "APIServer is to be published by Route" in waiting
