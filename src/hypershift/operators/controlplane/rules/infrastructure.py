"""Where a control plane can be reached, from its Services once they have addresses."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from hypershift.api.hosted_control_plane import HostedControlPlaneSpec as Spec
from hypershift.api.publishing import (
    hostname,
    internal_host,
    is_private,
    is_public,
    labels_routes,
    strategy,
    uses_shared_ingress,
)
from hypershift.api.services import NodePortPublishing
from hypershift.api.values import PublishingStrategyType as Publishing
from hypershift.api.values import ServiceType
from hypershift.api.well_known import (
    HTTPS_PORT,
    KONNECTIVITY_PORT,
    KONNECTIVITY_SERVER,
    KUBE_APISERVER,
    OAUTH_SERVER,
    OPENSHIFT_APISERVER,
    OPENSHIFT_OAUTH_APISERVER,
    PACKAGESERVER,
    PRIVATE_ROUTER,
    ROUTER,
    SHARED_INGRESS,
)
from hypershift.component import Infra
from hypershift.kit import Manifest, aggregate, from_rfc3339
from hypershift.kit.duration import short_duration
from hypershift.kube.services import load_balancer_address, load_balancer_ingress
from hypershift.operators.controlplane.rules import services
from hypershift.operators.controlplane.rules.admission import not_admitted

#: Until then waiting is normal, and no event is read.
UNUSUAL = timedelta(seconds=10)
PROVISIONING = "Cluster infrastructure is still provisioning"
#: The name of each service in messages.
_CALLED = {
    ServiceType.API_SERVER: ("APIServer service", "API server"),
    ServiceType.KONNECTIVITY: ("konnectivity service", "Konnectivity"),
    ServiceType.OAUTH_SERVER: ("OAuth", "OAuth"),
}
#: The Routes of services inside a private cluster's network.
_ROUTES = {
    ServiceType.API_SERVER: KUBE_APISERVER,
    ServiceType.KONNECTIVITY: KONNECTIVITY_SERVER,
    ServiceType.OAUTH_SERVER: "oauth",
}


@dataclass(frozen=True)
class PublishedService:
    """One published service: its address, or what is still missing."""

    host: str = ""
    port: int = 0
    waiting: str = ""
    error: str = ""

    @property
    def ready(self) -> bool:
        """Whether the address is complete."""
        return bool(self.host and self.port)


@dataclass(frozen=True)
class AddressInputs:
    """What the addresses follow from beside the spec."""

    services: Mapping[str, Manifest]
    annotations: Mapping[str, str]
    now: datetime
    warnings: Mapping[
        str, str
    ]  # warning events about Services without an address, by the Service's name
    cluster: str = ""  # its name, which is part of names in its own network
    #: The Routes of its namespace; None where the management cluster has no such kind, and the
    #: cluster's own router serves the names of all that would be there.
    routes: Mapping[str, Manifest] | None = None


@dataclass(frozen=True)
class Addresses:
    """Where everything is published, and what is missing or wrong."""

    infra: Infra
    waiting: str = ""
    error: str = ""


def addresses(spec: Spec, around: AddressInputs, *, oauth: bool) -> Addresses:
    """The published addresses; nothing waits and nothing is wrong once all are there."""
    name, port = services.api_service(spec, around.annotations)
    api = published(spec, ServiceType.API_SERVER, name, port, around)
    tunnel = published(
        spec, ServiceType.KONNECTIVITY, KONNECTIVITY_SERVER, KONNECTIVITY_PORT, around
    )
    login = PublishedService()
    if oauth:
        login = published(
            spec, ServiceType.OAUTH_SERVER, OAUTH_SERVER, services.oauth_port(spec), around
        )
    result = Infra(
        api_host=api.host,
        api_port=api.port,
        konnectivity_host=tunnel.host,
        konnectivity_port=tunnel.port,
        oauth_enabled=oauth,
        oauth_host=login.host,
        oauth_port=login.port,
        openshift_apiserver_address=_inside(around, OPENSHIFT_APISERVER),
        oauth_apiserver_address=_inside(around, OPENSHIFT_OAUTH_APISERVER),
        packageserver_address=_inside(around, PACKAGESERVER),
    )
    asked = [api, tunnel, *([login] if oauth else [])]
    waiting = "; ".join(one.waiting for one in asked if one.waiting)
    if all(one.ready for one in asked):
        return Addresses(result)
    return Addresses(
        result, waiting or PROVISIONING, aggregate(one.error for one in asked if one.error)
    )


def _inside(around: AddressInputs, name: str) -> str:
    """The cluster address of an aggregated API server; empty where there is none."""
    found = around.services.get(name)
    return str(found["spec"].get("clusterIP", "")) if found else ""


def published(
    spec: Spec, service: ServiceType, name: str, port: int, around: AddressInputs
) -> PublishedService:
    """Where one service is published."""
    way = strategy(spec, service)
    found = around.services.get(name)
    called, detailed = _CALLED[service]
    match way.type if way else None:
        case None:
            return PublishedService(error=f"{called} strategy not specified")
        case _ if found is None:
            return PublishedService()
        case Publishing.LOAD_BALANCER:
            return _load_balancer(spec, service, found, port, around)
        case Publishing.NODE_PORT:
            return _node_port(way.node_port if way else None, found, detailed)
        case Publishing.ROUTE:
            return _routed(spec, service, around)
        case other:
            return PublishedService(waiting=f"{service} has publishing strategy {other}")


def _load_balancer(
    spec: Spec, service: ServiceType, found: Manifest, port: int, around: AddressInputs
) -> PublishedService:
    chosen = hostname(spec, service)
    if not load_balancer_ingress(found) and not (chosen and service is ServiceType.OAUTH_SERVER):
        return PublishedService(waiting=_not_provisioned(service, found, around))
    return PublishedService(chosen or load_balancer_address(found), port)


def _routed(spec: Spec, service: ServiceType, around: AddressInputs) -> PublishedService:
    """By its name, once the router in front of it has an address that the name can lead to."""
    if uses_shared_ingress(spec, around.annotations):
        if shared_ingress_address(around.services):
            return PublishedService(hostname(spec, service), HTTPS_PORT)
        return PublishedService(waiting="the shared ingress does not serve this cluster yet")
    inside = _is_inside(spec, service, around)
    if around.routes is not None and not (inside or labels_routes(spec, around.annotations)):
        return _by_foreign_router(spec, service, around.routes)
    router = around.services.get(PRIVATE_ROUTER if inside else ROUTER)
    if router is None:
        return PublishedService()
    if not load_balancer_ingress(router):
        return PublishedService(waiting=_not_provisioned(ServiceType.API_SERVER, router, around))
    host = hostname(spec, service)
    if inside and (service is ServiceType.KONNECTIVITY or not host):
        host = internal_host(_ROUTES[service], around.cluster)
    return PublishedService(host, HTTPS_PORT)


def _by_foreign_router(
    spec: Spec, service: ServiceType, routes: Mapping[str, Manifest]
) -> PublishedService:
    """By the name of a Route, once a router of the management cluster serves it."""
    route = routes.get(_ROUTES[service])
    if route is None:
        return PublishedService()
    if missing := not_admitted(route):
        return PublishedService(waiting=missing)
    return PublishedService(hostname(spec, service) or route["spec"]["host"], HTTPS_PORT)


def _is_inside(spec: Spec, service: ServiceType, around: AddressInputs) -> bool:
    """Whether a service is published in the cluster's own network: nodes' tunnels always are."""
    if service is ServiceType.KONNECTIVITY:
        return is_private(spec, around.annotations)
    return not is_public(spec)


def _node_port(wanted: NodePortPublishing | None, found: Manifest, called: str) -> PublishedService:
    if wanted is None:
        return PublishedService(
            error=f"strategy details not specified for {called} nodeport type service"
        )
    port = found["spec"]["ports"][0].get("nodePort", 0)
    return PublishedService(wanted.address, port) if port else PublishedService()


def shared_ingress_address(services: Mapping[str, Manifest]) -> str:
    """The address of the ingress that clusters share; empty before it serves this one."""
    found = services.get(SHARED_INGRESS) or {}
    return str((found.get("spec") or {}).get("externalName", ""))


def age_of(found: Manifest, now: datetime) -> timedelta:
    """How long ago an object was made; what was not written yet is new."""
    made = found["metadata"].get("creationTimestamp")
    return now - from_rfc3339(made) if made else timedelta()


def is_unusual(found: Manifest, now: datetime) -> bool:
    """True if an object is missing something for longer than is normal: events may say why."""
    return age_of(found, now) >= UNUSUAL


def _not_provisioned(service: ServiceType, found: Manifest, around: AddressInputs) -> str:
    name = found["metadata"]["name"]
    age = short_duration(age_of(found, around.now))
    said = around.warnings.get(name, "")
    match service:
        case ServiceType.OAUTH_SERVER:
            return f"OAuth LoadBalancer not yet provisioned; {age} since creation"
        case ServiceType.KONNECTIVITY:
            start, end = "Konnectivity load balancer is not provisioned", ""
        case _:
            start, end = f"{name} load balancer is not provisioned", "."
    return f"{start}: {said}" if said else f"{start}; {age} since creation{end}"
