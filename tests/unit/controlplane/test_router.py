"""The router's configuration: which names lead where."""

from dataclasses import replace

from tests.unit.component.clusters import a_view

from hypershift.controlplane.router import configuration, has_router, served
from hypershift.kit import Manifest

OURS = {"hypershift.openshift.io/hosted-control-plane": "clusters-demo"}


def a_route(name: str, service: str, host: str, *, labelled: bool = True) -> Manifest:
    labels = OURS if labelled else {}
    return {
        "metadata": {"name": name, "labels": labels},
        "spec": {"host": host, "to": {"name": service}},
    }


API = a_route("kube-apiserver", "kube-apiserver", "api.example.org")
LOGIN = a_route("oauth", "oauth-openshift", "login.example.org")
ADDRESSES = {"kube-apiserver": "192.0.2.7", "oauth-openshift": "192.0.2.8"}


def test_a_known_name_leads_to_its_service_and_every_other_to_the_api_server() -> None:
    text = configuration(served([API, LOGIN], ADDRESSES))
    assert "acl is_oauth req_ssl_sni -i login.example.org" in text
    assert "server oauth 192.0.2.8:6443" in text
    assert "default_backend kube_api" in text


def test_without_a_route_to_the_api_server_other_names_are_not_served() -> None:
    assert "default_backend" not in configuration(served([LOGIN], ADDRESSES))


def test_routes_of_the_management_clusters_router_are_left_to_it() -> None:
    foreign = a_route("oauth", "oauth-openshift", "login.example.org", labelled=False)
    assert configuration(served([API, foreign], ADDRESSES)) == configuration(
        served([API], ADDRESSES)
    )


def test_the_order_of_routes_changes_nothing() -> None:
    assert configuration(served([API, LOGIN], ADDRESSES)) == configuration(
        served([LOGIN, API], ADDRESSES)
    )


def test_a_router_runs_once_there_are_routes_for_it() -> None:
    way = {"type": "Route", "route": {"hostname": "api.example.org"}}
    services = [{"service": "APIServer", "servicePublishingStrategy": way}]
    view = a_view(services=services)
    assert not has_router(view)
    assert has_router(replace(view, objects={("Route", "kube-apiserver"): API}))


def test_a_cluster_behind_a_load_balancer_has_no_router() -> None:
    assert not has_router(replace(a_view(), objects={("Route", "kube-apiserver"): API}))


def test_a_cluster_behind_the_shared_ingress_has_no_router_of_its_own() -> None:
    way = {"type": "Route", "route": {"hostname": "api.example.org"}}
    services = [{"service": "APIServer", "servicePublishingStrategy": way}]
    marked = {"hypershift.openshift.io/shared-ingress": "true"}
    view = a_view(services=services, annotations=marked)
    assert not has_router(replace(view, objects={("Route", "kube-apiserver"): API}))
