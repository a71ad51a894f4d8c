"""Which Routes and router Services publish a control plane."""

from typing import Any

import pytest
from tests.unit.component.clusters import a_view

from hypershift.api.publishing import uses_router
from hypershift.kit import InvalidSpec, Manifest
from hypershift.operators.controlplane.rules.routes import Published, router_services, routes

AWS = {"type": "AWS", "aws": {"region": "eu-west-1", "endpointAccess": "Private"}}
PRIVATE = "hypershift.openshift.io/route-visibility"
OURS = "hypershift.openshift.io/hosted-control-plane"


def published(
    *, api: str = "api.example.org", tunnel: str = "", kind: str = "Route", **spec: Any
) -> Published:
    def way(host: str, kind: str = "Route") -> Manifest:
        section = {"Route": "route", "LoadBalancer": "loadBalancer"}[kind]
        return {"type": kind, **({section: {"hostname": host}} if host else {})}

    services = [
        {"service": "APIServer", "servicePublishingStrategy": way(api, kind)},
        {"service": "Konnectivity", "servicePublishingStrategy": way(tunnel)},
        {"service": "OAuthServer", "servicePublishingStrategy": way("login.example.org")},
    ]
    view = a_view(services=services, **spec)
    return Published(view.spec, "demo", "clusters-demo", ingress_domain="apps.example.com")


def by_name(found: Any) -> dict[str, Manifest]:
    return {one["metadata"]["name"]: one for one in found}


def test_a_host_name_for_the_api_server_brings_a_router_with_a_public_address() -> None:
    plane = published(platform={"type": "None"})
    assert set(by_name(router_services(plane))) == {"router"}
    made = by_name(routes(plane, oauth=False))
    assert set(made) == {"kube-apiserver", "kube-apiserver-internal", "konnectivity-server"}
    assert made["konnectivity-server"]["metadata"]["labels"] == {OURS: "clusters-demo"}


def test_a_load_balancer_for_the_api_server_leaves_routes_to_the_management_cluster() -> None:
    plane = published(kind="LoadBalancer", platform={"type": "None"})
    assert not list(router_services(plane))
    assert "labels" not in by_name(routes(plane, oauth=False))["konnectivity-server"]["metadata"]


def test_a_private_cluster_hides_its_names_from_the_public_dns() -> None:
    plane = published(platform=AWS, tunnel="tunnel.example.org")
    made = by_name(routes(plane, oauth=True))
    hidden = {name for name, one in made.items() if PRIVATE in one["metadata"]["labels"]}
    assert hidden == {"kube-apiserver-private", "oauth-private"}
    host = made["konnectivity-server"]["spec"]["host"]
    assert host == "konnectivity-server.apps.demo.hypershift.local"
    assert set(by_name(router_services(plane))) == {"private-router"}


def test_a_private_cluster_without_a_name_has_the_internal_route_alone() -> None:
    made = by_name(routes(published(api="", platform=AWS), oauth=False))
    assert [name for name in made if name.startswith("kube-apiserver")] == [
        "kube-apiserver-internal"
    ]


def test_a_public_api_server_by_route_needs_a_name() -> None:
    with pytest.raises(InvalidSpec, match="route hostname is required for service APIServer"):
        list(routes(published(api="", platform={"type": "None"}), oauth=False))


def test_allowed_ranges_hold_before_the_router_too() -> None:
    allowed = {"apiServer": {"allowedCIDRBlocks": ["192.0.2.0/24"]}}
    plane = published(platform={"type": "None"}, networking=allowed)
    (router,) = router_services(plane)
    assert router["spec"]["loadBalancerSourceRanges"] == ["192.0.2.0/24"]


def test_ibm_cloud_has_no_router() -> None:
    plane = published(platform={"type": "IBMCloud", "ibmcloud": {}})
    assert not uses_router(plane.spec)
    assert not list(router_services(plane))
