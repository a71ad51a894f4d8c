"""The Services by which a control plane is reached: one manifest for each way of publishing."""

from collections.abc import Iterator
from typing import Any

from hypershift.api import annotations, labels
from hypershift.kit import Manifest
from hypershift.platforms import Publishing, Service, hostname, is_public, strategy

API = "kube-apiserver"
KONNECTIVITY = "konnectivity-server"
OAUTH = "oauth-openshift"
API_PORT, IBM_API_PORT, KONNECTIVITY_PORT, OAUTH_PORT = 6443, 2040, 8091, 6443
COMPONENT = labels.CONTROL_PLANE_COMPONENT
EXTERNAL_DNS = annotations.EXTERNAL_DNS_HOSTNAME
#: Which pods serve what; the konnectivity server runs beside the API server.
SELECTORS = {
    API: {"app": "kube-apiserver", COMPONENT: "kube-apiserver"},
    KONNECTIVITY: {"app": "kube-apiserver", COMPONENT: "kube-apiserver"},
    OAUTH: {"app": "oauth-openshift", COMPONENT: "oauth-openshift"},
}


def services(spec: Manifest, namespace: str, *, oauth: bool) -> Iterator[Manifest]:
    """Yield the Services that publish a control plane."""
    yield api_server(spec, namespace)
    yield _service(spec, namespace, KONNECTIVITY, Service.KONNECTIVITY, KONNECTIVITY_PORT)
    if oauth:
        yield _service(spec, namespace, OAUTH, Service.OAUTH_SERVER, OAUTH_PORT)


def api_server(spec: Manifest, namespace: str) -> Manifest:
    """The API server's Service; its name is what pods of the namespace call it by."""
    port = IBM_API_PORT if spec["platform"]["type"] == "IBMCloud" else API_PORT
    service = _service(spec, namespace, API, Service.API_SERVER, port, target="client")
    body = service["spec"]
    if body["type"] == "LoadBalancer" and not is_public(spec):
        body["type"] = "ClusterIP"
    body["ipFamilyPolicy"] = "PreferDualStack"
    allowed = ((spec.get("networking") or {}).get("apiServer") or {}).get("allowedCIDRBlocks")
    if allowed and body["type"] == "LoadBalancer":
        body["loadBalancerSourceRanges"] = list(allowed)
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
    entry: dict[str, Any] = {"port": port, "protocol": "TCP", "targetPort": target or port}
    kind = "ClusterIP"
    annotations = {}
    match way.get("type"):
        case Publishing.LOAD_BALANCER:
            kind = "LoadBalancer"
            if host := hostname(spec, service):
                annotations[EXTERNAL_DNS] = host
        case Publishing.NODE_PORT:
            kind = "NodePort"
            if wanted := (way.get("nodePort") or {}).get("port"):
                entry["nodePort"] = wanted
        case _:
            pass  # reached by a router, or not at all
    return {
        "apiVersion": "v1",
        "kind": "Service",
        "metadata": {
            "name": name,
            "namespace": namespace,
            "labels": dict(SELECTORS[name]),
            "annotations": annotations,
        },
        "spec": {"type": kind, "selector": dict(SELECTORS[name]), "ports": [entry]},
    }
