"""Publishing by host names: Routes, or on a plain Kubernetes what they would say, and a router."""

from collections.abc import Iterator

from hypershift.api import labels
from hypershift.api.annotations import EXTERNAL_DNS_HOSTNAME
from hypershift.api.publishing import (
    hostname,
    ignition_host,
    labels_routes,
    uses_shared_ingress,
)
from hypershift.api.values import ServiceType
from hypershift.api.well_known import IGNITION_SERVER, PRIVATE_ROUTER, ROUTER
from hypershift.kit import Manifest
from hypershift.kube import kinds
from hypershift.kube.services import load_balancer_address
from hypershift.operators.controlplane.rules import admission
from hypershift.operators.controlplane.rules.infrastructure import shared_ingress_address
from hypershift.operators.controlplane.rules.routes import NAMES, Published, router_services, routes
from hypershift.operators.controlplane.scope import PlaneScope

PASSTHROUGH = {"termination": "passthrough", "insecureEdgeTerminationPolicy": "None"}


def published(scope: PlaneScope) -> Published:
    """The control plane of this pass as one whose services are published."""
    return Published(scope.wanted, scope.key.name, scope.namespace, scope.annotations)


def names(plane: Published) -> list[str]:
    """The host names of a control plane, sorted: its services by Route have one each."""
    found = (hostname(plane.spec, service) for service in ServiceType if plane.by_route(service))
    return sorted({name.lower() for name in found if name})


def own_router(plane: Published, *, has_routes: bool) -> Iterator[Manifest]:
    """Yield the router's Services; external-dns reads which names lead there, here or in Routes."""
    for made in router_services(plane):
        if made["metadata"]["name"] != ROUTER or has_routes:
            yield made  # the private one is reached by names of the cluster's own zone
            continue
        named = {EXTERNAL_DNS_HOSTNAME: ",".join(names(plane))}
        marked = made["metadata"].get("annotations", {}) | named
        yield made | {"metadata": made["metadata"] | {"annotations": marked}}


def served_routes(plane: Published, *, oauth: bool) -> Iterator[Manifest]:
    """Yield the Routes of a control plane, which its router reads.

    Where the management cluster has no kind for them they are in its view alone.
    """
    yield from routes(plane, oauth=oauth)
    if not plane.by_route(ServiceType.IGNITION):
        return
    metadata: Manifest = {"name": IGNITION_SERVER, "namespace": plane.namespace}
    if plane.private or labels_routes(plane.spec, plane.annotations):
        inside = {labels.INTERNAL_ROUTE: "true"} if plane.private else {}
        metadata["labels"] = {labels.HOSTED_CONTROL_PLANE: plane.namespace, **inside}
    target = {"kind": "Service", "name": IGNITION_SERVER}
    body: Manifest = {"to": target, "tls": dict(PASSTHROUGH)}
    if host := ignition_host(plane.spec, plane.name, plane.annotations):
        body["host"] = host
    yield {
        "apiVersion": kinds.ROUTE.api_version,
        "kind": kinds.ROUTE.kind,
        "metadata": metadata,
        "spec": body,
    }


async def publish_routes(scope: PlaneScope) -> None:
    """Bring the Routes to what is asked for, where the management cluster has the kind.

    One without use is deleted. A Route with our label is served by the cluster's own router, so
    this operator says in its status whether it is admitted; the others' routers say it themselves.
    """
    if not scope.environment.has_routes:
        return
    wanted = [scope.owned(one) for one in served_routes(published(scope), oauth=scope.oauth)]
    names_wanted = {each["metadata"]["name"] for each in wanted}
    for name in NAMES & scope.routes.keys() - names_wanted:
        if _is_ours(scope, scope.routes[name]):
            await scope.kube.delete(kinds.ROUTE, name, scope.namespace)
            del scope.routes[name]
    for live in await scope.kube.apply_all(wanted):
        scope.routes[live["metadata"]["name"]] = await _admit(scope, live)


async def _admit(scope: PlaneScope, route: Manifest) -> Manifest:
    """Say in the status of a Route what the cluster's own router does with it."""
    if admission.is_ours(route):
        status = admission.admitted(route, _router_address(scope, route), scope.clock.now())
    else:
        status = admission.left_to_others(route)
    if status is None:
        return route
    name, patch = route["metadata"]["name"], {"status": status}
    place = scope.namespace
    return await scope.kube.patch(kinds.ROUTE, name, patch, place, subresource="status")


def _router_address(scope: PlaneScope, route: Manifest) -> str:
    """Where the router that serves a Route is reached; empty while it has no address."""
    if admission.is_internal(route):
        return load_balancer_address(scope.services.get(PRIVATE_ROUTER))
    if uses_shared_ingress(scope.wanted, scope.annotations):
        return shared_ingress_address(scope.services)
    return load_balancer_address(scope.services.get(ROUTER))


async def publish_names(scope: PlaneScope) -> list[Manifest]:
    """The router's Services that the control plane should have; one without use is deleted."""
    has_routes = scope.environment.has_routes
    made = [scope.owned(one) for one in own_router(published(scope), has_routes=has_routes)]
    wanted = {each["metadata"]["name"] for each in made}
    for name in {ROUTER, PRIVATE_ROUTER} & scope.services.keys() - wanted:
        if _is_ours(scope, scope.services[name]):
            await scope.kube.delete(kinds.SERVICE, name, scope.namespace)
            del scope.services[name]
    return made


def _is_ours(scope: PlaneScope, found: Manifest) -> bool:
    owners = found["metadata"].get("ownerReferences") or ()
    return any(owner.get("uid") == scope.plane.metadata.uid for owner in owners)


async def beside(scope: PlaneScope) -> list[Manifest]:
    """What the router needs to see beside the objects that every view holds."""
    found = list(scope.routes.values())
    if not scope.environment.has_routes:
        found = list(served_routes(published(scope), oauth=scope.oauth))
    place = scope.settings.shared_ignition
    if not found or place is None:
        return found
    server = await scope.kube.find(kinds.SERVICE, place.name, place.namespace)
    if server is not None:
        found.append(server | {"metadata": server["metadata"] | {"name": IGNITION_SERVER}})
    return found
