"""Services that publish a control plane, and the addresses that they tell."""

from datetime import UTC, datetime
from typing import Any

import pytest

from hypershift.api import read
from hypershift.api.hosted_control_plane import HostedControlPlaneSpec
from hypershift.operators.controlplane.rules.infrastructure import (
    Addresses,
    AddressInputs,
    addresses,
)
from hypershift.operators.controlplane.rules.services import services

NOW = datetime(2026, 1, 1, 0, 3, 30, tzinfo=UTC)
NAMES = ("APIServer", "Konnectivity", "OAuthServer", "Ignition")


def a_spec(way: dict[str, Any], platform: str = "Local", **rest: Any) -> dict[str, Any]:
    published = [{"service": name, "servicePublishingStrategy": way} for name in NAMES]
    return {"platform": {"type": platform}, "services": published, **rest}


def typed(spec: dict[str, Any]) -> HostedControlPlaneSpec:
    return read(HostedControlPlaneSpec, spec)


def made(spec: dict[str, Any], *, oauth: bool = False) -> dict[str, dict[str, Any]]:
    found = services(typed(spec), "clusters-demo", oauth=oauth)
    return {service["metadata"]["name"]: service for service in found}


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


def answered(
    spec: dict[str, Any],
    status: dict[str, Any],
    *,
    node_port: int = 0,
    oauth: bool = False,
    warnings: dict[str, str] | None = None,
) -> Addresses:
    found = made(spec, oauth=oauth)
    for service in found.values():
        service["status"] = status
        service["metadata"]["creationTimestamp"] = "2026-01-01T00:00:00Z"
        if node_port:
            service["spec"]["ports"][0].setdefault("nodePort", node_port)
    around = AddressInputs(found, {}, NOW, warnings or {})
    return addresses(typed(spec), around, oauth=oauth)


API_WAITS = "kube-apiserver load balancer is not provisioned"
TUNNEL_WAITS = "Konnectivity load balancer is not provisioned"


def test_nothing_is_ready_before_the_load_balancer_has_an_address() -> None:
    found = answered(a_spec(BALANCED), {}, oauth=True)
    assert found.infra.api_host == ""
    assert found.waiting == (
        f"{API_WAITS}; 3m since creation.; {TUNNEL_WAITS}; 3m since creation; "
        "OAuth LoadBalancer not yet provisioned; 3m since creation"
    )


def test_what_keeps_a_load_balancer_waiting_is_said() -> None:
    warnings = {"kube-apiserver": "no quota", "konnectivity-server": "no pool; no quota"}
    found = answered(a_spec(BALANCED), {}, warnings=warnings)
    assert found.waiting == f"{API_WAITS}: no quota; {TUNNEL_WAITS}: no pool; no quota"


def test_services_that_are_not_there_yet_are_no_news() -> None:
    around = AddressInputs({}, {}, NOW, {})
    found = addresses(typed(a_spec(BALANCED)), around, oauth=False)
    assert (found.waiting, found.error) == ("Cluster infrastructure is still provisioning", "")


@pytest.mark.parametrize("ingress", [{"ip": "192.0.2.7"}, {"hostname": "lb.example.com"}])
def test_the_address_is_what_the_load_balancer_says(ingress: dict[str, str]) -> None:
    found = answered(a_spec(BALANCED), {"loadBalancer": {"ingress": [ingress]}})
    assert found.waiting == ""
    infra = found.infra
    assert (infra.api_host, infra.api_port) == (next(iter(ingress.values())), 6443)
    assert infra.konnectivity_port == 8091


def test_a_users_host_name_wins_over_the_load_balancers() -> None:
    spec = a_spec({"type": "LoadBalancer", "loadBalancer": {"hostname": "api.example.com"}})
    found = answered(spec, {"loadBalancer": {"ingress": [{"ip": "192.0.2.7"}]}})
    assert found.infra.api_host == "api.example.com"


def test_a_node_port_is_ready_once_it_is_allocated() -> None:
    spec = a_spec({"type": "NodePort", "nodePort": {"address": "192.0.2.1"}})
    assert answered(spec, {}).waiting == "Cluster infrastructure is still provisioning"
    found = answered(spec, {}, node_port=31000)
    assert found.waiting == ""
    assert (found.infra.api_host, found.infra.api_port) == ("192.0.2.1", 31000)


def test_a_way_of_publishing_without_its_details_is_wrong() -> None:
    found = answered(a_spec({"type": "NodePort"}), {}, node_port=31000)
    assert found.error == (
        "[strategy details not specified for API server nodeport type service, "
        "strategy details not specified for Konnectivity nodeport type service]"
    )
    silent = typed({"platform": {"type": "None"}})
    nothing = addresses(silent, AddressInputs({}, {}, NOW, {}), oauth=True)
    assert nothing.error == (
        "[APIServer service strategy not specified, konnectivity service strategy not specified, "
        "OAuth strategy not specified]"
    )


def by_route(host: str = "", **route: Any) -> Addresses:
    """Where a tunnel by Route is, whose API server has a load balancer."""
    spec = a_spec(BALANCED)
    way: dict[str, Any] = {"type": "Route", **({"route": {"hostname": host}} if host else {})}
    spec["services"][1]["servicePublishingStrategy"] = way
    named = {"konnectivity-server": {"metadata": {"name": "konnectivity-server"}, **route}}
    found = made(spec)
    found["kube-apiserver"]["status"] = {"loadBalancer": {"ingress": [{"ip": "192.0.2.7"}]}}
    around = AddressInputs(found, {}, NOW, {}, routes=named if route else {})
    return addresses(typed(spec), around, oauth=False)


def test_a_route_waits_until_it_is_there_and_admitted() -> None:
    assert by_route().waiting == "Cluster infrastructure is still provisioning"
    waits = by_route(spec={"host": "tunnel.apps.example.com"}).waiting
    assert waits == "no router of the management cluster has admitted Route konnectivity-server yet"


@pytest.mark.parametrize("host", ["", "tunnel.example.com"])
def test_an_admitted_route_is_known_by_the_users_name_or_the_clusters(host: str) -> None:
    conditions = [{"type": "Admitted", "status": "True"}]
    status = {"ingress": [{"routerName": "default", "conditions": conditions}]}
    chosen = host or "tunnel.apps.example.com"
    found = by_route(host, spec={"host": chosen}, status=status)
    assert found.waiting == ""
    assert (found.infra.konnectivity_host, found.infra.konnectivity_port) == (chosen, 443)


AWS = "service.beta.kubernetes.io/aws-load-balancer"
ACROSS = {
    f"{AWS}-cross-zone-load-balancing-enabled": "true",
    f"{AWS}-attributes": "load_balancing.cross_zone.enabled=true",
}


def an_aws_spec(access: str) -> dict[str, Any]:
    spec = a_spec(BALANCED, "AWS")
    spec["platform"]["aws"] = {"endpointAccess": access}
    return spec


def test_aws_gets_the_load_balancers_that_it_is_seen_through() -> None:
    public = made(an_aws_spec("Public"))
    assert public["kube-apiserver"]["metadata"]["annotations"] == {f"{AWS}-type": "nlb"}
    assert "kube-apiserver-private" not in public
    both = made(an_aws_spec("PublicAndPrivate"))
    assert both["kube-apiserver"]["metadata"]["annotations"] == {f"{AWS}-type": "nlb", **ACROSS}
    inside = both["kube-apiserver-private"]
    assert inside["spec"]["type"] == "LoadBalancer"
    assert inside["metadata"]["annotations"] == {
        f"{AWS}-type": "nlb",
        f"{AWS}-internal": "true",
        **ACROSS,
    }
    private = made(an_aws_spec("Private"))
    assert private["kube-apiserver"]["spec"]["type"] == "ClusterIP"
    assert private["kube-apiserver"]["metadata"]["annotations"] == {}
    waits = answered(an_aws_spec("Private"), {}).waiting
    assert waits.startswith("kube-apiserver-private load balancer is not provisioned")


def test_azures_load_balancer_has_a_port_of_its_own() -> None:
    found = made(a_spec(BALANCED, "Azure"), oauth=True)
    assert found["kube-apiserverlb"]["spec"]["ports"][0]["port"] == 7443
    assert found["kube-apiserver"]["spec"]["type"] == "ClusterIP"
    login = found["oauth-openshift"]["spec"]["ports"][0]
    assert (login["port"], login["targetPort"]) == (443, 6443)
    reached = answered(
        a_spec(BALANCED, "Azure"), {"loadBalancer": {"ingress": [{"ip": "192.0.2.7"}]}}
    )
    assert (reached.infra.api_host, reached.infra.api_port) == ("192.0.2.7", 7443)


def test_only_the_api_servers_service_is_labelled_as_its_own() -> None:
    found = made(a_spec(BALANCED), oauth=True)
    labelled = {name for name, service in found.items() if "labels" in service["metadata"]}
    assert labelled == {"kube-apiserver"}
