"""The Services by which a control plane is reached: one manifest for each way of publishing."""

from collections.abc import Iterator, Mapping
from typing import Any

from hypershift.api import annotations as marks
from hypershift.api import labels
from hypershift.api.hosted_control_plane import HostedControlPlaneSpec as Spec
from hypershift.api.platforms.traits import traits_of
from hypershift.api.publishing import (
    hostname,
    is_aro,
    is_private,
    is_public,
    published_by,
    strategy,
)
from hypershift.api.values import PublishingStrategyType as Publishing
from hypershift.api.values import ServiceType
from hypershift.api.well_known import (
    API_PORT,
    AZURE_API_PORT,
    HTTPS_PORT,
    KONNECTIVITY_PORT,
    KONNECTIVITY_SERVER,
    KUBE_APISERVER,
    KUBE_APISERVER_AZURE,
    KUBE_APISERVER_PRIVATE,
    OAUTH_PORT,
    OAUTH_SERVER,
)
from hypershift.kit import Manifest
from hypershift.platforms import platform_named
from hypershift.platforms.load_balancers import ACROSS_ZONES, LoadBalancers

EXTERNAL_DNS = marks.EXTERNAL_DNS_HOSTNAME


def _component(name: str) -> dict[str, str]:
    return {"app": name, labels.CONTROL_PLANE_COMPONENT: name}


#: Which pods serve what; the konnectivity server runs beside the API server.
SELECTORS = {
    KUBE_APISERVER: _component(KUBE_APISERVER),
    KUBE_APISERVER_AZURE: _component(KUBE_APISERVER),
    KUBE_APISERVER_PRIVATE: _component(KUBE_APISERVER),
    KONNECTIVITY_SERVER: _component(KUBE_APISERVER),
    OAUTH_SERVER: _component(OAUTH_SERVER),
}


def services(
    spec: Spec, namespace: str, *, oauth: bool, annotations: Mapping[str, str] | None = None
) -> Iterator[Manifest]:
    """Yield the Services that publish a control plane."""
    yield from _api_servers(spec, namespace, annotations or {})
    yield _service(
        spec, namespace, KONNECTIVITY_SERVER, ServiceType.KONNECTIVITY, KONNECTIVITY_PORT
    )
    if oauth:
        yield _oauth(spec, namespace)


def has_port_of_its_own(spec: Spec, annotations: Mapping[str, str]) -> bool:
    """Whether load balancers of API servers have a port of their own.

    The cluster's cloud decides, or that of the management cluster, whose load balancers they are.
    """
    clouds = (spec.platform.type, annotations.get(marks.MANAGEMENT_PLATFORM, ""))
    return any(platform_named(each).load_balancers.api_port is not None for each in clouds)


def api_service(spec: Spec, annotations: Mapping[str, str]) -> tuple[str, int]:
    """The Service whose address users are given for the API server, and its port."""
    balanced = published_by(spec, ServiceType.API_SERVER, Publishing.LOAD_BALANCER)
    if balanced and has_port_of_its_own(spec, annotations):
        name = KUBE_APISERVER_AZURE if is_public(spec) else KUBE_APISERVER_PRIVATE
        return name, AZURE_API_PORT
    hidden = balanced and not is_public(spec)
    return (KUBE_APISERVER_PRIVATE if hidden else KUBE_APISERVER), api_port(spec)


def api_port(spec: Spec) -> int:
    """The port of the API server's Service inside the namespace."""
    return traits_of(spec.platform.type).api_port


def _balancers(spec: Spec) -> LoadBalancers:
    return platform_named(spec.platform.type).load_balancers


def _api_servers(spec: Spec, namespace: str, annotations: Mapping[str, str]) -> Iterator[Manifest]:
    balanced = published_by(spec, ServiceType.API_SERVER, Publishing.LOAD_BALANCER)
    name, port = api_service(spec, annotations)
    if name == KUBE_APISERVER_PRIVATE:
        name, port = KUBE_APISERVER, api_port(spec)
    yield _api_server(spec, namespace, name, port)
    if name == KUBE_APISERVER_AZURE and _balancers(spec).keeps_inner_service:
        entry = _port(API_PORT, "client")
        yield _shaped(namespace, KUBE_APISERVER, "ClusterIP", entry, labelled=True)
    if balanced and is_private(spec):
        yield _private(spec, namespace)


def _api_server(spec: Spec, namespace: str, name: str, port: int) -> Manifest:
    """The API server's Service; its name is what pods of the namespace call it by."""
    service = _service(spec, namespace, name, ServiceType.API_SERVER, port, target="client")
    service["metadata"]["labels"] = dict(SELECTORS[name])
    body, annotations = service["spec"], service["metadata"]["annotations"]
    body["ipFamilyPolicy"] = "PreferDualStack"
    if body["type"] != "LoadBalancer":
        return service
    if not is_public(spec):
        annotations.clear()
        body["type"] = "ClusterIP"
        return service
    annotations |= _balancers(spec).public
    annotations |= ACROSS_ZONES if is_private(spec) else {}
    networking = spec.networking.api_server if spec.networking else None
    allowed = networking.allowed_cidr_blocks if networking else ()
    if allowed and not is_aro(spec):
        body["loadBalancerSourceRanges"] = list(allowed)
    return service


def _private(spec: Spec, namespace: str) -> Manifest:
    """What answers inside the cluster's own network, and nowhere else."""
    balancers = _balancers(spec)
    entry = _port(balancers.api_port or api_port(spec), "client")
    service = _shaped(namespace, KUBE_APISERVER_PRIVATE, "LoadBalancer", entry)
    service["metadata"]["annotations"] = dict(balancers.private)
    service["spec"]["ipFamilyPolicy"] = "PreferDualStack"
    return service


def oauth_port(spec: Spec) -> int:
    """The port of the Service by which users log in."""
    balanced = published_by(spec, ServiceType.OAUTH_SERVER, Publishing.LOAD_BALANCER)
    return _balancers(spec).oauth_port if balanced else OAUTH_PORT


def _oauth(spec: Spec, namespace: str) -> Manifest:
    port = oauth_port(spec)
    service = _service(
        spec, namespace, OAUTH_SERVER, ServiceType.OAUTH_SERVER, port, target=OAUTH_PORT
    )
    service["spec"]["ipFamilyPolicy"] = "PreferDualStack"
    if port == HTTPS_PORT and is_private(spec):
        service["metadata"]["annotations"] |= _balancers(spec).private_oauth
    return service


def _service(
    spec: Spec,
    namespace: str,
    name: str,
    service: ServiceType,
    port: int,
    *,
    target: str | int = 0,
) -> Manifest:
    way = strategy(spec, service)
    entry = _port(port, target or port)
    match way.type if way else None:
        case Publishing.LOAD_BALANCER:
            made = _shaped(namespace, name, "LoadBalancer", entry)
            if host := hostname(spec, service):
                made["metadata"]["annotations"][EXTERNAL_DNS] = host
            return made
        case Publishing.NODE_PORT:
            if way and way.node_port and way.node_port.port:
                entry["nodePort"] = way.node_port.port
            return _shaped(namespace, name, "NodePort", entry)
        case _:
            # Reached by a router, or not at all.
            return _shaped(namespace, name, "ClusterIP", entry)


def _port(port: int, target: str | int) -> dict[str, Any]:
    return {"port": port, "protocol": "TCP", "targetPort": target}


def _shaped(
    namespace: str, name: str, kind: str, entry: dict[str, Any], *, labelled: bool = False
) -> Manifest:
    metadata: dict[str, Any] = {"name": name, "namespace": namespace, "annotations": {}}
    if labelled:
        metadata["labels"] = dict(SELECTORS[name])
    body = {"type": kind, "selector": dict(SELECTORS[name]), "ports": [entry]}
    return {"apiVersion": "v1", "kind": "Service", "metadata": metadata, "spec": body}


def internal(spec: Spec, annotations: Mapping[str, str]) -> dict[str, str]:
    """The annotations of a load balancer in the cluster's own network, before its router."""
    return dict(_balancers(spec).private_router(spec, annotations))


def external(spec: Spec, annotations: Mapping[str, str]) -> dict[str, str]:
    """The annotations of a load balancer that the internet reaches, before the router."""
    return dict(_balancers(spec).public_router(spec, annotations))
