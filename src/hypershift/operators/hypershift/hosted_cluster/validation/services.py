"""Whether the services of a cluster can be published as it asks."""

from collections.abc import Iterator

from hypershift.kit import Manifest
from hypershift.platforms import Publishing, Service, hostname, strategy

_NAMED = {Publishing.ROUTE: "route", Publishing.LOAD_BALANCER: "loadBalancer"}


def route_problems(spec: Manifest, *, routes: bool) -> Iterator[str]:
    """Yield which services ask for a Route; `routes`: the management cluster knows Routes."""
    for service, way in _published(spec):
        if not routes and way.get("type") == Publishing.ROUTE:
            yield f'cluster does not support Routes, but service "{service}" is exposed via a Route'


def hostname_problem(spec: Manifest) -> Iterator[str]:
    """Yield the first name that two services would share."""
    taken: dict[str, str] = {}
    for service, way in _published(spec):
        section = _NAMED.get(way.get("type", ""), "")
        name = (way.get(section) or {}).get("hostname") or ""
        if name in taken:
            yield (
                f"service type {service} can't be published with the same hostname {name}"
                f" as service type {taken[name]}"
            )
            return
        if name:
            taken[name] = service


def aws_problems(spec: Manifest) -> Iterator[str]:
    """Yield what AWS cannot publish: everything but the API server is a Route there."""
    for service in (Service.KONNECTIVITY, Service.OAUTH_SERVER, Service.IGNITION):
        way = _way(spec, service)
        if way is None:
            yield f"service type {service} not found"
        elif way.get("type") != Publishing.ROUTE:
            yield _unsupported(service, way, "use Route")
    yield from _aws_api_server(spec)


def _aws_api_server(spec: Manifest) -> Iterator[str]:
    way = _way(spec, Service.API_SERVER)
    if way is None:
        yield f"service type {Service.API_SERVER} not found"
        return
    if way.get("type") == Publishing.ROUTE and not hostname(spec, Service.API_SERVER):
        yield (
            "if serviceType is 'APIServer' and publishing strategy is 'Route', "
            "then hostname must be set"
        )
    elif way.get("type") not in (Publishing.ROUTE, Publishing.LOAD_BALANCER):
        private = spec["platform"]["aws"].get("endpointAccess") == "Private"
        advice = "use Route" if private else "use Route or LoadBalancer"
        yield _unsupported(Service.API_SERVER, way, advice)


def _unsupported(service: Service, way: Manifest, advice: str) -> str:
    kind = way.get("type") or ""
    return f"service type {service} with publishing strategy {kind} is not supported, {advice}"


def _way(spec: Manifest, service: Service) -> Manifest | None:
    named = any(name == service for name, _ in _published(spec))
    return strategy(spec, service) if named else None


def _published(spec: Manifest) -> Iterator[tuple[str, Manifest]]:
    for item in spec.get("services") or ():
        yield item.get("service", ""), item.get("servicePublishingStrategy") or {}
