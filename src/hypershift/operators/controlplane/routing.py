"""Host names without Routes: what the router of a control plane serves on a plain Kubernetes."""

from collections.abc import Iterator

from hypershift.api import labels
from hypershift.api.annotations import EXTERNAL_DNS_HOSTNAME
from hypershift.api.publishing import hostname, ignition_host
from hypershift.api.values import ServiceType
from hypershift.api.well_known import IGNITION_SERVER, PRIVATE_ROUTER, ROUTER
from hypershift.kit import Manifest
from hypershift.kube import kinds
from hypershift.operators.controlplane.rules.routes import Published, router_services, routes
from hypershift.operators.controlplane.scope import PlaneScope

PASSTHROUGH = {"termination": "passthrough", "insecureEdgeTerminationPolicy": "None"}


def published(scope: PlaneScope) -> Published:
    """The control plane of this pass as one whose services are published."""
    return Published(scope.wanted, scope.key.name, scope.namespace, scope.annotations)


def names(plane: Published) -> list[str]:
    """The host names of a control plane, sorted: its services by Route have one each."""
    found = (hostname(plane.spec, service) for service in ServiceType if plane.by_route(service))
    return sorted({name.lower() for name in found if name})


def own_router(plane: Published) -> Iterator[Manifest]:
    """Yield the router's Services; external-dns reads from them which names lead there."""
    for made in router_services(plane):
        if made["metadata"]["name"] != ROUTER:
            yield made  # the private one is reached by names of the cluster's own zone
            continue
        named = {EXTERNAL_DNS_HOSTNAME: ",".join(names(plane))}
        marked = made["metadata"].get("annotations", {}) | named
        yield made | {"metadata": made["metadata"] | {"annotations": marked}}


def served_routes(plane: Published, *, oauth: bool) -> Iterator[Manifest]:
    """Yield the Routes that the management cluster has no kind for; the router reads them."""
    yield from routes(plane, oauth=oauth)
    if plane.by_route(ServiceType.IGNITION):
        inside = {labels.INTERNAL_ROUTE: "true"} if plane.private else {}
        yield {
            "apiVersion": kinds.ROUTE.api_version,
            "kind": kinds.ROUTE.kind,
            "metadata": {
                "name": IGNITION_SERVER,
                "namespace": plane.namespace,
                "labels": {labels.HOSTED_CONTROL_PLANE: plane.namespace, **inside},
            },
            "spec": {
                "host": ignition_host(plane.spec, plane.name, plane.annotations),
                "to": {"kind": "Service", "name": IGNITION_SERVER},
                "tls": dict(PASSTHROUGH),
            },
        }


async def publish_names(scope: PlaneScope) -> list[Manifest]:
    """The router's Services that the control plane should have; one without use is deleted."""
    if scope.environment.has_routes:
        return []
    made = [scope.owned(one) for one in own_router(published(scope))]
    wanted = {each["metadata"]["name"] for each in made}
    for name in {ROUTER, PRIVATE_ROUTER} & scope.services.keys() - wanted:
        if _is_ours(scope, scope.services[name]):
            await scope.kube.delete(kinds.SERVICE, name, scope.namespace)
            del scope.services[name]
    return made


def _is_ours(scope: PlaneScope, service: Manifest) -> bool:
    owners = service["metadata"].get("ownerReferences") or ()
    return any(owner.get("uid") == scope.plane.metadata.uid for owner in owners)


async def beside(scope: PlaneScope) -> list[Manifest]:
    """What the router needs to see and the control plane namespace does not hold."""
    if scope.environment.has_routes:
        return []
    found = list(served_routes(published(scope), oauth=scope.oauth))
    place = scope.settings.shared_ignition
    if not found or place is None:
        return found
    server = await scope.kube.find(kinds.SERVICE, place.name, place.namespace)
    if server is not None:
        found.append(server | {"metadata": server["metadata"] | {"name": IGNITION_SERVER}})
    return found
