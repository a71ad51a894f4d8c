"""The Routes by which a control plane is reached, and the Services of its router."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from hypershift.api import labels
from hypershift.api.hosted_control_plane import HostedControlPlaneSpec as Spec
from hypershift.api.publishing import (
    INTERNAL_DOMAIN,
    hostname,
    internal_host,
    is_aro,
    is_private,
    is_public,
    labels_routes,
    published_by,
    uses_router,
    uses_shared_ingress,
    uses_swift,
)
from hypershift.api.values import PublishingStrategyType as Publishing
from hypershift.api.values import ServiceType
from hypershift.api.well_known import (
    HTTPS_PORT,
    IGNITION_SERVER,
    KONNECTIVITY_SERVER,
    KUBE_APISERVER,
    KUBE_APISERVER_PRIVATE,
    OAUTH_SERVER,
    PRIVATE_ROUTER,
    ROUTER,
)
from hypershift.kit import InvalidSpec, Manifest
from hypershift.kit.names import route_host
from hypershift.operators.controlplane.rules import services as balancers

INTERNAL = "-internal"
#: All Routes that a control plane may have, but that of its metrics.
NAMES = frozenset(
    {
        *(KUBE_APISERVER, KUBE_APISERVER_PRIVATE, KUBE_APISERVER + INTERNAL),
        *("oauth", "oauth-private", "oauth" + INTERNAL),
        *(KONNECTIVITY_SERVER, IGNITION_SERVER),
    }
)
PRIVATE = {labels.ROUTE_VISIBILITY: "private"}


@dataclass(frozen=True)
class Published:
    """A control plane whose services are published."""

    spec: Spec
    name: str
    namespace: str
    annotations: Mapping[str, str] = field(default_factory=dict)
    #: Under which domain the management cluster's own router invents names.
    ingress_domain: str = ""

    def by_route(self, service: ServiceType) -> bool:
        return published_by(self.spec, service, Publishing.ROUTE)

    @property
    def private(self) -> bool:
        return is_private(self.spec, self.annotations)


def routes(plane: Published, *, oauth: bool) -> Iterator[Manifest]:
    """Yield the Routes of a control plane; those of ignition and metrics are their components'."""
    if plane.by_route(ServiceType.API_SERVER):
        yield from _api_server(plane)
    if plane.by_route(ServiceType.KONNECTIVITY):
        yield _konnectivity(plane)
    if oauth and plane.by_route(ServiceType.OAUTH_SERVER):
        yield from _oauth(plane)


def _api_server(plane: Published) -> Iterator[Manifest]:
    host = hostname(plane.spec, ServiceType.API_SERVER)
    if is_public(plane.spec):
        if not host:
            raise InvalidSpec("route hostname is required for service APIServer")
        yield _route(plane, KUBE_APISERVER, KUBE_APISERVER, host, _ours(plane))
    elif host:
        marked = _inside(plane) | PRIVATE
        yield _route(plane, KUBE_APISERVER_PRIVATE, KUBE_APISERVER, host, marked)
    # The router's default: requests for unknown names go to the API server.
    host = f"api.{plane.name}.{INTERNAL_DOMAIN}"
    yield _route(plane, KUBE_APISERVER + INTERNAL, KUBE_APISERVER, host, _inside(plane))


def _konnectivity(plane: Published) -> Manifest:
    name = KONNECTIVITY_SERVER
    if plane.private:
        made = _route(plane, name, name, internal_host(name, plane.name), _inside(plane))
    else:
        host = _external_host(plane, name, ServiceType.KONNECTIVITY)
        made = _route(plane, name, name, host, _external(plane))
    made["metadata"]["annotations"] = {"haproxy.router.openshift.io/balance": "roundrobin"}
    return made


def _oauth(plane: Published) -> Iterator[Manifest]:
    if is_public(plane.spec):
        host = _external_host(plane, "oauth", ServiceType.OAUTH_SERVER)
        yield _route(plane, "oauth", OAUTH_SERVER, host, _external(plane))
    elif host := hostname(plane.spec, ServiceType.OAUTH_SERVER):
        yield _route(plane, "oauth-private", OAUTH_SERVER, host, _inside(plane) | PRIVATE)
    if plane.private:
        host = internal_host("oauth", plane.name)
        yield _route(plane, "oauth" + INTERNAL, OAUTH_SERVER, host, _inside(plane))


def _ours(plane: Published) -> dict[str, str]:
    return {labels.HOSTED_CONTROL_PLANE: plane.namespace}


def _inside(plane: Published) -> dict[str, str]:
    return _ours(plane) | {labels.INTERNAL_ROUTE: "true"}


def _external(plane: Published) -> dict[str, str]:
    return _ours(plane) if labels_routes(plane.spec, plane.annotations) else {}


def _external_host(plane: Published, name: str, service: ServiceType) -> str:
    """The user's name, else one that is short enough; empty lets the management cluster choose."""
    chosen = hostname(plane.spec, service)
    return chosen or route_host(name, plane.namespace, plane.ingress_domain)


def _route(
    plane: Published, name: str, service: str, host: str, marked: dict[str, str]
) -> Manifest:
    metadata: dict[str, Any] = {"name": name, "namespace": plane.namespace}
    if marked:
        metadata["labels"] = marked
    tls = {"termination": "passthrough", "insecureEdgeTerminationPolicy": "None"}
    body: dict[str, Any] = {"to": {"kind": "Service", "name": service}, "tls": tls}
    if host:
        body["host"] = host
    return {
        "apiVersion": "route.openshift.io/v1",
        "kind": "Route",
        "metadata": metadata,
        "spec": body,
    }


def router_services(plane: Published) -> Iterator[Manifest]:
    """Yield the Services of the cluster's own router, if it has one."""
    spec, found = plane.spec, plane.annotations
    if not uses_router(spec, found):
        return
    if uses_swift(spec, found) or uses_shared_ingress(spec, found):
        # Its pods are reached in the customer's network, or behind the shared ingress.
        yield _router_service(plane, PRIVATE_ROUTER, "ClusterIP", {})
        return
    if plane.private:
        yield _router_service(
            plane, PRIVATE_ROUTER, "LoadBalancer", balancers.internal(spec, found)
        )
    if is_public(spec) and labels_routes(spec, found):
        made = _router_service(plane, ROUTER, "LoadBalancer", balancers.external(spec, found))
        networking = spec.networking.api_server if spec.networking else None
        allowed = networking.allowed_cidr_blocks if networking else ()
        if allowed and not is_aro(spec):
            made["spec"]["loadBalancerSourceRanges"] = list(allowed)
        yield made


def _router_service(
    plane: Published, name: str, kind: str, annotations: dict[str, str]
) -> Manifest:
    entry = {"name": "https", "port": HTTPS_PORT, "protocol": "TCP", "targetPort": "https"}
    selector = {"app": PRIVATE_ROUTER}
    metadata: dict[str, Any] = {"name": name, "namespace": plane.namespace, "labels": selector}
    if annotations:
        metadata["annotations"] = annotations
    body = {"type": kind, "selector": dict(selector), "ports": [entry]}
    return {"apiVersion": "v1", "kind": "Service", "metadata": metadata, "spec": body}
