"""Which ways to publish a cluster's services AWS has."""

from collections.abc import Iterator

from hypershift.api import HostedCluster
from hypershift.api.hosted_cluster import HostedClusterSpec
from hypershift.api.publishing import hostname, strategy
from hypershift.api.values import EndpointAccess, PublishingStrategyType, ServiceType

ROUTE, LOAD_BALANCER = PublishingStrategyType.ROUTE, PublishingStrategyType.LOAD_BALANCER


def problems(cluster: HostedCluster) -> Iterator[str]:
    """Yield what AWS cannot publish: everything but the API server is a Route there."""
    for service in (ServiceType.KONNECTIVITY, ServiceType.OAUTH_SERVER, ServiceType.IGNITION):
        chosen = strategy(cluster.spec, service)
        if chosen is None:
            yield f"service type {service} not found"
        elif chosen.type != ROUTE:
            yield _unsupported(service, chosen.type, "use Route")
    yield from _api_server(cluster.spec)


def _api_server(spec: HostedClusterSpec) -> Iterator[str]:
    service = ServiceType.API_SERVER
    chosen = strategy(spec, service)
    if chosen is None:
        yield f"service type {service} not found"
        return
    if chosen.type == ROUTE and not hostname(spec, service):
        yield (
            "if serviceType is 'APIServer' and publishing strategy is 'Route', "
            "then hostname must be set"
        )
    elif chosen.type not in (ROUTE, LOAD_BALANCER):
        aws = spec.platform.aws
        private = aws is not None and aws.endpoint_access == EndpointAccess.PRIVATE
        advice = "use Route" if private else "use Route or LoadBalancer"
        yield _unsupported(service, chosen.type, advice)


def _unsupported(service: ServiceType, kind: str, advice: str) -> str:
    return f"service type {service} with publishing strategy {kind} is not supported, {advice}"
