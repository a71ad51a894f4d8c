"""The Services by which a control plane is reached: one manifest for each way of publishing."""

from collections.abc import Iterator, Mapping
from typing import Any

from hypershift.api import annotations as marks
from hypershift.api import labels
from hypershift.kit import Manifest
from hypershift.platforms import (
    Publishing,
    Service,
    hostname,
    is_aro,
    is_private,
    is_public,
    published_by,
    strategy,
)

API, API_AZURE, API_PRIVATE = "kube-apiserver", "kube-apiserverlb", "kube-apiserver-private"
KONNECTIVITY = "konnectivity-server"
OAUTH = "oauth-openshift"
API_PORT, KONNECTIVITY_PORT, OAUTH_PORT = 6443, 8091, 6443
IBM_API_PORT = 2040
#: Azure's load balancer has one address for all, and 6443 there is the management cluster's.
AZURE_API_PORT, AZURE_OAUTH_PORT = 7443, 443
EXTERNAL_DNS = marks.EXTERNAL_DNS_HOSTNAME
_AWS = "service.beta.kubernetes.io/aws-load-balancer"
_AZURE_INTERNAL = {"service.beta.kubernetes.io/azure-load-balancer-internal": "true"}
_NLB = {f"{_AWS}-type": "nlb"}
#: A private link must find a node in whatever zone it arrives.
_ACROSS_ZONES = {
    f"{_AWS}-cross-zone-load-balancing-enabled": "true",
    f"{_AWS}-attributes": "load_balancing.cross_zone.enabled=true",
}


def _component(name: str) -> dict[str, str]:
    return {"app": name, labels.CONTROL_PLANE_COMPONENT: name}


#: Which pods serve what; the konnectivity server runs beside the API server.
SELECTORS = {
    API: _component("kube-apiserver"),
    API_AZURE: _component("kube-apiserver"),
    API_PRIVATE: _component("kube-apiserver"),
    KONNECTIVITY: _component("kube-apiserver"),
    OAUTH: _component("oauth-openshift"),
}


def services(
    spec: Manifest, namespace: str, *, oauth: bool, annotations: Mapping[str, str] | None = None
) -> Iterator[Manifest]:
    """Yield the Services that publish a control plane."""
    yield from _api_servers(spec, namespace, annotations or {})
    yield _service(spec, namespace, KONNECTIVITY, Service.KONNECTIVITY, KONNECTIVITY_PORT)
    if oauth:
        yield _oauth(spec, namespace)


def on_azure(spec: Manifest, annotations: Mapping[str, str]) -> bool:
    """Whether load balancers are Azure's: the cluster's own, or of the cluster below it."""
    below = annotations.get(marks.MANAGEMENT_PLATFORM) == "Azure"
    return spec["platform"]["type"] == "Azure" or below


def api_service(spec: Manifest, annotations: Mapping[str, str]) -> tuple[str, int]:
    """The Service whose address users are given for the API server, and its port."""
    platform = spec["platform"]["type"]
    port = IBM_API_PORT if platform == "IBMCloud" else API_PORT
    balanced = published_by(spec, Service.API_SERVER, Publishing.LOAD_BALANCER)
    if balanced and on_azure(spec, annotations):
        return (API_AZURE if is_public(spec) else API_PRIVATE), AZURE_API_PORT
    return (API if is_public(spec) else API_PRIVATE), port


def _api_servers(
    spec: Manifest, namespace: str, annotations: Mapping[str, str]
) -> Iterator[Manifest]:
    platform = spec["platform"]["type"]
    balanced = published_by(spec, Service.API_SERVER, Publishing.LOAD_BALANCER)
    name, port = api_service(spec, annotations)
    if name == API_PRIVATE:
        name, port = API, IBM_API_PORT if platform == "IBMCloud" else API_PORT
    yield _api_server(spec, namespace, name, port)
    if name == API_AZURE and platform in ("Azure", "KubeVirt"):
        yield _shaped(namespace, API, "ClusterIP", _port(API_PORT, "client"), labelled=True)
    if balanced and is_private(spec):
        yield _private(spec, namespace)


def _api_server(spec: Manifest, namespace: str, name: str, port: int) -> Manifest:
    """The API server's Service; its name is what pods of the namespace call it by."""
    service = _service(spec, namespace, name, Service.API_SERVER, port, target="client")
    service["metadata"]["labels"] = dict(SELECTORS[name])
    body, annotations = service["spec"], service["metadata"]["annotations"]
    body["ipFamilyPolicy"] = "PreferDualStack"
    if body["type"] != "LoadBalancer":
        return service
    if not is_public(spec):
        annotations.clear()
        body["type"] = "ClusterIP"
        return service
    annotations |= _NLB if spec["platform"]["type"] == "AWS" else {}
    annotations |= _ACROSS_ZONES if is_private(spec) else {}
    allowed = ((spec.get("networking") or {}).get("apiServer") or {}).get("allowedCIDRBlocks")
    if allowed and not is_aro(spec):
        body["loadBalancerSourceRanges"] = list(allowed)
    return service


def _private(spec: Manifest, namespace: str) -> Manifest:
    """What answers inside the cluster's own network, and nowhere else."""
    ports = {"IBMCloud": IBM_API_PORT, "Azure": AZURE_API_PORT}
    platform = spec["platform"]["type"]
    entry = _port(ports.get(platform, API_PORT), "client")
    service = _shaped(namespace, API_PRIVATE, "LoadBalancer", entry)
    inside = {**_ACROSS_ZONES, f"{_AWS}-internal": "true", **_NLB}
    service["metadata"]["annotations"] = dict(_AZURE_INTERNAL if platform == "Azure" else inside)
    service["spec"]["ipFamilyPolicy"] = "PreferDualStack"
    return service


def oauth_port(spec: Manifest) -> int:
    """The port of the Service by which users log in."""
    balanced = published_by(spec, Service.OAUTH_SERVER, Publishing.LOAD_BALANCER)
    azure = spec["platform"]["type"] == "Azure"
    return AZURE_OAUTH_PORT if azure and balanced else OAUTH_PORT


def _oauth(spec: Manifest, namespace: str) -> Manifest:
    port = oauth_port(spec)
    service = _service(spec, namespace, OAUTH, Service.OAUTH_SERVER, port, target=OAUTH_PORT)
    service["spec"]["ipFamilyPolicy"] = "PreferDualStack"
    if port == AZURE_OAUTH_PORT and is_private(spec):
        service["metadata"]["annotations"] |= _AZURE_INTERNAL
    return service


def _service(
    spec: Manifest,
    namespace: str,
    name: str,
    service: Service,
    port: int,
    *,
    target: str | int = 0,
) -> Manifest:
    way = strategy(spec, service)
    entry = _port(port, target or port)
    match way.get("type"):
        case Publishing.LOAD_BALANCER:
            made = _shaped(namespace, name, "LoadBalancer", entry)
            if host := hostname(spec, service):
                made["metadata"]["annotations"][EXTERNAL_DNS] = host
            return made
        case Publishing.NODE_PORT:
            if wanted := (way.get("nodePort") or {}).get("port"):
                entry["nodePort"] = wanted
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
