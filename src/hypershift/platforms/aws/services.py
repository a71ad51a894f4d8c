"""Which ways to publish a cluster's services AWS has."""

from collections.abc import Iterator, Mapping

from hypershift.kit import Manifest
from hypershift.platforms.publishing import Publishing, Service, hostname, strategy


def problems(spec: Manifest, annotations: Mapping[str, str]) -> Iterator[str]:
    """Yield what AWS cannot publish: everything but the API server is a Route there."""
    del annotations
    for service in (Service.KONNECTIVITY, Service.OAUTH_SERVER, Service.IGNITION):
        way = _way(spec, service)
        if way is None:
            yield f"service type {service} not found"
        elif way.get("type") != Publishing.ROUTE:
            yield _unsupported(service, way, "use Route")
    yield from _api_server(spec)


def _api_server(spec: Manifest) -> Iterator[str]:
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
    named = any(item.get("service", "") == service for item in spec.get("services") or ())
    return strategy(spec, service) if named else None
